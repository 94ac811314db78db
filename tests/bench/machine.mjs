/** Which machine and engine the figures are of. */
import { cpus, totalmem } from 'node:os';

export function machineOf({ version }) {
  const [first] = cpus();
  return {
    cpu: first.model.trim(),
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${process.arch}`,
    engine: `Node ${version}`,
  };
}
