/** Calls of `ropewalk/cache` for the fuzzer: keys and values resident in any dtype, and what is done with them. */
import { Draws } from './random.mjs';
import { attentionCall } from './attention_shapes.mjs';

const dtypes = ['float32', 'float16', 'int8'];

/** Runs `use`, then disposes of what it kept, twice; a handle works no longer. */
function withHandles(use) {
  const kept = [];
  try {
    return use((handle) => (kept.push(handle), handle));
  } finally {
    for (const handle of kept) {
      handle.dispose();
      handle.dispose();
    }
    for (const handle of kept) requireDisposed(handle);
  }
}

function requireDisposed(handle) {
  try {
    handle.set(new Float32Array(0));
  } catch (error) {
    if (error.message === 'the tensor was disposed') return;
    throw error;
  }
  throw new Error('a disposed tensor was written');
}

/** Returns a tensor, resident where a dtype is given for it. */
const placed = (cache, keep, tensor, dtype) =>
  dtype === undefined ? tensor : keep(cache.resident(tensor, { dtype }));

/** Functions of an instance that has a cache, as if they were its own. */
export const cacheFunctions = {
  cacheResident:
    ({ cache }) =>
    (tensor, settings) =>
      cache.resident(tensor, settings),

  /** Writes rows into a resident tensor, then reads it back as keys and values of one query. */
  cacheSet:
    ({ cache }) =>
    (tensor, settings, data, at) =>
      withHandles((keep) => {
        const kept = keep(cache.resident(tensor, settings));
        kept.set(data, at);
        if (kept.shape.length < 2) return kept.shape;
        const shape = kept.shape.with(-2, 1);
        const q = { data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape };
        return cache.attention(q, kept, kept);
      }),

  cacheAttention:
    ({ cache }) =>
    (q, k, v, settings, dtype) =>
      withHandles((keep) =>
        cache.attention(
          placed(cache, keep, q, dtype?.q),
          placed(cache, keep, k, dtype?.k),
          placed(cache, keep, v, dtype?.v),
          settings,
        ),
      ),
};

const tensorAndDtype = (draws) => [
  draws.tensor(1 + draws.below(3), 1 + draws.below(9), 1 + draws.below(20)),
  draws.chance(1, 4) ? {} : { dtype: draws.pick(dtypes) },
];

/** Valid calls of them. */
export const cacheCalls = {
  cacheResident: tensorAndDtype,
  cacheSet(draws) {
    const [tensor, settings] = tensorAndDtype(draws);
    const [blocks, length, width] = tensor.shape;
    const first = draws.below(blocks * length);
    const rows = 1 + draws.below(blocks * length - first);
    return [tensor, settings, draws.floats(rows * width), first * width];
  },
  cacheAttention: (draws) => [
    ...attentionCall(draws),
    {
      ...(draws.chance(1, 4) && { q: 'float32' }),
      ...(draws.chance(3, 4) && { k: draws.pick(dtypes) }),
      ...(draws.chance(3, 4) && { v: draws.pick(dtypes) }),
    },
  ],
};

/** Names in error messages besides those of options. */
export const cacheMessageNames = {
  cacheResident: ['resident options'],
  cacheSet: ['resident options', 'q', 'k', 'v'],
  cacheAttention: ['resident options', 'tensor', 'heads', 'queries', 'keys', 'dim'],
};

/**
 * Keeps tensors in each dtype for as long as the cache lives. Returns a function that gives the
 * results of attention over them: the same each time, unless something wrote over them.
 */
export function keptTensors(cache) {
  const draws = new Draws(1);
  const q = draws.tensor(2, 3, 8);
  const handles = dtypes.map((dtype) => cache.resident(draws.tensor(2, 5, 8), { dtype }));
  return () => handles.map((handle) => cache.attention(q, handle, handle));
}
