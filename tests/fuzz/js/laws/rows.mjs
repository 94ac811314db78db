/** Laws of rows: each query of each head and batch is attended by itself. */
import { boundOf, difference } from '../compare.mjs';
import {
  alignmentOf,
  at,
  changed,
  drawnProblem,
  pastSplit,
  resultAt,
  sizesOf,
  whole,
  without,
} from '../problem.mjs';
import { notRotatedTwice } from '../schemes.mjs';
import { filled, range } from '../tensors.mjs';
import { axesOf, distanceTypes } from '../../../package/distance_biases.mjs';

const rotated = (draws, count) => {
  const first = draws.below(count);
  return range(0, count).map((i) => (i + first) % count);
};

/** Key heads in another order, and the heads of each group too. */
function groupsMoved(draws, { heads, keyHeads }) {
  const group = heads / keyHeads;
  return rotated(draws, keyHeads).flatMap((keyHead) =>
    rotated(draws, group).map((i) => keyHead * group + i),
  );
}

/** Biases that the number of a head decides: no option has a value per head. */
const countsHeads = ({ type, ...options }) =>
  distanceTypes.includes(type) &&
  !Object.keys(options).some((name) => axesOf(type, name).includes('heads'));

/** The key at which query 0 stands. */
function firstKeyOf(problem) {
  const { past, keys, queries } = sizesOf(problem);
  const alignment = alignmentOf(problem.settings);
  return alignment === 'top-left' ? 0 : alignment === 'bottom-right' ? keys - queries : past;
}

export const rows = {
  'a constant added to the scores of a row moves no weight': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most, { never: ['intermediates'] });
    const { sinks } = problem.settings;
    const { heads, queries, keys } = sizesOf(problem);
    const bias = whole(problem, problem.settings.bias ?? filled([1], 0));
    const [head, row, by] = [
      draws.below(heads),
      draws.below(queries),
      draws.float() * draws.pick([1, 20, 200]),
    ];
    // A sink is a score of every row of its head.
    const isMoved = (i) =>
      Math.floor(i / (keys * queries)) % heads === head &&
      (sinks || Math.floor(i / keys) % queries === row);
    const moved = changed(problem, {
      bias: { ...bias, data: bias.data.map((value, i) => (isMoved(i) ? value + by : value)) },
      ...(sinks && {
        sinks: Float32Array.from(sinks, (sink, i) => (i === head ? sink + by : sink)),
      }),
    });
    // Its sum of exponentials moves with it.
    const { output } = attend(problem);
    return difference(again(moved), { output }, boundOf(moved));
  },

  'batches may change places': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most);
    const order = rotated(draws, sizesOf(problem).batch);
    return difference(
      again(at(problem, 'batch', order)),
      resultAt(attend(problem), 'batch', order),
    );
  },

  'positions per batch are those of each batch alone': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most, { schemes: ['rope'] });
    const { position } = problem.settings;
    const { batch, queries, keys } = sizesOf(problem);
    const list = (length) => Float64Array.from({ length }, () => draws.below(3000) / 4);
    const both = draws.chance(1, 2);
    const lists = {
      positions: list(batch * queries),
      keyPositions: list(both ? batch * keys : keys),
    };
    const all = attend(changed(problem, { position: { ...position, ...lists } }));
    for (const b of range(0, batch)) {
      const own = (name, length) =>
        lists[name].length === length
          ? lists[name]
          : lists[name].slice(b * length, (b + 1) * length);
      const alone = changed(at(problem, 'batch', [b]), {
        position: {
          ...position,
          positions: own('positions', queries),
          keyPositions: own('keyPositions', keys),
        },
      });
      const text = difference(resultAt(all, 'batch', [b]), again(alone), boundOf(alone));
      if (text) return text;
    }
  },

  'heads may change places': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most);
    if (countsHeads(problem.settings.position)) return undefined;
    const order = groupsMoved(draws, sizesOf(problem));
    return difference(
      again(at(problem, 'heads', order)),
      resultAt(attend(problem), 'heads', order),
    );
  },

  'the last queries alone are the last rows': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most, { band: () => ({ causal: 'bottom-right' }) });
    const { queries } = sizesOf(problem);
    const last = range(draws.below(queries), queries);
    return difference(
      again(at(problem, 'queries', last)),
      resultAt(attend(problem), 'queries', last),
      boundOf(problem),
    );
  },

  'decoding with a cache gives the rows of the whole sequence': ({
    draws,
    most,
    attend,
    again,
  }) => {
    const wanted = { never: ['keyLengths', 'past'], band: () => ({ causal: 'bottom-right' }) };
    const problem = drawnProblem(draws, most, wanted);
    const { batch, keys, queries } = sizesOf(problem);
    const row = draws.below(queries);
    const real = keys - queries + row + 1;
    if (real < 1) return undefined;
    const one = changed(at(problem, 'queries', [row]), { keyLengths: Array(batch).fill(real) });
    const expected = resultAt(attend(problem), 'queries', [row]);
    return difference(again(one), expected, boundOf(problem));
  },

  'queries in two calls are the queries in one': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most, {
      schemes: notRotatedTwice,
      never: ['past', 'keyLengths'],
    });
    const { queries, keys } = sizesOf(problem);
    const expected = attend(problem);
    const bounds = [0, 1 + draws.below(queries), queries];
    const { window } = problem.settings;
    for (const part of [0, 1]) {
      const own = range(bounds[part], bounds[part + 1]);
      const first = firstKeyOf(problem) + bounds[part];
      if (own.length === 0 || first < 1 || first >= keys) continue;
      // A past says where the first of some queries stands.
      const alone = changed(pastSplit(at(problem, 'queries', own), first), {
        ...(problem.settings.causal && { causal: 'after-past' }),
        ...(window && { window: { ...window, align: 'after-past' } }),
      });
      const fault = difference(again(alone), resultAt(expected, 'queries', own), boundOf(problem));
      if (fault) return `queries ${own[0]} to ${own.at(-1)}: ${fault}`;
    }
    return undefined;
  },

  'a factor per row is a factor of its query': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most, { always: ['rowScale'] });
    const { rowScale } = problem.settings;
    const { queries, dim } = sizesOf(problem);
    const q = {
      ...problem.q,
      data: problem.q.data.map((value, i) => value * rowScale[Math.floor(i / dim) % queries]),
    };
    return difference(
      again({ ...without(problem, 'rowScale'), q }),
      attend(problem),
      boundOf(problem),
    );
  },
};
