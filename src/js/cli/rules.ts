/** What a command of `npx ropewalk` is: parsing and help are both made from such tables. */
import { choicesSchema } from '../config/rotary.js';
import type { Core } from '../runtime/core.js';
import type { Option } from '../runtime/option.js';
import type { WritableTensor } from '../formats/file_tensor.js';
import type { Functions } from '../ropewalk.js';

/** What was typed wrong: the process ends with 2, and with 1 for everything else. */
export class UsageError extends Error {}

export interface OptionRule {
  /**
   * The list of what it may be, or what it is; only numbers are more than text before the command
   * runs.
   */
  kind:
    | 'number'
    | 'whole'
    | 'count'
    | 'file'
    | 'array'
    | 'numbers'
    | 'names'
    | 'text'
    | readonly string[];
  /** What it is, for the help. */
  says: string;
  short?: string;
  required?: boolean;
  /**
   * Where it stands among the API's options, whose errors have that name: 'window.size'. Default:
   * its own name.
   */
  at?: string;
  /** The schemes of position that it belongs to. */
  of?: readonly string[];
}

const kinds = {
  number: 'number',
  text: 'text',
  numbers: 'numbers',
  tensor: 'array',
} as const;

/** The rule of an option that the API has: kind, choices and default are those of its schema. */
export function ruleOf(
  { rule: { kind, choices = [], least }, fallback }: Option<any, unknown>,
  says = '',
): OptionRule {
  const isShown = typeof fallback === 'number' || typeof fallback === 'string';
  const texts = [...(says ? [says] : []), ...(isShown ? [`default ${fallback}`] : [])];
  const rest = { says: texts.join('; ') };
  if (kind === 'whole') return { kind: least === 0 ? 'count' : 'whole', ...rest };
  if (kind === 'choice' || kind === 'truth')
    return { kind: choices.filter((choice) => typeof choice === 'string'), ...rest };
  return { kind: kinds[kind], ...rest };
}

/** Options by their names in the API: `layerType` is typed --layer-type. */
export type Given = Record<string, string | number | undefined>;

export interface Call {
  rw: Functions;
  core: Core;
  operands: string[];
  given: Given;
  /** The bytes of a file. */
  read(path: string): Uint8Array;
  /** Called after each part of long work. */
  progress(done: number, of: number): void;
}

/** What an axis counts, or what each place along it is. */
export type Axis = string | readonly string[];

export interface Outcome {
  /** The first is what formats of one array hold. */
  arrays: Record<string, WritableTensor>;
  /** What their last axes count, for plots. */
  axes?: Record<string, readonly Axis[]>;
  /** What JSON output has beside the arrays. */
  facts?: object;
  /** Why the process ends with 1 although there is something to write. */
  failure?: string;
}

/** What parsing and help need of a command. */
export interface CommandText {
  says: string;
  /** The operands, as the help writes them, and how many there may be. */
  operands: string;
  count: readonly [least: number, most: number];
  options: Record<string, OptionRule>;
  example: string;
}

/** A command that computes arrays. */
export interface Command extends CommandText {
  run(call: Call): Outcome;
}

/** A command that takes long and writes its own files. */
export interface Program extends CommandText {
  /** Returns what is printed, and why the process ends with 1 all the same. */
  perform(operands: string[], given: Given): Promise<{ printed: string; failure?: string }>;
}

/** What every command takes; it may say more about an option by one of the same name. */
export const shared: Record<string, OptionRule> = {
  out: {
    kind: 'file',
    short: 'o',
    says: 'where to write; the file extension sets the format. - or default: standard output',
  },
  format: {
    kind: ['json', 'csv', 'npy', 'safetensors', 'svg'],
    says: 'default: by --out, else json',
  },
  progress: {
    kind: ['auto', 'always', 'never'],
    says: 'of long work, on standard error; default: on a terminal',
  },
  return: {
    kind: 'names',
    says: 'arrays to write, with commas. Default: all; of formats of one, the first',
  },
};

/** What every program takes. */
export const sharedByPrograms = { progress: shared['progress']! };

/** Which part of the model of a config.json is meant. */
export const configChoices: Record<string, OptionRule> = {
  length: ruleOf(
    choicesSchema.length,
    'the length in use, where the scheme of the config depends on it',
  ),
  layerType: ruleOf(choicesSchema.layerType, 'which kind of layer, where the config has several'),
};
