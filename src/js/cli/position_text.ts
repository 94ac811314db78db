/** Changes of position as they are typed: "yarn:4", "rerope:256+log-n", "half-split". */
import { UsageError, type OptionRule } from './rules.js';
import type { Model } from '../model/model.js';
import type { ModelLayerPosition, PositionChange } from '../model/positions.js';
import { mapSchema, mapTypes } from '../rotary/position_maps.js';
import type { RotaryScaling } from '../rotary/scaling.js';
import type { Functions } from '../ropewalk.js';
import { nearest } from '../runtime/hints.js';

/** What a change is made for: one layer of a model. */
interface Target {
  rw: Functions;
  layer: ModelLayerPosition;
  heads: number;
  /** L₀, which the model was made for. */
  originalLength: number | undefined;
}

interface NamedChange {
  /** The numbers behind the name, each after a colon; one with "?" may be left out. */
  numbers: readonly string[];
  change(target: Target, numbers: readonly number[]): PositionChange;
}

/** Frequencies of a layer that rotates, of its own base or another. */
const frequenciesOf = (
  { rw, layer: { frequencies, base } }: Target,
  other: { base?: number; scaling?: RotaryScaling },
): PositionChange =>
  frequencies
    ? { frequencies: rw.rotaryFrequencies({ dim: 2 * frequencies.length, base: base!, ...other }) }
    : {};

const lengthOf = ({ originalLength }: Target, given: number | undefined): number => {
  const length = given ?? originalLength;
  if (length !== undefined) return length;
  throw new UsageError('--position must have the training length behind its factor, got none');
};

/** An extension that takes the factor alone. */
const byFactor = (type: 'linear' | 'ntk'): NamedChange => ({
  numbers: ['factor'],
  change: (target, [factor]) => frequenciesOf(target, { scaling: { type, factor: factor! } }),
});

/** An extension that takes the training length, too. */
const byLength = (type: 'ntk-by-parts' | 'yarn' | 'llama3'): NamedChange => ({
  numbers: ['factor', 'L0?'],
  change: (target, [factor, length]) =>
    frequenciesOf(target, {
      scaling: { type, factor: factor!, originalLength: lengthOf(target, length) },
    }),
});

const maps = mapTypes
  .filter((type) => type !== 'rope')
  .map((type): [string, NamedChange] => {
    const numbers = Object.keys(mapSchema(type));
    const change: NamedChange['change'] = (_, values) => {
      const options = Object.fromEntries(numbers.map((name, i) => [name, values[i]]));
      return { map: { type, ...options } as PositionChange['map'] };
    };
    return [type, { numbers, change }];
  });

const table: Readonly<Record<string, NamedChange>> = {
  own: { numbers: [], change: () => ({}) },
  none: {
    numbers: [],
    change: () => ({ frequencies: 'none', slopes: 'none', map: 'none', input: false }),
  },
  'half-split': { numbers: [], change: () => ({ layout: 'half-split' }) },
  interleaved: { numbers: [], change: () => ({ layout: 'interleaved' }) },
  inverted: {
    numbers: [],
    change({ layer: { frequencies, attentionFactor } }) {
      if (!frequencies) return {};
      const inverseFrequencies = frequencies.map((frequency) => -frequency);
      return { frequencies: { inverseFrequencies, ...(attentionFactor && { attentionFactor }) } };
    },
  },
  base: { numbers: ['base'], change: (target, [base]) => frequenciesOf(target, { base: base! }) },
  pi: byFactor('linear'),
  ntk: byFactor('ntk'),
  'ntk-by-parts': byLength('ntk-by-parts'),
  yarn: byLength('yarn'),
  llama3: byLength('llama3'),
  window: { numbers: ['tokens'], change: (_, [tokens]) => ({ lookback: tokens! - 1 }) },
  ...Object.fromEntries(maps),
  'log-n': {
    numbers: ['L0?'],
    change(target, [length]) {
      const originalLength = lengthOf(target, length);
      const { rw } = target;
      return {
        rowScale: (place) =>
          rw.logitFactors([place], { type: 'log-n', form: 'clipped', originalLength })[0]!,
      };
    },
  },
  alibi: {
    numbers: [],
    change: ({ rw, heads }) => ({ frequencies: 'none', slopes: rw.alibiSlopes({ heads }) }),
  },
};

const formOf = (name: string) => {
  const numbers = table[name]!.numbers.map((number) =>
    number.endsWith('?') ? `[:${number.slice(0, -1)}]` : `:${number}`,
  );
  return `${name}${numbers.join('')}`;
};

const forms = Object.keys(table).map(formOf).join(', ');

export const positionRule: OptionRule = {
  kind: 'text',
  says: `positions in place of the model's own: ${forms}; several joined with +`,
};

/** One name with its numbers. */
function parsed(part: string) {
  const [name, ...texts] = part.split(':') as [string, ...string[]];
  if (!Object.hasOwn(table, name)) {
    const close = nearest(name, Object.keys(table));
    const hint = close ? ` (did you mean ${close}?)` : '';
    throw new UsageError(`--position must be one of ${forms}, got ${part}${hint}`);
  }
  const { numbers, change } = table[name]!;
  const least = numbers.filter((number) => !number.endsWith('?')).length;
  const values = texts.map((text) => (text === '' ? NaN : Number(text)));
  const isWrong = values.length < least || values.length > numbers.length;
  if (isWrong || !values.every(Number.isFinite))
    throw new UsageError(`--position must be of the form ${formOf(name)}, got ${part}`);
  return (target: Target) => change(target, values);
}

/**
 * The change of each layer.
 * @throws UsageError for a text that is none, or of a model that does not rotate
 */
export function positionFromText(rw: Functions, model: Model, text: string): PositionChange[] {
  const changes = text.split('+').map(parsed);
  const { heads } = model.options;
  const originalLength = model.contextLength;
  const layers: PositionChange[] = model
    .layerPositions()
    .map((layer) =>
      Object.assign({}, ...changes.map((change) => change({ rw, layer, heads, originalLength }))),
    );
  if (text !== 'own' && layers.every((layer) => Object.keys(layer).length === 0))
    throw new UsageError(`--position must suit a model without rotation, got ${text}`);
  return layers;
}
