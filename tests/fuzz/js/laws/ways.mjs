/** Laws of ways: the same question asked another way has the same answer. */
import { isDeepStrictEqual } from 'node:util';
import { api, called, importedNames } from '../api.mjs';
import { boundOf, difference, parts } from '../compare.mjs';
import { changed, drawnProblem, sizesOf, whole, without } from '../problem.mjs';
import { withoutCausal } from '../schemes.mjs';
import { distanceTypes, fullBias } from '../../../package/distance_biases.mjs';
import { filled } from '../tensors.mjs';
import { Draws } from '../random.mjs';

const alignments = ['top-left', 'bottom-right', 'after-past'];

/** Every subset of q, k and v, one of them drawn. */
function resident({ draws, most, attend, rw }) {
  const problem = drawnProblem(draws, most, { never: ['past'] });
  const expected = attend(problem);
  const which = 1 + draws.below(7);
  const kept = [problem.q, problem.k, problem.v].map((tensor, i) =>
    which & (1 << i) ? rw.resident(tensor) : tensor,
  );
  try {
    const first = rw.attention(...kept, problem.settings);
    // A call may not write to what stays.
    return (
      difference(first, expected) ?? difference(rw.attention(...kept, problem.settings), expected)
    );
  } finally {
    for (const tensor of kept) tensor.dispose?.();
  }
}

/** Large enough for several parts now and then. */
async function pooled({ draws, most, attend, pool }) {
  const problem = drawnProblem(draws, draws.chance(1, 8) ? 8 * most : most);
  const expected = attend(problem);
  const { q, k, v, settings } = problem;
  return difference(await pool.attention(q, k, v, settings), expected);
}

/** An intermediate does not depend on which others are requested. */
function returned({ draws, most, attend, again }) {
  const problem = drawnProblem(draws, most, { always: ['intermediates'] });
  const every = attend(changed(problem, { intermediates: parts.slice(1) }));
  const some = again(problem);
  const bare = again(without(problem, 'intermediates'));
  const bound = boundOf(problem);
  return difference(every, { ...some }, bound) ?? difference(some, bare, bound);
}

function maskAsBias({ draws, most, attend, again }) {
  const problem = drawnProblem(draws, most, { always: ['mask'] });
  const { mask, bias } = problem.settings;
  const hides = (value) => Boolean(value) === (mask.whenTrue === 'ignore');
  const cells = whole(problem, {
    data: Float32Array.from(mask.data, (value) => (hides(value) ? -Infinity : 0)),
    shape: mask.shape,
  });
  const terms = whole(problem, bias ?? filled([1], 0));
  const sum = {
    data: cells.data.map((value, i) => (value === 0 ? terms.data[i] : value)),
    shape: cells.shape,
  };
  return difference(
    again(changed(without(problem, 'mask'), { bias: sum })),
    attend(problem),
    bias ? undefined : boundOf(problem),
  );
}

function maskInverted({ draws, most, attend, again }) {
  const problem = drawnProblem(draws, most, { always: ['mask'] });
  const { data, shape, whenTrue: says } = problem.settings.mask;
  const mask = {
    data: Array.from(data, (value) => !value),
    shape,
    whenTrue: says === 'attend' ? 'ignore' : 'attend',
  };
  return difference(again(changed(problem, { mask })), attend(problem));
}

function windowBySize({ draws, most, attend, again }) {
  const [size, align] = [1 + draws.below(9), draws.pick(alignments)];
  const problem = drawnProblem(draws, most, { band: () => ({ window: { size, align } }) });
  const expected = attend(problem);
  return (
    difference(
      again(changed(problem, { window: { lookback: size - 1, lookahead: 0, align } })),
      expected,
    ) ??
    difference(again(changed(problem, { causal: align, window: { lookback: size - 1 } })), expected)
  );
}

function causalAsWindow({ draws, most, attend, again }) {
  const align = draws.pick(alignments);
  const wanted = { schemes: withoutCausal, band: () => ({ causal: align }) };
  const problem = drawnProblem(draws, most, wanted);
  return difference(
    again(changed(without(problem, 'causal'), { window: { lookahead: 0, align } })),
    attend(problem),
  );
}

function axesLeftOut({ draws, most, attend, rw }) {
  const problem = drawnProblem(draws, most, { never: ['past'] });
  const { batch, heads } = sizesOf(problem);
  const axes = batch === 1 ? (heads === 1 ? 2 : 1) : 0;
  const fewer = ({ data, shape }) => ({ data, shape: shape.slice(axes) });
  const expected = attend(problem);
  const result = rw.attention(
    fewer(problem.q),
    fewer(problem.k),
    fewer(problem.v),
    problem.settings,
  );
  return difference(
    result,
    Object.fromEntries(Object.entries(expected).map(([name, tensor]) => [name, fewer(tensor)])),
  );
}

function biasesOfDistance({ draws, most, attend, again, rw }) {
  const align = draws.pick(['top-left', 'bottom-right']);
  const wanted = {
    schemes: distanceTypes,
    never: ['keyLengths', 'past', 'bias'],
    band: () => ({ causal: align }),
  };
  const problem = drawnProblem(draws, most, wanted);
  const { heads, queries, keys } = sizesOf(problem);
  const first = align === 'top-left' ? 0 : keys - queries;
  const sizes = { heads, queries: Array.from({ length: queries }, (_, i) => first + i), keys };
  const bias = fullBias(rw, problem.settings.position, sizes);
  return difference(
    again(changed(problem, { bias, position: { type: 'none' } })),
    attend(problem),
    boundOf(problem),
  );
}

function rotatedBefore({ draws, most, attend, again, rw }) {
  const wanted = {
    schemes: ['rope'],
    never: ['keyLengths', 'past'],
    band: () => draws.pick([{}, { causal: 'top-left' }]),
  };
  const problem = drawnProblem(draws, most, wanted);
  const { position } = problem.settings;
  const { frequencies, layout, positions, keyPositions = positions } = position;
  const { queries, keys } = sizesOf(problem);
  const rotate = (x, at) =>
    rw.rotate({ data: x.data.slice(), shape: x.shape }, frequencies, { positions: at, layout });
  const rotated = {
    ...problem,
    q: rotate(problem.q, positions ?? queries),
    k: rotate(problem.k, keyPositions ?? keys),
  };
  return difference(
    again(changed(rotated, { position: { type: 'none' } })),
    attend(problem),
    boundOf(problem),
  );
}

/** Every function, except those that the instance and the pool do not share. */
async function everyFunction({ draws, rw, pool, attempt }) {
  const without = ['resident', 'createCache', ...importedNames];
  const name = draws.pick(Object.keys(api).filter((one) => !without.includes(one)));
  const seed = draws.bits();
  const args = () =>
    api[name](new Draws(seed)).map((argument) => {
      if (!Object.hasOwn(Object(argument), 'into')) return argument;
      const { into: _, ...others } = argument;
      return others;
    });
  const expected = attempt(() => called(rw, name, args()));
  const actual = await called(pool, name, args());
  return isDeepStrictEqual(actual, expected)
    ? undefined
    : `${name} of good call ${seed} differs in the pool`;
}

export const ways = {
  'resident tensors give the same bits': resident,
  'a pool gives the same bits': pooled,
  'a pool gives the same for every function': everyFunction,
  'what is returned beside the output changes nothing': returned,
  'a mask is a bias of minus infinity': maskAsBias,
  'a mask may say what to ignore': maskInverted,
  'a window of a size looks back, and not ahead': windowBySize,
  'a causal mask is a window that does not look ahead': causalAsWindow,
  'axes of one may be left out': axesLeftOut,
  'a distance bias in attention is the bias of its own function': biasesOfDistance,
  'rope in attention is rotation before it': rotatedBefore,
};
