/** The model types that are known, from the table and the rules. */
import type { RotaryLayout } from '../rotary/rotary.js';
import type { Family } from './family.js';
import { familyRules } from './family_rules.js';
import { familyTable } from './family_table.js';
import { partTable } from './part_table.js';

const layouts: readonly string[] = ['half-split', 'interleaved'] satisfies RotaryLayout[];

/** The scheme of a line of the table, in its words. */
function schemeOf(words: string[]): Family {
  const [first = '', second, third] = words;
  if (first === 'part')
    return {
      scheme: 'other',
      part: second,
      partType: third,
      ...(words.includes('filled') && { fillsPart: true }),
      ...(words.includes('fixed') && { fixesPart: true }),
    };
  if (first === 'learned')
    return {
      scheme: first,
      offset: Number(second ?? 0),
      ...(third === 'included' && { includesOffset: true }),
    };
  if (first === 'sinusoidal')
    return {
      scheme: first,
      sinusoid: second as Family['sinusoid'],
      spacing: third as Family['spacing'],
    };
  const layout = words.find((word) => layouts.includes(word)) as RotaryLayout | undefined;
  return {
    scheme: first === layout ? 'rotary' : (first as Family['scheme']),
    ...(layout && { layout }),
    ...(words.includes('deinterleaved') && { deinterleaves: true }),
    ...(words.includes('trailing') && { end: 'trailing' }),
    ...(words.includes('negated') && { direction: -1 }),
  };
}

const sizes = [
  'hidden_size',
  'num_attention_heads',
  'num_hidden_layers',
  'max_position_embeddings',
] as const;

/** The values of absent keys: four sizes, of which some may be "-", and others by name. */
function defaultsOf(numbers = '', others = ''): Record<string, unknown> {
  const given = numbers === '' ? [] : numbers.split(' ');
  const entries = others === '' ? [] : others.split('; ').map((entry) => entry.split('='));
  return Object.fromEntries([
    ...sizes.flatMap((name, i) => (Number(given[i]) > 0 ? [[name, Number(given[i])]] : [])),
    ...entries.map(([key, value]) => [key, JSON.parse(value!)]),
  ]);
}

function familiesOf(line: string): [string, Family][] {
  const [names = '', scheme = '', numbers, others, source] = line.split(' | ');
  const family = { ...schemeOf(scheme.split(' ')), ...(source && { source }) };
  return names.split(' ').map((name) => {
    const rules = Object.hasOwn(familyRules, name) ? familyRules[name] : undefined;
    const defaults = { ...defaultsOf(numbers, others), ...rules?.defaults };
    return [name, { ...family, ...rules, defaults }];
  });
}

const lines = `${familyTable.trim()}${partTable}`.trim().replaceAll('\n ', '').split('\n');
const families = new Map(lines.flatMap(familiesOf));

export function familyOf(modelType: string | undefined): Family | undefined {
  return modelType === undefined ? undefined : families.get(modelType);
}
