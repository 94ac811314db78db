/** Processor time and memory of the processes that this one started, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Ticks per second of the times in /proc, on every architecture of Linux. */
const ticksPerSecond = 100;

/** Parent and processor seconds of a process, or undefined when it has ended. */
function statusOf(id) {
  try {
    // The name, in parentheses, may have spaces.
    const fields = readFileSync(`/proc/${id}/stat`, 'latin1').split(') ').at(-1).split(' ');
    const [parent, user, system] = [1, 11, 12].map((field) => Number(fields[field]));
    return { parent, seconds: (user + system) / ticksPerSecond };
  } catch {
    return undefined;
  }
}

/** Processor seconds of each descendant of this process, by id. */
function descendants() {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const all = new Map(ids.map((id) => [Number(id), statusOf(id)]));
  const isBelow = (id) => {
    const parent = all.get(id)?.parent;
    return parent === process.pid || (parent > 1 && isBelow(parent));
  };
  return new Map([...all].filter(([id]) => isBelow(id)).map(([id, { seconds }]) => [id, seconds]));
}

/**
 * Cores that the processes below this one use, on average over a time in milliseconds. A process
 * that ends meanwhile is not counted.
 */
export async function busyCores(time) {
  const start = performance.now();
  const before = descendants();
  await wait(time);
  const after = descendants();
  let seconds = 0;
  for (const [id, now] of after) seconds += now - (before.get(id) ?? 0);
  return (1000 * seconds) / (performance.now() - start);
}

/** The most memory that one of the processes below this one has had, in bytes. */
export function peakMemory() {
  const peaks = [...descendants().keys()].map((id) => {
    try {
      const status = readFileSync(`/proc/${id}/status`, 'latin1');
      return 1024 * Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0);
    } catch {
      return 0; // it has ended
    }
  });
  return Math.max(0, ...peaks);
}
