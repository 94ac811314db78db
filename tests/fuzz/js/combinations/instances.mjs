/**
 * The three kinds of instance, by one interface: `attend(problem)` and `differentiate(problem)`. Each
 * call gets new copies of what it may write to.
 */
import { createPool, createRopewalk, createTraining, inside } from '../../../package/installed.mjs';
import { appended, evictionOf } from './caches.mjs';

const [
  { attentionSchema },
  { positionSchemas },
  { configuredSchemas },
  { scalingSchemas },
  gradients,
] = await Promise.all(
  [
    'attention/attention',
    'attention/position',
    'attention/configured',
    'rotary/schemes',
    'training/gradients',
  ].map(inside),
);

/** @type {import('./problem.mjs').Schemas} */
export const schemas = {
  attention: attentionSchema,
  positions: positionSchemas,
  configured: configuredSchemas,
  gradients: Object.fromEntries(
    Object.entries(attentionSchema).filter(([name]) => !gradients.forwardOnly.includes(name)),
  ),
  gradientPositions: { ...positionSchemas, ...gradients.ownPositionSchemas },
  scalings: scalingSchemas,
};

/** Settings of one call: `into` is new, and `progress` collects what onProgress is called with. */
function settingsOf({ settings }) {
  const progress = [];
  const own = { ...settings };
  if (settings.into instanceof Float32Array)
    own.into = new Float32Array(settings.into.length).fill(NaN);
  if (settings.onProgress === true) own.onProgress = (...numbers) => progress.push(numbers);
  return { own, progress };
}

/** Keeps operands in an instance for as long as `use` takes. */
async function withKept(rw, problem, use) {
  const kept = { ...problem };
  const handles = [];
  try {
    for (const [name, dtype] of Object.entries(problem.kept)) {
      kept[name] = rw.resident(problem[name], { dtype });
      handles.push(kept[name]);
      if (kept[name].dtype !== dtype)
        throw new Error(`resident keeps ${kept[name].dtype} where dtype is ${dtype}`);
    }
    return await use(kept);
  } finally {
    for (const handle of handles) handle.dispose();
  }
}

/** Makes the cache of a problem, and calls attention over it. */
function attendCached(rw, { q, k, v, cache }, settings) {
  const { position, ...others } = settings;
  const [batch, keyHeads, rows, dim] = k.shape;
  const made = rw.createCache({
    batch,
    keyHeads,
    dim,
    valueDim: v.shape[3],
    capacity: rows + cache.spare,
    dtype: cache.dtype,
    ...(cache.isOwn && { position }),
  });
  try {
    let first = 0;
    for (const piece of cache.pieces) {
      const { count, isByToken } = piece;
      made.append(appended(k, first, count, isByToken), appended(v, first, count, isByToken));
      first += count;
      const eviction = evictionOf(piece, made.length);
      if (eviction) made.evict(eviction.first, eviction.pastEnd, { renumber: eviction.renumber });
    }
    return rw.attention(q, made, cache.isOwn ? others : settings);
  } finally {
    made.dispose();
  }
}

/** @param {{ simd: string }} options */
export async function startInstances(options) {
  const [inference, training, pool] = await Promise.all([
    createRopewalk(options),
    createTraining(options),
    createPool({ ...options, size: 2 }),
  ]);
  const instances = { inference, training, pool };
  return {
    all: instances,
    async attend(problem) {
      const { own, progress } = settingsOf(problem);
      const rw = instances[problem.instance];
      if (problem.cache)
        return { result: attendCached(rw, problem, own), into: own.into, progress };
      const use = ({ q, k, v }) => rw.attention(q, k, v, own);
      const hasKept = Object.keys(problem.kept).length > 0;
      const result = hasKept ? await withKept(rw, problem, use) : await use(problem);
      return { result, into: own.into, progress };
    },
    differentiate({ q, k, v, dOutput, settings }) {
      return training.attentionBackward(q, k, v, dOutput, settings);
    },
  };
}
