/**
 * A thread that ends its process when one call takes too much processor time. What it measures is time of
 * the processor: on a busy machine a call takes longer by the clock, but not by this.
 */
import { writeSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { Worker, isMainThread, workerData } from 'node:worker_threads';

/** Returns the processor time of this process so far, in seconds. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Starts the thread. Returns what to do at the beginning of every call. */
export function watched(limit) {
  const calls = new Int32Array(new SharedArrayBuffer(4));
  new Worker(new URL(import.meta.url), { workerData: { calls, limit } }).unref();
  return () => void Atomics.add(calls, 0, 1);
}

/** @param {{ calls: Int32Array, limit: number }} options */
function watch({ calls, limit }) {
  let [call, since] = [-1, 0];
  setInterval(() => {
    const now = processorTime();
    const current = Atomics.load(calls, 0);
    if (current !== call) [call, since] = [current, now];
    else if (now - since > limit) {
      writeSync(3, `${JSON.stringify({ endless: limit })}\n`);
      process.kill(process.pid, 'SIGKILL');
    }
  }, 100);
}

if (!isMainThread && workerData?.calls) watch(workerData);
