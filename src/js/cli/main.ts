/// <reference types="node" />
/** The part of the command line that needs Node. The commands are in commands.ts. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { deflateSync } from 'node:zlib';
import { commands } from './commands.js';
import { formats, narrowed, type Pieces } from './formats.js';
import { help, helpOf, helpOfProgram, kebab } from './help.js';
import { files, read, reasonOf, source } from './node_files.js';
import { Interrupted, progressLine, put } from './node_run.js';
import { figure } from './node_figure.js';
import { generate } from './node_generate.js';
import { loss } from './node_loss.js';
import { sweep } from './node_sweep.js';
import { train } from './node_train.js';
import {
  shared,
  sharedByPrograms,
  UsageError,
  type CommandText,
  type Given,
  type Io,
  type OptionRule,
  type Output,
  type Program,
} from './rules.js';
import { Core } from '../runtime/core.js';
import type { ParameterError } from '../runtime/errors.js';
import { hintFor, nearest } from '../runtime/hints.js';
import { inline } from '../runtime/inline.js';
import { compiled } from '../runtime/load.js';
import { started } from '../runtime/main_module.js';
import { version } from '../runtime/version.js';
import { functions } from '../ropewalk.js';

const programs: Record<string, Program> = { train, sweep, generate, loss, figure };

function valueOf(name: string, { kind, mayBeEmpty }: OptionRule, text: string | undefined) {
  const invalid = (rule: string, hint = '') =>
    new UsageError(`${name} must be ${rule}, got ${text || 'nothing'}${hint}`);
  if (typeof kind === 'object') {
    const texts = kind.map(String);
    const choice = kind[texts.indexOf(text ?? '')];
    if (choice !== undefined) return choice;
    throw invalid(`one of ${texts.join(', ')}`, hintFor(text, texts));
  }
  if (mayBeEmpty && text === '') return text;
  if (!text) throw invalid('followed by a value');
  if (kind !== 'number' && kind !== 'whole' && kind !== 'count') return text;
  const number = Number(text);
  if (!Number.isFinite(number)) throw invalid('a finite number');
  const least = { number: -Infinity, whole: 1, count: 0 }[kind];
  if (number < least || (kind !== 'number' && !Number.isSafeInteger(number)))
    throw invalid(`a whole number of at least ${least}`);
  return number;
}

/** An option as it is typed, from a correction that begins with its name. */
const asTyped = (correct: string) => `--${kebab(/^\w+/.exec(correct)![0])}`;

/** What stands between the parts of an option of several words. */
const separators: Partial<Record<string, string>> = { files: ',', pairs: '\n' };

/** The options by their names in the API, and the operands. */
function parsed(command: string, rules: Record<string, OptionRule>, args: string[]) {
  const typed = Object.entries(rules).map(
    ([name, { short, kind }]) =>
      [
        kebab(name),
        {
          type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
          ...(short && { short }),
        },
      ] as const,
  );
  // Not strict, since the errors come from the table.
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(typed),
  });
  const given: Given = {};
  const positionals: string[] = [];
  let list: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      // What follows an option of several files belongs to it, up to the next option.
      if (list === undefined) positionals.push(token.value);
      else given[list] += `${separators[String(rules[list]!.kind)]}${token.value}`;
    }
    if (token.kind !== 'option') continue;
    list = undefined;
    const name = Object.keys(rules).find((each) => kebab(each) === token.name);
    if (name === undefined) {
      const typedName = token.name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
      const hint = hintFor(typedName, Object.keys(rules), asTyped);
      throw new UsageError(
        `unknown option ${token.rawName}${hint}; run \`ropewalk ${command} --help\``,
      );
    }
    const rule = rules[name]!;
    const before = given[name];
    if (before !== undefined && rule.kind !== 'texts' && rule.kind !== 'pairs')
      throw new UsageError(`--${token.name} must be given once, got it twice`);
    if (rule.kind === 'flag' && token.value !== undefined)
      throw new UsageError(`--${token.name} must have no value, got ${token.value}`);
    const value = rule.kind === 'flag' ? 1 : valueOf(`--${token.name}`, rule, token.value);
    const separator = separators[String(rule.kind)];
    given[name] = before === undefined ? value : `${before}${separator ?? ','}${value}`;
    if (separator !== undefined) list = name;
  }
  const missing = Object.keys(rules).find(
    (name) => rules[name]!.required && given[name] === undefined,
  );
  if (missing) throw new UsageError(`--${kebab(missing)} must be given, got nothing`);
  return { given, operands: positionals };
}

/** The file to write: none for standard output, which '-' stands for as well. */
const fileOf = ({ out }: Given) => (out === '-' ? undefined : (out as string | undefined));

/** The format that was chosen; none where standard output decides. */
function formatOf({ format, json }: Given, out: string | undefined): string | undefined {
  if (json && format !== undefined && format !== 'json')
    throw new UsageError(`--json must come without --format ${format}, got both`);
  const ending = /\.(\w+)$/.exec(out ?? '')?.[1];
  const name = format ?? (json ? 'json' : ending);
  if (out === undefined && name === undefined) return undefined;
  if (!Object.hasOwn(formats, String(name))) {
    const list = Object.keys(formats).join(', ');
    throw new UsageError(`--out must end in one of ${list}, or --format be given, got ${out}`);
  }
  return String(name);
}

async function write(path: string, content: Pieces): Promise<void> {
  try {
    await writeFile(path, content);
  } catch (error) {
    throw new Error(`--out must be a file that can be written, got ${path} (${reasonOf(error)})`);
  }
}

/** Returns whether all was read: the reader of a pipe may close it early, as head does. */
async function print(content: Pieces, stdout: Output): Promise<boolean> {
  for (const piece of content) {
    const error = await put(stdout, piece);
    if (error?.code === 'EPIPE') return false;
    if (error) throw new Error(`standard output must take what is written, got ${reasonOf(error)}`);
  }
  return true;
}

interface Answer {
  content: Pieces;
  /** The output file. Default: standard output. */
  out?: string | undefined;
  /** The reason why the process exits with an error despite its output. */
  failure?: string | undefined;
}

function requireOperands(name: string, command: CommandText, operands: string[]): void {
  const [least, most] = command.count;
  if (operands.length >= least && operands.length <= most) return;
  throw new UsageError(
    `${name} must be followed by ${command.operands || 'options only'}, got ${operands.join(' ') || 'nothing'}`,
  );
}

async function performed(name: string, args: string[], io: Io): Promise<Answer> {
  const program = programs[name]!;
  if (args.includes('--help') || args.includes('-h'))
    return { content: [helpOfProgram(name, program)] };
  const { given, operands } = parsed(name, { ...sharedByPrograms, ...program.options }, args);
  requireOperands(name, program, operands);
  const { printed, failure } = await program.perform(operands, given, io);
  return { content: [printed], failure };
}

async function answer([name, ...args]: string[], io: Io): Promise<Answer> {
  if (name === '--help' || name === '-h') return { content: [help(programs)] };
  if (name === '--version') return { content: [`${version}\n`] };
  if (name !== undefined && Object.hasOwn(programs, name)) return performed(name, args, io);
  if (name === undefined || !Object.hasOwn(commands, name)) {
    const known = [...Object.keys(commands), ...Object.keys(programs)];
    const close = nearest(name ?? '', known);
    const hint = close ? ` (did you mean ${close}?)` : '';
    throw new UsageError(
      `the command must be one of ${known.join(', ')}, got ${name ?? 'nothing'}${hint}`,
    );
  }
  if (args.includes('--help') || args.includes('-h')) return { content: [helpOf(name)] };
  const command = commands[name]!;
  const { given, operands } = parsed(name, { ...shared, ...command.options }, args);
  requireOperands(name, command, operands);
  const out = fileOf(given);
  const format = formatOf(given, out);
  if (format && formats[format]!.binary && out === undefined && io.stdout.isTTY)
    throw new UsageError(`--out must name a file for ${format}, got a terminal`);
  const wanted = given['return'] as string | undefined;
  const { module } = await compiled({ simd: 'auto', wasm: undefined }, inline);
  const rw = functions(new Core(await started(module)));
  const show = progressLine(given, io);
  const progress = (done: number, of: number) => {
    show(`${done} of ${of} parts`);
    if (done === of) show('');
  };
  const outcome = narrowed(
    await command.run({ rw, operands, given, read, source, files, progress }),
    wanted,
  );
  const isText = io.stdout.isTTY || outcome.isTextInPipes;
  const { written } = formats[format ?? (isText ? 'text' : 'json')]!;
  const content = written(outcome, wanted !== undefined, deflateSync);
  return { content, out, failure: outcome.failure };
}

/**
 * One line, and the exit code. An error with the name of an option, from here or from the API, was
 * typed wrong.
 */
function failure(error: unknown, args: string[]): [line: string, code: number] {
  if (error instanceof Interrupted) return [`ropewalk: ${error.message}\n`, error.code];
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
  const { parameter = '' } = error as Partial<ParameterError>;
  const isWithin = (place: string) =>
    parameter.startsWith(place) && !/\w/.test(parameter.charAt(place.length));
  const typed = (name: string) =>
    error instanceof UsageError || args.some((each) => each.split('=')[0] === `--${kebab(name)}`);
  const [option, place] =
    Object.entries({ ...{ ...commands, ...programs }[args[0] ?? '']?.options })
      .flatMap(
        ([name, { at = name }]) =>
          [
            [name, at],
            [name, name],
          ] as const,
      )
      .filter(([name, each]) => isWithin(each) && (each.includes('.') || typed(name)))
      .toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
  const line = option ? message.replace(place!, `--${kebab(option)}`) : message;
  return [`ropewalk: ${line}\n`, option || error instanceof UsageError ? 2 : 1];
}

/**
 * Runs one command, which reads and writes files by their paths from the working directory.
 * @param args the command line without the program
 * @returns the exit code: 0, 1 for an error, 2 for wrong usage, or that of a signal
 */
export async function run(args: string[], io: Io): Promise<number> {
  // The callbacks of write() have the error, too.
  const ignore = () => {};
  io.stdout.on('error', ignore);
  const fail = async ([line, code]: readonly [string, number]) => {
    io.stderr.on('error', ignore);
    await put(io.stderr, line);
    return code;
  };
  try {
    const { content, out, failure: wrong } = await answer(args, io);
    if (out !== undefined) await write(out, content);
    else if (!(await print(content, io.stdout))) return 0;
    return wrong ? await fail([`ropewalk: ${wrong}\n`, 1]) : 0;
  } catch (error) {
    return fail(failure(error, args));
  }
}
