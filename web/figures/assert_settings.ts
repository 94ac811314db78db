/** What a script may set: as strict as the words of an address, and each fault is named. */
import { readValue, writeValue } from '../state.ts';
import type { Control, Controls, Settings } from './figure.ts';

const kindOf = {
  range: 'number',
  choice: 'string',
  switch: 'boolean',
  text: 'string',
} as const satisfies Record<Control['kind'], string>;

function ruleOf(control: Control): string {
  switch (control.kind) {
    case 'range': {
      const { min, max, step = 1 } = control;
      const spaced = step === 'log' ? '' : ` in steps of ${step}`;
      return `a number from ${min} to ${max}${spaced}`;
    }
    case 'choice':
      return `one of ${control.options.map(({ value }) => `'${value}'`).join(', ')}`;
    case 'switch':
      return 'true or false';
    case 'text':
      return `text of at most ${control.maxLength} characters`;
  }
}

const longestQuote = 60;

function quoted(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const cut = value.length > longestQuote ? `${value.slice(0, longestQuote)}…` : value;
  return `'${cut}'`;
}

/**
 * Throws where a setting is unknown (RangeError), of another type (TypeError) or not a value of its
 * control (RangeError), before anything changes. The error has the package's fields `parameter`,
 * `rule` and `value`.
 */
export function assertSettings(figure: string, controls: Controls, changes: Settings) {
  for (const [key, value] of Object.entries(changes)) {
    const control = Object.hasOwn(controls, key) ? controls[key] : undefined;
    if (!control) {
      const known = Object.keys(controls).join(', ') || 'none';
      throw new RangeError(`set: ${figure} has no setting '${key}'; its settings are: ${known}`);
    }
    const rule = ruleOf(control);
    const isKind = typeof value === kindOf[control.kind];
    if (isKind && readValue(control, writeValue(value)) !== undefined) continue;
    const Kind = isKind ? RangeError : TypeError;
    const message = `set: ${key} of ${figure} must be ${rule}, got ${quoted(value)}`;
    throw Object.assign(new Kind(message), { parameter: key, rule, value });
  }
}
