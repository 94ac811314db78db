#!/usr/bin/env node
/// <reference types="node" />
/** The command line: all of it that needs Node. What the commands do is in cli_commands.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { argv, exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { deflateSync } from 'node:zlib';
import { commands, shared, UsageError, type Given, type OptionRule } from './cli_commands.js';
import { formats, narrowed } from './cli_formats.js';
import { help, helpOf, kebab } from './cli_help.js';
import { createRopewalk } from './index.js';

function valueOf(name: string, { kind }: OptionRule, text: string | undefined): string | number {
  const refused = (rule: string) => new UsageError(`${name} must be ${rule}, got ${text || 'nothing'}`);
  if (!text) throw refused('followed by a value');
  if (kind === 'text' || kind === 'file' || kind === 'names') return text;
  if (typeof kind === 'object') {
    if (!kind.includes(text)) throw refused(`one of ${kind.join(', ')}`);
    return text;
  }
  const number = Number(text);
  if (kind === 'whole' && !(Number.isSafeInteger(number) && number >= 1)) throw refused('a whole number of at least 1');
  if (!Number.isFinite(number)) throw refused('a finite number');
  return number;
}

/** The options by their names in the API, and what stands between them. */
function parsed(rules: Record<string, OptionRule>, args: string[]) {
  const typed = Object.entries(rules).map(([name, { short }]) =>
    [kebab(name), { type: 'string' as const, ...(short && { short }) }] as const);
  // Not strict, since the refusals are the table's own.
  const { tokens, positionals } = parseArgs({
    args, strict: false, tokens: true, allowPositionals: true, options: Object.fromEntries(typed),
  });
  const given: Given = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const name = Object.keys(rules).find((each) => kebab(each) === token.name);
    if (name === undefined) {
      const known = typed.map(([each]) => `--${each}`).join(', ');
      throw new UsageError(`an option must be one of ${known}, got ${token.rawName}`);
    }
    if (given[name] !== undefined) throw new UsageError(`--${token.name} must be given once, got it twice`);
    given[name] = valueOf(`--${token.name}`, rules[name]!, token.value);
  }
  const missing = Object.keys(rules).find((name) => rules[name]!.required && given[name] === undefined);
  if (missing) throw new UsageError(`--${kebab(missing)} must be given, got nothing`);
  return { given, operands: positionals };
}

function formatOf({ out, format }: Given): string {
  const ending = /\.(\w+)$/.exec(String(out ?? ''))?.[1];
  const name = String(format ?? (out === undefined ? 'json' : ending));
  if (!Object.hasOwn(formats, name)) {
    const list = Object.keys(formats).join(', ');
    throw new UsageError(`--out must end in one of ${list}, or --format be given, got ${out}`);
  }
  return name;
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${path} must be a file that can be read, got ${(error as NodeJS.ErrnoException).code}`);
  }
}

function write(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new Error(`--out must be a file that can be written, got ${path} (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** How far the work is: one line that writes over itself on a terminal, else a line each. */
function progressOf({ progress = 'auto' }: Given): (done: number, of: number) => void {
  if (progress === 'never' || (progress === 'auto' && !stderr.isTTY)) return () => {};
  const [before, after] = stderr.isTTY ? ['\r', ''] : ['', '\n'];
  return (done, of) => {
    stderr.write(`${before}ropewalk: ${done} of ${of} parts${after}`);
    if (done === of && stderr.isTTY) stderr.write('\r\x1b[K');
  };
}

/** What goes to standard output, and why the process fails all the same. */
type Answer = [content: string | Uint8Array, failure?: string];

async function answer([name, ...args]: string[]): Promise<Answer> {
  if (name === '--help' || name === '-h') return [help()];
  if (name === '--version') {
    const manifest = readFileSync(new URL('./package.json', import.meta.url), 'utf8');
    return [`${(JSON.parse(manifest) as { version: string }).version}\n`];
  }
  if (name === undefined || !Object.hasOwn(commands, name)) {
    throw new UsageError(`the command must be one of ${Object.keys(commands).join(', ')}, got ${name ?? 'nothing'}`);
  }
  if (args.includes('--help') || args.includes('-h')) return [helpOf(name)];
  const command = commands[name]!;
  const { given, operands } = parsed({ ...shared, ...command.options }, args);
  const [least, most] = command.count;
  if (operands.length < least || operands.length > most) {
    throw new UsageError(`${name} must be followed by ${command.operands}, got ${operands.join(' ') || 'nothing'}`);
  }
  const format = formatOf(given);
  const out = given['out'] as string | undefined;
  const wanted = given['return'] as string | undefined;
  const rw = await createRopewalk();
  const outcome = narrowed(command.run({ rw, operands, given, read, progress: progressOf(given) }), wanted);
  const content = formats[format]!(outcome, wanted !== undefined, deflateSync);
  if (out === undefined) {
    if (typeof content !== 'string' && stdout.isTTY) {
      throw new UsageError(`--out must name a file for ${format}, got a terminal`);
    }
    return [content, outcome.failure];
  }
  write(out, content);
  return ['', outcome.failure];
}

/** One line, and the exit code. What the API refuses by the name of an option was typed wrong. */
function failure(error: unknown, args: string[]): [line: string, code: number] {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
  const rules = { ...commands[args[0] ?? '']?.options };
  const parameter = /^\w+/.exec(message)?.[0] ?? '';
  const option = Object.hasOwn(rules, parameter) && args.some((each) => each.startsWith(`--${kebab(parameter)}`));
  const line = option ? message.replace(parameter, `--${kebab(parameter)}`) : message;
  return [`ropewalk: ${line}\n`, option || error instanceof UsageError ? 2 : 1];
}

const args = argv.slice(2);
const fail = ([line, code]: readonly [string, number]) => stderr.write(line, () => exit(code));
// Whoever reads may stop reading, as head does.
stdout.on('error', () => exit(0));
answer(args).then(
  ([content, wrong]) => stdout.write(content, () => (wrong ? fail([`ropewalk: ${wrong}\n`, 1]) : exit(0))),
  (error: unknown) => fail(failure(error, args)),
);
