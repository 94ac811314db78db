/** Laws of silence: a key of weight zero has no say, whatever stands in it. */
import { difference } from '../compare.mjs';
import { changed, drawnProblem, sizesOf, whole, without } from '../problem.mjs';
import { filled } from '../tensors.mjs';

const poisons = [NaN, Infinity, -Infinity];

/** Rows of `tensor`, [batch, heads, keys, dim], that hold nothing but numbers that are not finite. */
function poisoned(tensor, draws, isSilent) {
  const { data, shape } = structuredClone(tensor);
  const [, heads, keys, dim] = shape;
  for (let row = 0; row < data.length / dim; row++) {
    const place = [Math.floor(row / keys / heads), Math.floor(row / keys) % heads, row % keys];
    if (isSilent(...place) && draws.chance(2, 3))
      data.fill(draws.pick(poisons), row * dim, (row + 1) * dim);
  }
  return { data, shape };
}

/** (batch, key head, key) → whether no query of any head that shares it gives it any weight. */
function unweighted({ weights }, keyHeads) {
  const [, heads, queries, keys] = weights.shape;
  const group = heads / keyHeads;
  return (batch, keyHead, key) => {
    for (let head = keyHead * group; head < (keyHead + 1) * group; head++) {
      for (let row = 0; row < queries; row++) {
        const weight = weights.data[((batch * heads + head) * queries + row) * keys + key];
        if (weight !== 0) return false;
      }
    }
    return true;
  };
}

/** Weights that underflow, in keys and sinks that stand far above the others. */
function towering(problem, draws) {
  const { keys, heads } = sizesOf(problem);
  const bias = whole(problem, problem.settings.bias ?? filled([1], 0));
  const tower = draws.below(keys);
  const height = draws.pick([110, 200, 1000, 1e4, 1e30]);
  const isSink = draws.chance(1, 4);
  const data = bias.data.map((value, i) =>
    !isSink && i % keys === tower ? value + height : value,
  );
  return changed(problem, {
    bias: { ...bias, data },
    ...(isSink && { sinks: new Float32Array(heads).fill(height) }),
  });
}

/** The values at keys of weight zero made NaN or infinite: with the steps, and without. */
function values(problem, { draws, attend, again }) {
  const watched = changed(problem, { intermediates: ['weights', 'logSumExp'] });
  const quiet = attend(watched);
  const isSilent = unweighted(quiet, sizesOf(problem).keyHeads);
  const loud = { ...watched, v: poisoned(problem.v, draws, isSilent) };
  const fault = difference(again(loud), quiet);
  if (fault) return `with its steps: ${fault}`;
  return difference(
    again(without(loud, 'intermediates')),
    again(without(watched, 'intermediates')),
  );
}

/** Enough keys for several blocks. */
const manyKeys = (draws, most) => draws.pick([most, 40 * most]);

export const silence = {
  'a value of weight zero is not read': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, manyKeys(draws, most), { never: ['past', 'fullyMasked'] });
    return values(problem, { draws, attend, again });
  },

  'a value whose weight underflows is not read': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, manyKeys(draws, most), { never: ['past', 'fullyMasked'] });
    return values(towering(problem, draws), { draws, attend, again });
  },

  'a value that a later key outweighs is not read': ({ draws, most, attend, again }) => {
    const heads = 1 + draws.below(2);
    const [queries, keys, dim] = [
      1 + draws.below(30),
      2 + draws.below(40 * most),
      1 + draws.below(8),
    ];
    const shape = (rows) => [1, heads, rows, dim];
    const k = filled(shape(keys), 0);
    const tower = draws.below(keys);
    for (let head = 0; head < heads; head++)
      k.data.fill(
        draws.pick([200, 2000]),
        (head * keys + tower) * dim,
        (head * keys + tower + 1) * dim,
      );
    return values(
      { q: filled(shape(queries), 1), k, v: draws.tensor(...shape(keys)), settings: {} },
      { draws, attend, again },
    );
  },

  'a key that a mask hides is not read': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, manyKeys(draws, most), {
      always: ['mask'],
      never: ['past', 'fullyMasked', 'intermediates'],
    });
    const { mask } = problem.settings;
    const { batch, heads, keyHeads, queries, keys } = sizesOf(problem);
    const { data } = whole(problem, { ...mask, data: Uint8Array.from(mask.data, Number) });
    const hidden = {
      data: Float32Array.from(data, (value) =>
        Number(Boolean(value) === (mask.whenTrue === 'attend')),
      ),
      shape: [batch, heads, queries, keys],
    };
    const isSilent = unweighted({ weights: hidden }, keyHeads);
    const loud = {
      ...problem,
      k: poisoned(problem.k, draws, isSilent),
      v: poisoned(problem.v, draws, isSilent),
    };
    return (
      difference(again(loud), attend(problem)) ??
      difference(
        again(changed(loud, { intermediates: ['weights'] })),
        again(changed(problem, { intermediates: ['weights'] })),
      )
    );
  },

  'a NaN reaches the rows that see it, and no other': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, manyKeys(draws, most), {
      never: ['past', 'fullyMasked', 'intermediates'],
    });
    const { batch, keyHeads, heads, queries, keys, valueDim } = sizesOf(problem);
    const { weights, output } = attend(changed(problem, { intermediates: ['weights'] }));
    const plain = again(problem);
    const [b, head, key] = [draws.below(batch), draws.below(keyHeads), draws.below(keys)];
    const v = poisoned(
      problem.v,
      { chance: () => true, pick: () => NaN },
      (...place) => String(place) === String([b, head, key]),
    );
    for (const [wanted, quiet] of [
      [['weights'], output],
      [[], plain.output],
    ]) {
      const { output: loud } = again(changed({ ...problem, v }, { intermediates: wanted }));
      for (let i = 0; i < loud.data.length; i++) {
        const row = Math.floor(i / valueDim);
        const [ownBatch, ownHead] = [
          Math.floor(row / queries / heads),
          Math.floor(row / queries) % heads,
        ];
        const sees =
          ownBatch === b &&
          Math.floor((ownHead * keyHeads) / heads) === head &&
          weights.data[row * keys + key] > 0;
        const expected = sees ? NaN : quiet.data[i];
        // A weight of the tiled path may underflow where that of the other does not.
        const isFaint = sees && weights.data[row * keys + key] < 1e-30;
        if (!isFaint && !Object.is(loud.data[i], expected) && loud.data[i] !== expected) {
          return `output[${row}, ${i % valueDim}] is ${loud.data[i]}, expected ${expected}, key ${key}, return [${wanted}]`;
        }
      }
    }
    return undefined;
  },
};
