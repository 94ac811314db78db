/** Tables that define the commands of `npx ropewalk`, for parsing and help. */
import { choicesSchema } from '../config/rotary.js';
import type { Option } from '../runtime/option.js';
import type { ByteSource } from '../formats/byte_source.js';
import type { WritableTensor } from '../formats/file_tensor.js';
import type { Functions } from '../ropewalk.js';

/** An error of usage: the process exits with 2, and with 1 for all other errors. */
export class UsageError extends Error {
  /** @param parameter the option that it is about, where the message has its name in the API */
  constructor(
    message: string,
    readonly parameter?: string,
  ) {
    super(message);
  }
}

/** A value of an option; it is typed as its text. */
type Choice = string | number | boolean;

export interface OptionRule {
  /**
   * The list of choices, or the kind. Only choices and numbers are converted from text before the
   * command runs.
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
    | 'texts'
    | 'flag'
    | 'files'
    | 'pairs'
    | readonly Choice[];
  /** Description in the help. */
  says: string;
  short?: string;
  required?: boolean;
  /** Whether a text may have no letters. Default: it must have one. */
  mayBeEmpty?: true;
  /**
   * Its path among the options of the API, as errors name it: 'window.size'. Default: its own name.
   */
  at?: string;
  /** The schemes of position that it belongs to. */
  of?: readonly string[];
}

const kinds = {
  number: 'number',
  text: 'text',
  numbers: 'numbers',
  positions: 'numbers',
  'whole positions': 'numbers',
  tensor: 'array',
  doubles: 'array',
} as const;

/** The rule of an option that the API has: kind, choices and default are those of its schema. */
export function ruleOf(
  { rule: { kind, choices = [], least }, fallback }: Option<any, unknown>,
  says = '',
): OptionRule {
  const all = kind === 'truth' ? [false, true] : (choices as Choice[]);
  const names = all.filter((choice) => typeof choice === 'string');
  const shown = names.length > 0 ? names : all;
  const isShown =
    ['number', 'string'].includes(typeof fallback) || shown.includes(fallback as Choice);
  const texts = [...(says ? [says] : []), ...(isShown ? [`default ${fallback}`] : [])];
  const rest = { says: texts.join('; ') };
  if (kind === 'whole') return { kind: least === 0 ? 'count' : 'whole', ...rest };
  if (all.length > 0) return { kind: shown, ...rest };
  return { kind: kinds[kind as keyof typeof kinds], ...rest };
}

/** Options by their names in the API: `layerType` is typed --layer-type. */
export type Given = Record<string, Choice | undefined>;

export interface Call {
  rw: Functions;
  operands: string[];
  given: Given;
  /** The bytes of a file. */
  read(path: string): Uint8Array;
  /** A file that is read in parts. */
  source(path: string): Promise<ByteSource>;
  /** The names in a folder; undefined when the path is no folder. */
  files(path: string): string[] | undefined;
  /** Called after each part of long work. */
  progress(done: number, of: number): void;
}

/** The name of an axis, or a name for each index along it. */
export type Axis = string | readonly string[];

export interface Outcome {
  /** The first array is the one that single-array formats write. */
  arrays: Record<string, WritableTensor>;
  /** Names of their last axes, for plots. */
  axes?: Record<string, readonly Axis[]>;
  /** Texts that .safetensors has beside the arrays. */
  metadata?: Readonly<Record<string, string>>;
  /** Further members of JSON output. */
  facts?: object;
  /** Readable text: on a terminal, and with --format text. Default: facts and arrays, cut short. */
  text?: string;
  /** Whether the text is the default in a pipe, too. */
  isTextInPipes?: boolean;
  /** The reason why the process exits with 1 although it writes output. */
  failure?: string;
}

/** The part of a command that parsing and help need. */
export interface CommandText {
  says: string;
  /** The operands as in the help, and their smallest and largest number. */
  operands: string;
  count: readonly [least: number, most: number];
  options: Record<string, OptionRule>;
  example: string;
}

/** A command that computes arrays. */
export interface Command extends CommandText {
  run(call: Call): Outcome | Promise<Outcome>;
}

/** A standard stream, as Node has them. */
export interface Output {
  isTTY?: boolean;
  write(piece: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The standard streams of a call: those of the process, or others in its place. */
export interface Io {
  stdout: Output;
  stderr: Output;
}

/** A command that takes long and writes its own files. */
export interface Program extends CommandText {
  /** Returns the printed text, and the reason if the process exits with 1. */
  perform(operands: string[], given: Given, io: Io): Promise<{ printed: string; failure?: string }>;
}

/** Options of every command. A command may redefine one to extend its description. */
export const shared: Record<string, OptionRule> = {
  out: {
    kind: 'file',
    short: 'o',
    says: 'where to write; the file extension sets the format. - or default: standard output',
  },
  format: {
    kind: ['text', 'json', 'csv', 'npy', 'safetensors', 'svg'],
    says: 'default: by --out, else text on a terminal and json in a pipe',
  },
  json: { kind: 'flag', says: 'the same as --format json' },
  progress: {
    kind: ['auto', 'always', 'never'],
    says: 'of long work, on standard error; default: on a terminal',
  },
  return: {
    kind: 'names',
    says: 'arrays to write, with commas. Default: all; of formats of one, the first',
  },
};

/** Options of every program. */
export const sharedByPrograms = { progress: shared['progress']! };

/** Options that select a part of the model of a config.json. */
export const configChoices: Record<string, OptionRule> = {
  length: ruleOf(
    choicesSchema.length,
    'the length in use, where the scheme of the config depends on it',
  ),
  layerType: ruleOf(choicesSchema.layerType, 'which kind of layer, where the config has several'),
};
