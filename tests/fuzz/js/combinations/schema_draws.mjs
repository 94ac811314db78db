/** Draws options from what a schema says of them: kind, range, choices and axes. */

const raised = (free, least, isAbove) => least + (isAbove ? 0.125 : 0) + Math.abs(free);

const value = {
  number(draws, { least, isAbove }) {
    const free = Math.fround(draws.float());
    return least === undefined ? free : raised(free, least, isAbove);
  },
  whole(draws, { least = 1, most = least + 9 }) {
    return least + draws.below(Math.min(most - least, 9) + 1);
  },
  truth: (draws) => draws.chance(1, 2),
  choice: (draws, { choices }) => draws.pick(choices),
  numbers: (draws, { axes, least, isAbove }, extents) => {
    const free = draws.floats(count(shapeOf(axes, extents)));
    const list = least === undefined ? free : free.map((x) => raised(x, least, isAbove));
    return draws.chance(1, 2) ? list : Array.from(list);
  },
  tensor: (draws, { axes }, extents) =>
    shortened(draws, axes, draws.tensor(...shapeOf(axes, extents))),
  doubles(draws, { axes }, extents) {
    const { data, shape } = draws.tensor(...shapeOf(axes, extents));
    return shortened(draws, axes, { data: Float64Array.from(data), shape });
  },
};

const count = (shape) => shape.reduce((a, b) => a * b, 1);

/** Extents of axes: those of the call, and one of its own for each other name. */
function shapeOf(axes, extents) {
  return axes.map((axis) => {
    extents[axis] ??= extents.own() * (axis.startsWith('even ') ? 2 : 1);
    return extents[axis];
  });
}

/** Sometimes without leading axes of extent 1, where they are those of a call. */
function shortened(draws, axes, tensor) {
  if (axes[0] !== 'batch') return tensor;
  let { shape } = tensor;
  while (shape.length > 2 && shape[0] === 1 && draws.chance(1, 2)) shape = shape.slice(1);
  return { ...tensor, shape };
}

export const isDrawable = ({ rule }) =>
  rule !== undefined &&
  rule.kind in value &&
  (!['numbers', 'tensor', 'doubles'].includes(rule.kind) || Boolean(rule.axes));

/** The extents of a call's axes; other names get an extent when they first occur. */
export const extentsOf = (draws, sizes) => ({ ...sizes, own: () => 1 + draws.below(6) });

/**
 * Draws the options of a schema: every required one, and each other one in one of `rare` draws.
 * @param {any} draws
 * @param {Record<string, any>} schema
 * @param {any} extents
 * @param {Record<string, (draws: any, extents: any) => any>} own drawers of options that no rule describes
 * @param {number} rare
 */
export function drawOptions(draws, schema, extents, own, rare = 2) {
  const options = {};
  for (const [name, option] of Object.entries(schema)) {
    if (name === 'type') continue;
    if (!option.isRequired && !draws.chance(1, rare)) continue;
    const drawn =
      own[name]?.(draws, extents) ??
      (isDrawable(option) ? value[option.rule.kind](draws, option.rule, extents) : undefined);
    if (drawn !== undefined) options[name] = drawn;
  }
  return options;
}
