/** Relations between calls that hold without knowing the right numbers, on problems that a seed draws. */
import { caches } from './laws/caches.mjs';
import { keys } from './laws/keys.mjs';
import { numbers } from './laws/numbers.mjs';
import { padding } from './laws/padding.mjs';
import { rows } from './laws/rows.mjs';
import { silence } from './laws/silence.mjs';
import { ways } from './laws/ways.mjs';
import { Draws, drawsOf } from './random.mjs';
import { source } from './source.mjs';

export const laws = { ...padding, ...keys, ...rows, ...ways, ...silence, ...numbers, ...caches };

const names = Object.keys(laws);

/** Options that fit together may still exclude each other; a law then has nothing to say. */
class Refused extends Error {}

const isRefusal = (error) => error instanceof RangeError || error instanceof TypeError;

/** Case `index` of a seed: a law, the seed of its problem, and how many keys that may have. */
export function drawnLaw(seed, index) {
  const draws = drawsOf(seed, index);
  return { name: draws.pick(names), seed: draws.bits(), most: draws.pick([2, 4, 8, 20]) };
}

export class LawFuzzer {
  #makers;
  #instances;
  ok = 0;
  refused = 0;

  /** @param {Record<'rw' | 'pool', () => Promise<any>>} makers */
  constructor(makers) {
    this.#makers = makers;
  }

  async start() {
    if (this.#instances) return;
    const started = Object.entries(this.#makers).map(async ([name, make]) => [name, await make()]);
    this.#instances = Object.fromEntries(await Promise.all(started));
  }

  async close() {
    await this.#instances?.pool.close();
  }

  /** What is wrong, and the calls that show it; undefined where the law holds. */
  async fault({ name, seed, most }) {
    const calls = [];
    const again = ({ q, k, v, settings }) => {
      calls.push(
        () => `rw.attention(${[q, k, v, settings].map((argument) => source(argument)).join(', ')})`,
      );
      return this.#instances.rw.attention(q, k, v, settings);
    };
    const attempt = (call) => {
      try {
        return call();
      } catch (error) {
        if (isRefusal(error)) throw new Refused(error.message);
        throw error;
      }
    };
    const attend = (problem) => attempt(() => again(problem));
    const parts = {
      draws: new Draws(seed),
      most,
      attend,
      again,
      attempt,
      ...this.#instances,
    };
    let text;
    try {
      text = await laws[name](parts);
      this.ok++;
    } catch (error) {
      if (error instanceof Refused) this.refused++;
      else text = `${error.constructor?.name}: ${error.message}`;
    }
    return text && { name, text, calls: calls.map((call) => call()) };
  }

  /** The first fault of the same law on the smallest problems, since little can be left out of one. */
  async smallest(name, begin) {
    for (const most of [1, 2, 3, 5]) {
      for (let seed = 0; seed < 150; seed++) {
        begin();
        const found = await this.fault({ name, seed, most });
        if (found) return found;
      }
    }
    return undefined;
  }

  /**
   * As Fuzzer.run: reports each law that does not hold once.
   * @param {number} seed
   * @param {import('./fuzzer.mjs').RunOptions} options
   */
  async run(
    seed,
    { first = 0, past = Infinity, goOn = () => true, begin = () => {}, found = () => {} },
  ) {
    await this.start();
    const faults = new Map();
    let index = first;
    for (; index < past && goOn(); index++) {
      const one = drawnLaw(seed, index);
      if (faults.has(one.name)) continue;
      begin(index);
      const fault = await this.fault(one);
      if (!fault) continue;
      const least = (await this.smallest(one.name, () => begin(index))) ?? fault;
      const text = [`smallest: ${least.text}`, ...least.calls].join('\n  ').slice(0, 6000);
      const report = { seed, index, key: one.name, fault: `${one.name}: ${fault.text}`, text };
      faults.set(one.name, report);
      found(report);
    }
    return { cases: index - first, faults: [...faults.values()] };
  }
}
