/**
 * Fair timing: contestants take turns, A B C A B C, in one process, so that whatever slows the
 * machine down slows all of them; what counts is ratios of medians.
 */

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Milliseconds of one call, over `repeats` of them. The garbage of other contestants is collected
 * before, where the engine exposes gc(), so that it does not count here.
 */
async function timeOf(run, repeats, now) {
  globalThis.gc?.();
  const start = now();
  for (let i = 0; i < repeats; i++) {
    const result = run();
    if (result?.then) await result;
  }
  return (now() - start) / repeats;
}

/** Short calls until the optimizing tier has taken over; returns the time of the last one. */
async function warm(run, { warmUp, now }) {
  const end = now() + warmUp;
  let time = await timeOf(run, 1, now);
  while (now() < end) time = await timeOf(run, Math.max(1, Math.floor(warmUp / 4 / time)), now);
  return time;
}

/**
 * @typedef {object} TimingOptions
 * @property {number} [rounds] samples of each contestant
 * @property {number} [sampleTime] least milliseconds of one sample
 * @property {number} [warmUp] milliseconds of calls before the first sample
 * @property {() => number} [now] the clock, in milliseconds
 */

/**
 * What was measured of one contestant, in milliseconds, or `dropped`: why nothing was.
 * @typedef {object} Figure
 * @property {number} [median]
 * @property {number} [min]
 * @property {number[]} [samples]
 * @property {number} [repeats] calls in each sample
 * @property {string} [dropped]
 * @property {number} [error] the largest difference from the reference
 * @property {number} [flops] floating-point operations of one call
 * @property {number} [tokens] tokens that a call of a model reads or writes
 */

/**
 * Times every contestant. Each sample repeats a call as often as it takes to last `sampleTime`.
 * @param {{ name: string, run: () => unknown, patience?: number }[]} contestants `run` may be
 *   asynchronous; one whose call takes longer than `patience` milliseconds drops out
 * @param {TimingOptions} [settings]
 * @returns {Promise<Record<string, Figure>>} by name
 */
export async function alternate(contestants, settings = {}) {
  const { rounds = 9, sampleTime = 5, warmUp = 100, now = () => performance.now() } = settings;
  /** @type {Record<string, Figure>} */
  const results = {};
  const racing = [];
  for (const { name, run, patience = Infinity } of contestants) {
    const time = await warm(run, { warmUp, now });
    if (time > patience) {
      results[name] = { dropped: `one call takes ${Math.round(time)} ms` };
      continue;
    }
    const repeats = Math.max(1, Math.ceil(sampleTime / Math.max(time, 1e-6)));
    results[name] = { repeats, samples: [] };
    racing.push({ run, ...results[name] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { run, repeats, samples } of racing) samples.push(await timeOf(run, repeats, now));
  }
  for (const result of Object.values(results)) {
    if (result.dropped) continue;
    result.median = median(result.samples);
    result.min = Math.min(...result.samples);
  }
  return results;
}

/** The quickest of some contestants by its median: { name, ...figures }, or undefined. */
export function quickest(results, names) {
  const timed = names.filter((name) => results[name]?.median !== undefined);
  const best = timed.sort((a, b) => results[a].median - results[b].median)[0];
  return best === undefined ? undefined : { name: best, ...results[best] };
}

/** How many times as long `slower` takes; undefined when one of them was not timed. */
export function ratio(slower, faster) {
  if (slower?.median === undefined || faster?.median === undefined) return undefined;
  return slower.median / faster.median;
}
