/** Laws of keys: which of them there are says everything, not where they are stored. */
import { boundOf, difference } from '../compare.mjs';
import {
  at,
  changed,
  drawnProblem,
  pastJoined,
  resultAt,
  sizesOf,
  whole,
  withHiddenKeys,
} from '../problem.mjs';
import { notRotatedTwice } from '../schemes.mjs';
import { filled, picked, range } from '../tensors.mjs';

const anywhere = ['none', 'rope'];

/** Every key has a position of its own, wherever it is stored. */
function placed(problem, draws) {
  const { position } = problem.settings;
  if (position.type !== 'rope' || position.positions) return problem;
  const { queries, keys } = sizesOf(problem);
  const list = (count) => Float64Array.from({ length: count }, () => draws.below(3000));
  return changed(problem, {
    position: { ...position, positions: list(queries), keyPositions: list(keys) },
  });
}

const shuffled = (draws, count) => {
  const order = range(0, count);
  for (let i = count - 1; i > 0; i--) {
    const j = draws.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
};

/** Steps by which keys may move without another group or chunk. */
const stepOf = ({ groupSize = 1, chunkSize, localWindow }) =>
  chunkSize ? chunkSize - localWindow : groupSize;

export const keys = {
  'keys that are masked may be appended': ({ draws, most, attend, again }) => {
    // What aligns with the last key moves with it.
    const band = (some) => {
      const align = some.pick(['top-left', 'after-past']);
      return some.pick([{}, { causal: align }, { window: { size: 1 + some.below(9), align } }]);
    };
    const problem = drawnProblem(draws, most, {
      schemes: notRotatedTwice,
      never: ['keyLengths'],
      band,
    });
    const { keys: count } = sizesOf(problem);
    const more = withHiddenKeys(problem, draws, 1 + draws.below(most), false);
    const expected = attend(problem);
    return difference(resultAt(again(more), 'keys', range(0, count)), expected, boundOf(more));
  },

  'masked keys may stand before': ({ draws, most, attend, again }) => {
    const band = (some) =>
      some.pick([
        { causal: 'bottom-right' },
        { window: { lookback: some.below(9), lookahead: some.below(9) } },
        { causal: 'bottom-right', window: { size: 1 + some.below(9) } },
      ]);
    const problem = drawnProblem(draws, most, { never: ['keyLengths', 'past'], band });
    const before = stepOf(problem.settings.position) * (1 + draws.below(most));
    const { keys: count } = sizesOf(problem);
    const more = withHiddenKeys(problem, draws, before, true);
    const expected = attend(problem);
    return difference(
      resultAt(again(more), 'keys', range(before, before + count)),
      expected,
      boundOf(more),
    );
  },

  'keys may change places': ({ draws, most, attend, again }) => {
    const wanted = { schemes: anywhere, never: ['keyLengths', 'past', 'causal', 'window'] };
    const problem = placed(drawnProblem(draws, most, wanted), draws);
    const order = shuffled(draws, sizesOf(problem).keys);
    const expected = resultAt(attend(problem), 'keys', order);
    return difference(again(at(problem, 'keys', order)), expected, boundOf(problem));
  },

  'a key is two of the same that each weigh half': ({ draws, most, attend, again }) => {
    const wanted = {
      schemes: anywhere,
      never: ['keyLengths', 'past', 'causal', 'window', 'intermediates'],
    };
    const problem = placed(drawnProblem(draws, most, wanted), draws);
    const { keys: count } = sizesOf(problem);
    const key = draws.below(count);
    const twice = at(problem, 'keys', [...range(0, count), key]);
    const { data, shape } = whole(twice, twice.settings.bias ?? filled([1], 0));
    const half = Float32Array.from(data, (value, i) =>
      [key, count].includes(i % (count + 1)) ? value - Math.LN2 : value,
    );
    const halves = changed(twice, { bias: { data: half, shape }, intermediates: ['logSumExp'] });
    return difference(
      again(halves),
      attend(changed(problem, { intermediates: ['logSumExp'] })),
      boundOf(halves),
    );
  },

  'a past is keys before the others': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most, { always: ['past'], never: ['window'] });
    const { causal, position } = problem.settings;
    // With one of the others the past says where queries stand.
    const isPlaced =
      ['top-left', 'bottom-right'].includes(causal) || (!causal && position.type === 'none');
    const one = isPlaced ? problem : changed(problem, { causal: 'top-left' });
    return difference(again(pastJoined(one)), attend(one));
  },

  'key heads that are shared are key heads repeated': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most);
    const { heads, keyHeads } = sizesOf(problem);
    const repeated = (tensor) =>
      picked(
        tensor,
        1,
        range(0, heads).map((head) => Math.floor((head * keyHeads) / heads)),
      );
    const { past } = problem.settings;
    const both = { ...problem, k: repeated(problem.k), v: repeated(problem.v) };
    const apart = past
      ? changed(both, { past: { k: repeated(past.k), v: repeated(past.v) } })
      : both;
    // Heads that share keys are rows of one tile, whose sums round in another order.
    return difference(again(apart), attend(problem), boundOf(problem));
  },

  'a second copy of every key and value changes nothing': ({ draws, most, attend, again }) => {
    const wanted = {
      schemes: anywhere,
      never: ['keyLengths', 'past', 'causal', 'window', 'intermediates', 'sinks'],
    };
    const problem = placed(drawnProblem(draws, most, wanted), draws);
    const { keys: count } = sizesOf(problem);
    const twice = at(problem, 'keys', [...range(0, count), ...range(0, count)]);
    const { output } = attend(problem);
    return difference(again(twice), { output }, boundOf(twice));
  },
};
