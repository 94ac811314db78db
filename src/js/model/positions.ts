/** The positions of each layer of a model, and what a caller puts in their place. */
import type { RotaryLayout } from '../rotary/rotary.js';
import { mapSchema, mapTypes, positionMap, type MapOptions } from '../rotary/position_maps.js';
import { oneOf } from '../runtime/checks.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { TrainingCore } from '../runtime/train_module.js';

/** Another relative position for far keys, see relativePositions(). */
export type MapChange = {
  [Type in Exclude<keyof MapOptions, 'rope'>]: { type: Type } & MapOptions[Type];
}[Exclude<keyof MapOptions, 'rope'>];

/** Position in one layer. */
export interface ModelLayerPosition {
  /** Radians per position, one per rotated pair. Absent: the layer does not rotate. */
  frequencies?: Float64Array;
  /** Base of the frequencies in training. Absent: the layer does not rotate. */
  base?: number;
  /** Multiplies cos and sin. Default 1. */
  attentionFactor?: number;
  /** Which values of a head are pairs. Default 'half-split'. */
  layout?: RotaryLayout;
  /** Another relative position for far keys. Default: none. */
  map?: MapChange;
  /** Slopes of ALiBi, one per head. Absent: none. */
  slopes?: Float64Array;
  /** Keys that a query sees before its own. Absent: all. */
  lookback?: number;
  /** One more factor on the scores of a place. Absent: none. */
  rowScale?: (place: number) => number;
}

const keyOf = (layers: readonly ModelLayerPosition[]) =>
  layers
    .map(({ frequencies = [], attentionFactor }) => `${[...frequencies]} ${attentionFactor}`)
    .join(';');

/**
 * The last length up to which a growing text has the positions that it has at `from`: `to` where
 * these do not change. A scheme that changed does not change back.
 */
export function lastLengthLike(
  positionsFor: (length: number) => readonly ModelLayerPosition[],
  from: number,
  to: number,
): number {
  const first = keyOf(positionsFor(from));
  const isLike = (length: number) => keyOf(positionsFor(length)) === first;
  if (to <= from || isLike(to)) return to;
  // Dynamic NTK changes at every length.
  if (!isLike(from + 1)) return from;
  let [before, after] = [from + 1, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isLike(middle)) before = middle;
    else after = middle;
  }
  return before;
}

/** What replaces the positions of a model; what is left out stays as the model has it. */
export interface PositionChange {
  /**
   * As rotaryFrequencies() of `ropewalk` returns them; 'none': no rotation. A change for all layers
   * leaves those without positions as they are, unless no layer of the model rotates.
   */
  frequencies?: { inverseFrequencies: ArrayLike<number>; attentionFactor?: number } | 'none';
  /** Which values of a head are pairs. */
  layout?: RotaryLayout;
  /** Another relative position for far keys; 'none': the plain one. */
  map?: MapChange | 'none';
  /** Slopes of ALiBi, one per head; 'none': no bias. */
  slopes?: ArrayLike<number> | 'none';
  /** Keys that a query sees before its own, or 'all'. */
  lookback?: number | 'all';
  /** One more factor on the scores of each place, such as log-n; 'none': no factor. */
  rowScale?: ((place: number) => number) | 'none';
  /** false: no rows of a learned table at the input. */
  input?: boolean;
}

export const changeSchema = {
  frequencies: option.given('frequencies'),
  layout: option.oneOf('half-split', 'interleaved').optional(),
  map: option.given('map'),
  slopes: option.given('slopes'),
  lookback: option.given('lookback'),
  rowScale: option.given('row scale'),
  input: option.truth.optional(),
} satisfies Schema<PositionChange>;

const frequencySchema = {
  inverseFrequencies: option.numbers,
  attentionFactor: option.positive.default(1),
};

/** Positions of all layers as the core takes them. */
export interface ModelPositions {
  layers: readonly ModelLayerPosition[];
  dropsInput: boolean;
}

/** @param takesFrequencies false: of a layer without positions among others that rotate */
function changed(
  own: ModelLayerPosition,
  change: PositionChange,
  takesFrequencies: boolean,
  at: string,
): ModelLayerPosition {
  const given = read('position', change, changeSchema, at);
  const result: ModelLayerPosition = { ...own };
  const clear = (...names: (keyof ModelLayerPosition)[]) => {
    for (const name of names) delete result[name];
  };
  if (given.frequencies === 'none') clear('frequencies', 'attentionFactor');
  else if (given.frequencies !== undefined && takesFrequencies) {
    const { inverseFrequencies, attentionFactor } = given.frequencies;
    const checked = read(
      `${at}frequencies`,
      { inverseFrequencies, attentionFactor },
      frequencySchema,
      `${at}frequencies.`,
    );
    result.frequencies = checked.inverseFrequencies;
    result.attentionFactor = checked.attentionFactor;
  }
  if (given.layout !== undefined) result.layout = given.layout;
  if (given.map === 'none') clear('map');
  else if (given.map !== undefined) result.map = given.map;
  if (given.slopes === 'none') clear('slopes');
  else if (given.slopes !== undefined)
    result.slopes = option.numbers.read(`${at}slopes`, given.slopes);
  if (given.lookback === 'all') clear('lookback');
  else if (given.lookback !== undefined)
    result.lookback = option.wholeFrom(0).read(`${at}lookback`, given.lookback);
  if (given.rowScale === 'none') clear('rowScale');
  else if (given.rowScale !== undefined) {
    if (typeof given.rowScale !== 'function')
      throw wrongKind(`${at}rowScale`, 'must be a function of the place', given.rowScale);
    result.rowScale = given.rowScale;
  }
  return result;
}

/**
 * The positions of a model after a change.
 * @param change one for all layers, or a list with one per layer
 * @throws TypeError, RangeError on a wrong option, naming it
 */
export function changedPositions(
  own: readonly ModelLayerPosition[],
  change: PositionChange | readonly PositionChange[] | undefined,
): ModelPositions {
  if (change === undefined) return { layers: own, dropsInput: false };
  const isList = Array.isArray(change);
  const list = (isList ? change : [change]) as readonly PositionChange[];
  if (isList && list.length !== own.length)
    throw wrongValue('position', `must have ${own.length} values, one per layer`, list.length);
  const at = (layer: number) => (isList ? `position[${layer}].` : 'position.');
  const rotates = own.some(({ frequencies }) => frequencies !== undefined);
  return {
    layers: own.map((layer, i) =>
      changed(
        layer,
        list[isList ? i : 0]!,
        isList || !rotates || layer.frequencies !== undefined,
        at(i),
      ),
    ),
    dropsInput: list.every(({ input }) => input === false),
  };
}

/** Sends positions to the core, with row factors for texts of so many tokens. */
export function givePositions(
  core: TrainingCore,
  model: number,
  { layers, dropsInput }: ModelPositions,
  capacity: number,
): void {
  const none = new Float64Array(0);
  const records: Float64Array[] = [];
  const lists: Float64Array[] = [];
  const factors: Float32Array[] = [];
  for (const { frequencies, attentionFactor, layout, map, slopes, lookback, rowScale } of layers) {
    const { type, ...options } = map ?? { type: 'rope' as const };
    const name = oneOf('position.map.type', type, mapTypes);
    const checked = read(
      'position.map',
      options as MapOptions[typeof name],
      mapSchema(name),
      'position.map.',
    );
    const { window, second } = positionMap(name, checked as MapOptions[typeof name]);
    const rows = rowScale
      ? Float32Array.from({ length: capacity }, (_, place) => rowScale(place))
      : new Float32Array(0);
    const wrong = rows.find((factor) => !Number.isFinite(factor));
    if (wrong !== undefined)
      throw wrongValue('position.rowScale', 'must return finite numbers', wrong);
    records.push(
      core.recordOf('given', {
        attentionFactor,
        layout: layout === 'interleaved' ? 0 : 1,
        map: mapTypes.indexOf(name),
        window,
        second,
        lookback,
      }),
      Float64Array.of(frequencies?.length ?? 0, slopes?.length ?? 0, rows.length),
    );
    lists.push(frequencies ?? none, slopes ?? none);
    factors.push(rows);
  }
  core.sendDoubles([...records, ...lists]);
  core.send(factors);
  core.floats(core.training.givePositions(model, layers.length, dropsInput));
}
