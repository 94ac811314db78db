/**
 * Ways to make one call that must give the same bits: by another kind of instance, over operands that
 * an instance keeps, over a cache. The problems are those of combinations, drawn from the schemas.
 */
import { isDeepStrictEqual } from 'node:util';
import { distanceTypes, fullBias } from '../../package/distance_biases.mjs';
import { api, called, importedNames } from './api.mjs';
import { appended } from './combinations/caches.mjs';
import { bitsFault } from './combinations/comparison.mjs';
import { describedProblem } from './combinations/description.mjs';
import { drawnProblem } from './combinations/problem.mjs';
import { Draws, drawsOf } from './random.mjs';

/** Options that fit together may still exclude each other; a law then has nothing to say. */
class Refused extends Error {}

async function attempt(call) {
  try {
    return await call();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw new Refused(error.message);
    throw error;
  }
}

const attend = (rw, { q, k, v, settings }) => rw.attention(q, k, v, settings);

const plain = (draws) => ({ isPlain: true, isWide: draws.chance(1, 24) });

/** Of schemes that a cache need not know, since keys in fewer bits are not rotated. */
const overCache = (draws) => ({
  ...plain(draws),
  types: ['none', ...distanceTypes],
});

/** Attention over a cache of an instance or a pool, whose rows were appended up to these ends. */
async function attendedOver(rw, { q, k, v, settings }, dtype, ends) {
  const [batch, keyHeads, count, dim] = k.shape;
  const cache = await rw.createCache({
    ...{ batch, keyHeads, dim, valueDim: v.shape[3], capacity: count + 3, dtype },
  });
  try {
    const written = ends.map((end, i) => {
      const first = ends[i - 1] ?? 0;
      return cache.append(...[k, v].map((rows) => appended(rows, first, end - first, false)));
    });
    const result = await rw.attention(q, cache, settings);
    await Promise.all(written);
    return result;
  } finally {
    cache.dispose();
  }
}

/** The problem with its queries at the end of its keys, as those of a cache are. */
function atTheEnd({ q, k, v, settings: { past, window, ...settings } }) {
  if (q.shape[2] > k.shape[2]) throw new Refused('more queries than keys');
  if (past) for (const name of ['mask', 'bias', 'keyLengths']) delete settings[name];
  const align = 'bottom-right';
  return {
    q,
    k,
    v,
    settings: { ...settings, causal: align, window: window && { ...window, align } },
  };
}

/**
 * @typedef {object} Law
 * @property {(draws: any) => any} [wanted] of the problem that it draws
 * @property {(parts: any) => Promise<string | undefined>} fault how two ways differ
 */

/** @type {Record<string, Law>} */
export const laws = {
  'a pool and an instance for training give the bits of an instance': {
    wanted: plain,
    async fault({ problem, inference, training, pool }) {
      const expected = await attempt(() => attend(inference, problem));
      return (
        bitsFault(expected, attend(training, problem)) ??
        bitsFault(expected, await attend(pool, problem))
      );
    },
  },

  'operands that an instance keeps give the bits of those given': {
    wanted: plain,
    async fault({ draws, problem, inference }) {
      if (problem.settings.past) throw new Refused('a past comes with new rows');
      const expected = await attempt(() => attend(inference, problem));
      const which = 1 + draws.below(7);
      const kept = ['q', 'k', 'v'].filter((_, i) => which & (1 << i));
      const handles = kept.map((name) => [name, inference.resident(problem[name])]);
      const own = { ...problem, ...Object.fromEntries(handles) };
      try {
        // A call may not write to what stays.
        const first = attend(inference, own);
        return bitsFault(expected, first) ?? bitsFault(expected, attend(inference, own));
      } finally {
        for (const [, handle] of handles) handle.dispose();
      }
    },
  },

  'a bias by distance is the tensor of its own function': {
    wanted: (draws) => ({ ...plain(draws), types: distanceTypes }),
    async fault({ draws, problem, inference }) {
      const { past: _, keyLengths: __, bias: ___, window: ____, ...others } = problem.settings;
      const [heads, queries] = problem.q.shape.slice(1);
      const keys = problem.k.shape[2];
      if (others.mask?.data?.length !== heads * queries * keys) delete others.mask;
      const causal = draws.pick(['top-left', 'bottom-right']);
      const first = causal === 'top-left' ? 0 : keys - queries;
      const at = Array.from({ length: queries }, (_, i) => first + i);
      const own = { ...problem, settings: { ...others, causal } };
      const expected = await attempt(() => attend(inference, own));
      const { position, ...settings } = own.settings;
      const bias = fullBias(inference, position, { heads, queries: at, keys });
      return bitsFault(expected, attend(inference, { ...own, settings: { ...settings, bias } }));
    },
  },

  'a cache of floats gives the bits of attention without it': {
    wanted: overCache,
    async fault({ problem, inference }) {
      const own = atTheEnd(problem);
      const expected = await attempt(() => attend(inference, own));
      const count = own.k.shape[2];
      return bitsFault(expected, await attendedOver(inference, own, 'float32', [count]));
    },
  },

  'tokens appended in pieces, in an instance or a pool, are those appended at once': {
    wanted: overCache,
    async fault({ draws, problem, inference, pool }) {
      const own = atTheEnd(problem);
      const [dtype, count] = [draws.pick(['float32', 'float16', 'int8']), own.k.shape[2]];
      const expected = await attempt(() => attendedOver(inference, own, dtype, [count]));
      const edge = 1 + draws.below(count);
      const ends = edge < count ? [edge, count] : [count];
      const rw = draws.chance(1, 2) ? inference : pool;
      return bitsFault(expected, await attendedOver(rw, own, dtype, ends));
    },
  },

  'a pool gives the same for every function': {
    async fault({ draws, inference, pool }) {
      const without = ['resident', 'createCache', ...importedNames];
      const name = draws.pick(Object.keys(api).filter((one) => !without.includes(one)));
      const seed = draws.bits();
      const args = () =>
        api[name](new Draws(seed)).map((argument) => {
          if (!Object.hasOwn(Object(argument), 'into')) return argument;
          const { into: _, ...others } = argument;
          return others;
        });
      const expected = await attempt(() => called(inference, name, args()));
      const actual = await called(pool, name, args());
      return isDeepStrictEqual(actual, expected)
        ? undefined
        : `${name} of good call ${seed} differs in the pool`;
    },
  },
};

/** Case `index` of a seed: a law, and its problem where it has one. */
export function drawnLaw(seed, index, schemas) {
  const draws = drawsOf(seed, index);
  const name = draws.pick(Object.keys(laws));
  const { wanted } = laws[name];
  return { name, draws, problem: wanted && drawnProblem(draws, schemas, wanted(draws)) };
}

export const describedLaw = ({ name, problem }) =>
  `${name}${problem ? `: ${describedProblem(problem)}` : ''}`;

export class LawFuzzer {
  #start;
  #schemas;
  #instances;
  ok = 0;
  refused = 0;

  /**
   * @param {() => Promise<any>} start returns the instances
   * @param {import('./combinations/problem.mjs').Schemas} schemas
   */
  constructor(start, schemas) {
    this.#start = start;
    this.#schemas = schemas;
  }

  async start() {
    this.#instances = (await this.#start()).all;
  }

  async caseAt(seed, index) {
    const law = drawnLaw(seed, index, this.#schemas);
    const fault = await this.#fault(law);
    return (
      fault && { key: law.name, fault: `${law.name}: ${fault}`, text: () => describedLaw(law) }
    );
  }

  async #fault({ name, draws, problem }) {
    try {
      const fault = await laws[name].fault({ draws, problem, ...this.#instances });
      this.ok++;
      return fault;
    } catch (error) {
      if (!(error instanceof Refused)) return `${error.constructor?.name}: ${error.message}`;
      this.refused++;
      return undefined;
    }
  }
}
