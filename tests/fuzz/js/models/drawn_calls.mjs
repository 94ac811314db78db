/** Draws how a model is read: the options of its methods, from the package's schemas. */
import { inside } from '../../../package/installed.mjs';
import { scalingDrawer } from '../combinations/drawers.mjs';
import { schemas } from '../combinations/instances.mjs';
import { drawOptions, extentsOf } from '../combinations/schema_draws.mjs';

const { changeSchema } = await inside('model/positions');
const { generateSchema, readSchema } = await inside('model/model');
const { mapSchema, mapTypes } = await inside('rotary/position_maps');

const drawScaling = scalingDrawer(schemas.scalings);

/** Options by name; what a drawer leaves undefined is left out. */
const changes = {
  frequencies(draws, { headWidth }) {
    if (draws.chance(1, 4)) return 'none';
    const dim = 2 * (1 + draws.below(Math.max(1, Math.floor(headWidth / 2))));
    const settings = { dim, base: draws.pick([100, 10_000, 500_000]) };
    if (draws.chance(1, 2)) return settings;
    return { ...settings, scaling: drawScaling(draws, { dim, own: () => 1 + draws.below(6) }) };
  },
  layout: (draws) => draws.pick(['half-split', 'interleaved']),
  map(draws) {
    const type = draws.pick(['none', ...mapTypes.slice(1)]);
    if (type === 'none') return 'none';
    const options = drawOptions(draws, mapSchema(type), extentsOf(draws, {}), {});
    if (options.localWindow >= options.chunkSize)
      options.chunkSize = options.localWindow + 1 + draws.below(6);
    return { type, ...options };
  },
  slopes: (draws, { heads }) =>
    draws.chance(1, 3) ? 'none' : Array.from(draws.floats(heads), (x) => Math.abs(x) / 4),
  lookback: (draws) => (draws.chance(1, 4) ? 'all' : draws.below(12)),
  rowScale: (draws) => (draws.chance(1, 3) ? 'none' : 0.5 + Math.abs(draws.float())),
  input: (draws) => draws.chance(1, 2),
};

const readers = {
  position: drawnPosition,
  positions(draws, { length }) {
    let place = draws.below(20);
    return Array.from({ length }, () => (place += 1 + Number(draws.chance(1, 4))) - 1);
  },
  chunk: (draws, { length }) => 1 + draws.below(length),
};

const writers = {
  maxTokens: (draws) => draws.below(12),
  temperature: (draws) => draws.pick([0, 0.5, 1, 3]),
  topP: (draws) => draws.pick([0.1, 0.9, 1]),
  seed: (draws) => draws.below(2 ** 31),
  stop: (draws, { vocabulary }) => [draws.below(vocabulary)],
  firstPosition: (draws) => draws.below(20),
  position: drawnPosition,
  signal: () => undefined,
};

/** Every option of the package's schemas has a drawer here. */
export function requireCoverage() {
  for (const [what, schema, drawers] of [
    ['position', changeSchema, changes],
    ['read', readSchema, readers],
    ['generate', generateSchema, writers],
  ])
    for (const name of Object.keys(schema))
      if (!(name in drawers)) throw new Error(`no drawer of the ${what} option ${name}`);
}

const drawn = (draws, drawers, sizes, rare) =>
  Object.fromEntries(
    Object.entries(drawers)
      .filter(() => draws.chance(1, rare))
      .map(([name, draw]) => [name, draw(draws, sizes)])
      .filter(([, value]) => value !== undefined),
  );

/** A change of all layers, or one of each. */
function drawnPosition(draws, sizes) {
  const one = () => drawn(draws, changes, sizes, 4);
  return draws.chance(1, 2) ? one() : Array.from({ length: sizes.layers }, one);
}

/** @param {{ position?: any }} options */
const countsTokens = ({ position = {} }) =>
  [position].flat().some(({ map, slopes }) => [map, slopes].some((one) => one && one !== 'none'));

/**
 * Draws a text and how it is read and continued. Changes are data: see `realized`.
 * @param {any} options of the decoder
 * @param {boolean} hasOwnSlopes whether the model itself has ALiBi
 */
export function drawnCall(draws, options, hasOwnSlopes) {
  const { vocabulary, heads, layers, width, headWidth = width / heads } = options;
  const length = 2 + draws.below(draws.chance(1, 8) ? 60 : 14);
  const sizes = { vocabulary, heads, layers, headWidth, length };
  const reading = drawn(draws, readers, sizes, 2);
  const writing = drawn(draws, writers, sizes, 2);
  // Maps and slopes count tokens from 0.
  if (hasOwnSlopes || countsTokens(reading)) delete reading.positions;
  if (hasOwnSlopes || countsTokens(writing)) delete writing.firstPosition;
  const tokens = Array.from({ length }, () => draws.below(vocabulary));
  return { tokens, reading, writing, layer: draws.below(layers) };
}

/** Frequencies of drawn settings; without their scaling where that does not fit so few pairs. */
function frequenciesOf(rw, { scaling, ...settings }) {
  try {
    return rw.rotaryFrequencies({ ...settings, ...(scaling && { scaling }) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return rw.rotaryFrequencies(settings);
  }
}

/** The change of one layer as a call takes it. */
function realizedChange(rw, { frequencies, rowScale, ...change }) {
  return {
    ...change,
    ...(frequencies && {
      frequencies: frequencies === 'none' ? frequencies : frequenciesOf(rw, frequencies),
    }),
    ...(rowScale && {
      rowScale: rowScale === 'none' ? rowScale : (place) => rowScale + place / 50,
    }),
  };
}

/** The options of a call: frequencies are computed, factors become a function. */
export function realized(rw, { position, ...options }) {
  if (position === undefined) return options;
  const change = Array.isArray(position)
    ? position.map((one) => realizedChange(rw, one))
    : realizedChange(rw, position);
  return { ...options, position: change };
}
