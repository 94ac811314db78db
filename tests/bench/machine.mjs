/** Which machine the figures are of. */
import { cpus, totalmem } from 'node:os';

export function machine() {
  const [first, ...others] = cpus();
  return {
    cpu: first.model.trim(),
    cores: others.length + 1,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${process.arch}`,
  };
}
