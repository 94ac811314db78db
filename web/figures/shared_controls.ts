/** Controls that many figures have. */
import type { Words } from '../languages.ts';
import type { ModelField } from '../model.ts';
import type { ChoiceControl, RangeControl, SwitchControl } from './figure.ts';

type More = Pick<ChoiceControl, 'look' | 'display' | 'follows' | 'place'>;

interface Choice<Value extends string> extends ChoiceControl {
  options: readonly { value: Value; label: Words }[];
}

/** Returns a choice between the keys of `labels`, in their order. */
export function choice<Key extends string | number>(
  label: Words,
  labels: Readonly<Record<Key, Words>>,
  preset: NoInfer<`${Key}`>,
  more: More = {},
): Choice<`${Key}`> {
  const options = Object.entries<Words>(labels).map(([value, name]) => ({
    value: value as `${Key}`,
    label: name,
  }));
  return { kind: 'choice', label, default: preset, options, ...more };
}

interface LegendSwitch extends SwitchControl {
  place: 'drawing';
}

/** Returns a switch per key of `labels`, for a legend in the drawing; those of `on` are on. */
export const legendSwitches = <Key extends string>(
  labels: Readonly<Record<Key, Words>>,
  on: readonly NoInfer<Key>[],
  more: Pick<SwitchControl, 'display'> = {},
) =>
  Object.fromEntries(
    Object.entries<Words>(labels).map(([key, label]): [string, LegendSwitch] => {
      const isOn = on.includes(key as Key);
      return [key, { kind: 'switch', label, default: isOn, place: 'drawing', ...more }];
    }),
  ) as Record<Key, LegendSwitch>;

type Range = Pick<RangeControl, 'default' | 'min' | 'max' | 'step'>;

/** Returns a range. */
export const range = (
  label: Words,
  numbers: Range,
  more: Omit<RangeControl, 'kind' | 'label' | keyof Range> = {},
): RangeControl => ({ kind: 'range', label, ...numbers, ...more });

/** Symbol and step of each field that is a range; a position scheme has an even dimension. */
const fields = {
  dim: { symbol: 'd', step: 2 },
  base: { symbol: 'b', step: 'log' },
  length: { symbol: 'L', step: 'log' },
  originalLength: { symbol: 'L₀', step: 'log' },
  factor: { symbol: 's', step: 0.5 },
  heads: { symbol: 'H' },
  buckets: { step: 4 },
  maxDistance: { step: 8 },
} as const satisfies Partial<Record<ModelField, Partial<RangeControl>>>;

/** Returns the range of a field of the model. */
export const modelRange = (
  follows: keyof typeof fields,
  label: Words,
  numbers: Range,
  more: Pick<RangeControl, 'hue'> = {},
): RangeControl => ({ kind: 'range', label, follows, ...fields[follows], ...numbers, ...more });

/** Returns the range of the base of the frequencies. */
export const baseRange = (min: number, max: number) =>
  modelRange('base', { en: 'Base', zh: '底数' }, { default: 10000, min, max });

/**
 * Returns the range of a dimension pair, which all figures of the page highlight. Its figure has
 * the control `dim`, unless it sets another limit.
 */
export const pairRange = (label: Words, numbers: { default: number; max: number }) =>
  range(
    label,
    { min: 0, ...numbers },
    { symbol: 'i', display: true, brush: true, limit: ({ dim }) => Number(dim) / 2 - 1 },
  );
