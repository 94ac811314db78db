/** Makes one option of a valid call invalid, by what its schema says. */

const strange = (draws) =>
  draws.pick(['text', null, { length: -1 }, Symbol.iterator, 3n, [[]], 1.5]);

/** Values that break a rule, by kind. */
const broken = {
  number: (draws, { least, isAbove }) =>
    draws.pick([
      NaN,
      Infinity,
      '1',
      null,
      [],
      ...(least === undefined ? [] : [least - 1]),
      ...(isAbove ? [least] : []),
    ]),
  whole: (draws, { least = 1 }) =>
    draws.pick([NaN, 1.5, least - 1, -3, 2 ** 31 + 1, '2', null, {}]),
  truth: (draws) => draws.pick(['true', 1, 0, null, {}]),
  choice: (draws) => draws.pick(['unknown', 17, null, {}, []]),
  numbers: (draws, { least, isAbove }, value) =>
    draws.pick([
      1,
      'text',
      null,
      [NaN],
      ['1'],
      {},
      [...(value ?? [1]), ...Array(97).fill(1)],
      ...(least === undefined ? [] : [[least - 1]]),
      ...(isAbove ? [[least]] : []),
    ]),
  positions: (draws) =>
    draws.pick([0, -1, 1.5, NaN, 2 ** 31, 'text', null, {}, [], [NaN], ['1'], { length: -1 }]),
  doubles: (draws, rule, value) =>
    broken.tensor(draws, rule, value ?? { data: new Float64Array(1), shape: [1] }),
  tensor(draws, { axes }, value) {
    // Of an extent that no argument has, also seven times.
    const { data, shape } = value ?? draws.tensor(101, 101);
    const larger = (axis) => ({
      data: new data.constructor(7 * data.length),
      shape: shape.with(axis, 7 * shape.at(axis)),
    });
    const isBound = (axis) => shape.length === axes?.length && boundAxes.has(axes.at(axis));
    return draws.pick([
      1,
      null,
      [1, 2],
      data,
      { data, shape: [...shape, 2] },
      { data: data.slice(1), shape },
      { data: Array.from(data), shape },
      { data, shape: shape.map((x) => -x) },
      ...[0, -1].filter(isBound).map(larger),
    ]);
  },
};

/** Axes whose extent is that of another argument. */
const boundAxes = new Set(['batch', 'heads', 'keyHeads', 'queries', 'keys', 'dim', 'valueDim']);

/**
 * Returns a problem with one broken option; `broken` is the name that an error must use.
 * @param {any} draws
 * @param {any} problem
 * @param {import('./problem.mjs').Schemas} schemas
 */
export function brokenProblem(draws, problem, schemas) {
  const { settings, isGradient } = problem;
  const ofCall = isGradient ? schemas.gradients : schemas.attention;
  const positions = isGradient ? schemas.gradientPositions : schemas.positions;
  const { position } = settings;
  const isPosition = position?.type && draws.chance(2, 3);
  const schema = isPosition ? positions[position.type] : ofCall;
  const place = isPosition ? position : settings;
  const names = Object.keys(schema).filter((name) => name !== 'type');
  if (names.length === 0 || draws.chance(1, 12)) {
    const unknown = { ...place, unknownOption: 1 };
    return changed(problem, isPosition, unknown, 'unknownOption');
  }
  const name = draws.pick(names);
  const { rule } = schema[name];
  const kind = rule && rule.kind in broken ? rule.kind : undefined;
  const value = kind === undefined ? strange(draws) : broken[kind](draws, rule, place[name]);
  return changed(problem, isPosition, { ...place, [name]: value }, name);
}

function changed(problem, isPosition, place, broken) {
  const settings = isPosition ? { ...problem.settings, position: place } : place;
  return { ...problem, settings, broken };
}
