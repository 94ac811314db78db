/** Calls of attention, and those that keep tensors in an instance: constants and caches in any dtype. */
import { schemas } from './combinations/instances.mjs';
import { drawnProblem } from './combinations/problem.mjs';
import { Draws } from './random.mjs';

const dtypes = ['float32', 'float16', 'int8'];
const layouts = ['interleaved', 'half-split'];

/** Attention with any options of any scheme. */
export function attentionCall(draws) {
  const { q, k, v, settings } = drawnProblem(draws, schemas, { isPlain: true });
  return [q, k, v, settings];
}

/** Runs `use`, then disposes of what it kept, twice. */
function withHandles(use) {
  const kept = [];
  try {
    return use((handle) => (kept.push(handle), handle));
  } finally {
    for (const handle of [...kept, ...kept]) handle.dispose();
  }
}

/** Returns a tensor, resident where a dtype is given for it. */
const placed = (rw, keep, tensor, dtype) =>
  dtype === undefined ? tensor : keep(rw.resident(tensor, { dtype }));

/** Functions of an instance that keep something, as if they were its own. */
export const cacheFunctions = {
  /** Appends tokens to a new cache, forgets some, and attends to the rest. */
  cacheDecode: (rw) => (options, k, v, q, settings, first, pastEnd, eviction) =>
    withHandles((keep) => {
      const cache = keep(rw.createCache(options));
      cache.append(k, v);
      cache.evict(first, pastEnd, eviction);
      return [rw.attention(q, cache, settings), cache.positions];
    }),

  residentAttention: (rw) => (q, k, v, settings, dtype) =>
    withHandles((keep) =>
      rw.attention(
        placed(rw, keep, q, dtype?.q),
        placed(rw, keep, k, dtype?.k),
        placed(rw, keep, v, dtype?.v),
        settings,
      ),
    ),

  /** Rotates a resident tensor in place by a resident table, and attends to its own rows. */
  residentRotate: (rw) => (x, frequencies, positions, settings) =>
    withHandles((keep) => {
      const kept = keep(rw.resident(x));
      const table = keep(rw.resident(rw.rotaryTable(frequencies, { positions })));
      const into = rw.rotate(kept, table, { ...settings, into: kept });
      return [rw.attention(into, x, x), rw.rotate(x, table, settings)];
    }),
};

/** Valid calls of them. */
export const cacheCalls = {
  createCache: (draws) => [
    {
      keyHeads: 1 + draws.below(3),
      dim: 2 * (1 + draws.below(8)),
      capacity: 1 + draws.below(40),
      dtype: draws.pick(dtypes),
      position: draws.pick(['alibi', 'none', { type: 'rope', layout: 'half-split' }]),
    },
  ],
  cacheDecode(draws) {
    const [keyHeads, dim, count] = [
      1 + draws.below(3),
      2 * (1 + draws.below(8)),
      3 + draws.below(20),
    ];
    const first = draws.below(count - 2);
    const tokens = () =>
      draws.chance(1, 2) ? draws.tensor(count, keyHeads * dim) : draws.tensor(keyHeads, count, dim);
    const k = tokens();
    return [
      {
        keyHeads,
        dim,
        capacity: count + draws.below(4),
        dtype: draws.pick(dtypes),
        position: draws.pick(['alibi', 'none', { type: 'rope', layout: 'interleaved' }]),
      },
      k,
      draws.tensor(...k.shape),
      draws.tensor(2 * keyHeads, 1, dim),
      draws.pick([{}, { causal: true }, { softcap: 3, intermediates: ['weights'] }]),
      first,
      first + draws.below(count - 1 - first),
      { renumber: draws.chance(1, 2) },
    ];
  },
  residentAttention: (draws) => [
    ...attentionCall(draws),
    {
      ...(draws.chance(1, 4) && { q: 'float32' }),
      ...(draws.chance(3, 4) && { k: draws.pick(dtypes) }),
      ...(draws.chance(3, 4) && { v: draws.pick(dtypes) }),
    },
  ],
  residentRotate(draws) {
    const [length, pairs] = [1 + draws.below(8), 1 + draws.below(4)];
    const start = draws.below(5);
    return [
      draws.tensor(1 + draws.below(2), length, 2 * pairs + draws.below(3)),
      { inverseFrequencies: [1, 0.5, 0.25, 0].slice(0, pairs), attentionFactor: 1, dim: 2 * pairs },
      start + length + draws.below(3),
      { ...draws.pick([{ start }, { positions: length }]), layout: draws.pick(layouts) },
    ];
  },
};

/** Names in error messages besides those of options. */
export const cacheMessageNames = {
  resident: ['values'],
  createCache: ['frequencies', 'heads'],
  cacheDecode: ['cache', 'length', 'heads', 'dim', 'queries', 'createCache options', 'values'],
  residentRotate: ['rotate options', 'frequencies', 'table', 'x', 'tensor', 'heads', 'dim'],
  residentAttention: ['resident options', 'tensor', 'heads', 'queries', 'keys', 'dim', 'values'],
};

/**
 * Keeps tensors and caches in each dtype for as long as the instance lives. Returns a function that
 * gives the results of attention over them: the same each time, unless something wrote over them.
 */
export function keptTensors(rw) {
  const draws = new Draws(1);
  const q = draws.tensor(2, 3, 8);
  const handles = dtypes.map((dtype) => rw.resident(draws.tensor(2, 5, 8), { dtype }));
  const caches = dtypes.map((dtype) => {
    const cache = rw.createCache({ keyHeads: 2, dim: 8, capacity: 9, dtype });
    cache.append(draws.tensor(2, 5, 8), draws.tensor(2, 5, 8));
    return cache;
  });
  return () => [
    ...handles.map((handle) => rw.attention(q, handle, handle)),
    ...caches.map((cache) => rw.attention(q, cache)),
  ];
}
