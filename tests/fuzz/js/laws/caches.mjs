/** Laws of caches: where keys and values are, and when they were written, changes no result. */
import { difference } from '../compare.mjs';
import { drawnProblem } from '../problem.mjs';
import { distanceTypes } from '../../../package/distance_biases.mjs';

const dtypes = ['float32', 'float16', 'int8'];
/** Keys in fewer bits are not rotated, and a cache has no past and ends with its queries. */
const wanted = {
  schemes: distanceTypes,
  never: ['past'],
  band: (draws) => ({
    causal: 'bottom-right',
    ...(draws.chance(1, 3) && { window: { lookback: draws.below(9) } }),
  }),
};

/** Rows first … last − 1 of [batch, heads, rows, width]. */
function rowsOf({ data, shape }, first, last) {
  const [batch, heads, rows, width] = shape;
  const size = (last - first) * width;
  const own = new Float32Array(batch * heads * size);
  for (let h = 0; h < batch * heads; h++)
    own.set(data.subarray((h * rows + first) * width, (h * rows + last) * width), h * size);
  return { data: own, shape: [batch, heads, last - first, width] };
}

/** Attention over a cache of an instance or a pool, whose rows were appended up to these ends. */
async function attended(maker, { q, k, v, settings }, dtype, ends) {
  const [batch, keyHeads, count, dim] = k.shape;
  const size = { batch, keyHeads, dim, valueDim: v.shape[3], capacity: count + 3, dtype };
  const cache = await maker.createCache(size);
  try {
    const written = ends.map((end, i) =>
      cache.append(...[k, v].map((x) => rowsOf(x, ends[i - 1] ?? 0, end))),
    );
    const result = await maker.attention(q, cache, settings);
    await Promise.all(written);
    return result;
  } finally {
    cache.dispose();
  }
}

const fits = ({ q, k }) => q.shape[2] <= k.shape[2];

async function pieces({ draws, most, rw, pool }) {
  const problem = drawnProblem(draws, draws.chance(1, 8) ? 8 * most : most, wanted);
  if (!fits(problem)) return undefined;
  const [dtype, count] = [draws.pick(dtypes), problem.k.shape[2]];
  const edge = 1 + draws.below(count);
  const maker = draws.chance(1, 2) ? rw : pool;
  return difference(
    await attended(maker, problem, dtype, edge < count ? [edge, count] : [count]),
    await attended(rw, problem, dtype, [count]),
  );
}

async function floats({ draws, most, attend, rw }) {
  const problem = drawnProblem(draws, most, wanted);
  if (!fits(problem)) return undefined;
  const expected = attend(problem);
  return difference(await attended(rw, problem, 'float32', [problem.k.shape[2]]), expected);
}

export const caches = {
  'a cache of floats gives the bits of attention without it': floats,
  'tokens appended in pieces, in an instance or a pool, are those appended at once': pieces,
};
