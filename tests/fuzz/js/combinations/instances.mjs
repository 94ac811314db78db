/**
 * The three kinds of instance, by one interface: `attend(problem)` and `differentiate(problem)`. Each
 * call gets new copies of what it may write to.
 */
import {
  createCache,
  createCachePool,
  createContent,
  createPool,
  createRopewalk,
  createTraining,
} from '../../../package/installed.mjs';
import {
  attentionSchema,
  gradientPositionSchemas,
  gradientSchema,
  positionSchemas,
  scalingSchemas,
} from './stopgap_schemas.mjs';

export const schemas = {
  attention: attentionSchema,
  positions: positionSchemas,
  gradients: gradientSchema,
  gradientPositions: gradientPositionSchemas,
  scalings: scalingSchemas,
};

const content = new Set(['path', 'wall', 'grape-a', 'grape-ap', 'row-gates', 'stick-breaking']);

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
async function withKept(resident, problem, use) {
  const kept = { ...problem };
  const handles = [];
  try {
    for (const [name, dtype] of Object.entries(problem.kept)) {
      kept[name] = await resident(problem[name], dtype);
      handles.push(kept[name]);
      if (kept[name].dtype !== dtype)
        throw new Error(`resident keeps ${kept[name].dtype} where dtype is ${dtype}`);
    }
    return await use(kept);
  } finally {
    for (const handle of handles) handle.dispose();
  }
}

/** @param {{ simd: string }} options */
export async function startInstances(options) {
  const [main, cache, contents, training, plain, cachePool] = await Promise.all([
    createRopewalk(options),
    createCache(options),
    createContent(options),
    createTraining(options),
    createPool({ ...options, size: 2 }),
    createCachePool({ ...options, size: 2 }),
  ]);

  /** The entry that has what a problem asks for. */
  function entryOf({ instance, entry, kept, settings }) {
    const type = settings.position?.type;
    const isPool = instance === 'pool';
    if (content.has(type)) return contents;
    if (Object.keys(kept).length > 0) {
      if (isPool) return cachePool;
      return entry === 0 ? main : cache;
    }
    if (isPool) return plain;
    return [main, contents, cache][entry];
  }

  return {
    async attend(problem) {
      const { own, progress } = settingsOf(problem);
      const entry = entryOf(problem);
      const resident = (tensor, dtype) => entry.resident(tensor, { dtype });
      const use = ({ q, k, v }) => entry.attention(q, k, v, own);
      const isPlain = entry === contents || Object.keys(problem.kept).length === 0;
      const result = isPlain ? await use(problem) : await withKept(resident, problem, use);
      return { result, into: own.into, progress };
    },
    differentiate({ q, k, v, dOutput, settings }) {
      return training.attentionBackward(q, k, v, dOutput, settings);
    },
    async close() {
      await Promise.all([plain.close(), cachePool.close()]);
    },
  };
}
