/** Laws of caches: where keys and values are, and when they were written, changes no result. */
import { difference } from '../compare.mjs';
import { drawnProblem } from '../problem.mjs';
import { byDistance } from '../schemes.mjs';

const dtypes = ['float32', 'float16', 'int8'];
/** Keys in fewer bits are not rotated, and resident ones have no past. */
const wanted = { schemes: byDistance, never: ['past'] };

/** Keys and values resident by `resident`, for as long as `use` takes. */
async function held(resident, { k, v }, dtype, use) {
  const kept = await Promise.all([k, v].map((tensor) => resident(tensor, { dtype })));
  try {
    return await use(kept);
  } finally {
    for (const each of kept) each.dispose();
  }
}

function floats({ draws, most, attend, cache }) {
  const problem = drawnProblem(draws, most, wanted);
  const expected = attend(problem);
  return held(cache.resident, problem, 'float32', (kept) =>
    difference(cache.attention(problem.q, ...kept, problem.settings), expected),
  );
}

function pooled({ draws, most, attempt, cache, cachePool }) {
  const problem = drawnProblem(draws, draws.chance(1, 8) ? 8 * most : most, wanted);
  const dtype = draws.pick(dtypes);
  const { q, settings } = problem;
  return held(cache.resident, problem, dtype, (own) => {
    const expected = attempt(() => cache.attention(q, ...own, settings));
    return held(cachePool.resident, problem, dtype, async (spread) =>
      difference(await cachePool.attention(q, ...spread, settings), expected),
    );
  });
}

function writtenLater({ draws, most, attempt, cache, cachePool }) {
  const problem = drawnProblem(draws, most, wanted);
  const dtype = draws.pick(dtypes);
  const { q, k, settings } = problem;
  const empty = (tensor) => ({ data: new Float32Array(tensor.data.length), shape: tensor.shape });
  const zeros = { k: empty(k), v: empty(problem.v) };
  const edge = draws.below(k.shape.slice(0, -1).reduce((a, b) => a * b) + 1); // of rows
  const write = (kept) =>
    Promise.all(
      [k, problem.v].flatMap(({ data, shape }, i) => {
        const at = edge * shape.at(-1);
        return [kept[i].set(data.subarray(at), at), kept[i].set(data.subarray(0, at))];
      }),
    );
  const expected = () =>
    held(cache.resident, problem, dtype, (kept) =>
      attempt(() => cache.attention(q, ...kept, settings)),
    );
  const instance = draws.chance(1, 2) ? cache : cachePool;
  return held(instance.resident, zeros, dtype, async (kept) => {
    const written = write(kept);
    const result = await instance.attention(q, ...kept, settings);
    await written;
    return difference(result, await expected());
  });
}

export const caches = {
  'a cache of floats gives the bits of an instance': floats,
  'a pool of a cache gives its bits in every dtype': pooled,
  'rows that are written later are those written at once': writtenLater,
};
