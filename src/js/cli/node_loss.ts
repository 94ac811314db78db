/// <reference types="node" />
/** `npx ropewalk loss`: the loss of a text by place, under each of several positions. */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { modelOperand, tokenizerRule, type OpenModel } from './models.js';
import { read, readIfThere, writeWhole } from './node_files.js';
import { openWithProgress } from './node_generate.js';
import { ResultFolder } from './node_results.js';
import { clock, Interrupted, onInterrupt, progressLine } from './node_run.js';
import { positionFromText, positionRule } from './position_text.js';
import { ruleOf, UsageError, type Given, type Io, type Program } from './rules.js';
import { svgOf } from './sheet.js';
import { lossSheet } from './sweep_plot.js';
import { columns } from './text.js';
import * as option from '../runtime/option.js';

/** The mean losses of one window, in ranges of places. */
interface WindowLosses {
  position: string;
  window: number;
  losses: number[];
}

/** The results of one command, a line of JSON each; with a folder they are kept there. */
class Losses {
  readonly #all = new Map<string, number[]>();
  readonly #path: string | undefined;

  /** @throws UsageError for a folder with the results of another text */
  constructor(out: string | undefined, description: object) {
    if (out === undefined) return;
    const folder = new ResultFolder(out);
    folder.claim('text', description);
    this.#path = join(folder.path, 'results.jsonl');
    const text = new TextDecoder().decode(readIfThere(this.#path) ?? new Uint8Array());
    // What follows the last line end was cut off when the command was stopped.
    const lines = text.split('\n').slice(0, -1);
    for (const [i, line] of lines.entries()) {
      try {
        const { position, window, losses } = JSON.parse(line) as WindowLosses;
        this.#all.set(`${position} ${window}`, losses);
      } catch (error) {
        const { message } = error as Error;
        throw new Error(`${this.#path}:${i + 1} must be a result in JSON: ${message}`);
      }
    }
    writeWhole(this.#path, lines.map((line) => `${line}\n`).join(''));
  }

  of(position: string, window: number): number[] | undefined {
    return this.#all.get(`${position} ${window}`);
  }

  add(result: WindowLosses): void {
    this.#all.set(`${result.position} ${result.window}`, result.losses);
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(result)}\n`);
  }
}

const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;

/** Where ranges of places begin and end: as many as `bins`, of about one length. */
const edgesOf = (places: number, bins: number) =>
  Array.from({ length: bins + 1 }, (_, i) => Math.round((i * places) / bins));

/** The windows of a text, each with the tokens that begin a text. */
function windowsOf({ tokenizer, model }: OpenModel, given: Given): number[][] {
  const { text: path, windows: most = Infinity } = given as { text: string; windows?: number };
  const tokens = tokenizer.encode(new TextDecoder().decode(read(path)), { first: false });
  const begin = tokenizer.encode('');
  const whole = tokens.length + begin.length;
  const length = Number(given['length'] ?? Math.min(model.contextLength ?? whole, whole));
  const each = length - begin.length;
  const count = Math.min(most, Math.floor(tokens.length / each));
  if (each < 2 || count < 1)
    throw new UsageError(
      `--length must be at least ${begin.length + 2}, and at most the ${whole} tokens of the text, got ${length}`,
    );
  return Array.from({ length: count }, (_, i) => [
    ...begin,
    ...tokens.slice(i * each, (i + 1) * each),
  ]);
}

/** Reads each window under each position, unless its result is there. */
async function readWindows(
  { rw, model }: OpenModel,
  windows: readonly number[][],
  positions: readonly string[],
  edges: readonly number[],
  results: Losses,
  show: (text: string) => void,
): Promise<void> {
  const changes = new Map(positions.map((text) => [text, positionFromText(rw, model, text)]));
  const open = windows.flatMap((_, window) =>
    positions
      .filter((position) => !results.of(position, window))
      .map((position) => ({ position, window })),
  );
  let code: number | undefined;
  const stopListening = onInterrupt((exit) => (code = exit));
  const start = performance.now();
  try {
    for (const [done, { position, window }] of open.entries()) {
      const seconds = (performance.now() - start) / 1000;
      const left = done > 0 ? `, ${clock((seconds / done) * (open.length - done))} left` : '';
      show(`${done} of ${open.length} readings are done${left}`);
      await setImmediate();
      if (code !== undefined)
        throw new Interrupted(code, `interrupted, ${done} of ${open.length} readings are done`);
      const losses = model.loss(windows[window]!, { position: changes.get(position)! });
      const means = edges.slice(1).map((edge, i) => mean([...losses.subarray(edges[i], edge)]));
      results.add({ position, window, losses: means });
    }
  } finally {
    show('');
    stopListening();
  }
}

export const loss: Program = {
  says: 'the loss of a text by place with a language model, under other positions than its own; run again with the same --out, it goes on where it stopped',
  operands: modelOperand,
  count: [1, 1],
  options: {
    text: { kind: 'file', says: 'the text, in UTF-8', required: true },
    length: ruleOf(
      option.whole.optional(),
      'tokens of a window; default: what the model was made for, or those of a shorter text',
    ),
    position: {
      ...positionRule,
      kind: 'texts',
      says: `${positionRule.says}. May be given several times; default own`,
    },
    windows: ruleOf(option.whole.optional(), 'most windows of the text to read; default: all'),
    bins: ruleOf(
      option.whole.optional(),
      'ranges of places; default: 16, or fewer in a short text',
    ),
    out: {
      kind: 'file',
      short: 'o',
      says: 'a folder for results.jsonl and the drawing results.svg',
    },
    tokenizer: tokenizerRule,
  },
  example: 'ropewalk loss FOLDER --text book.txt --length 4096 --position own --position yarn:4',
  async perform([place], given, io: Io) {
    const opened = await openWithProgress(place!, given, io);
    const windows = windowsOf(opened, given);
    const { length } = windows[0]!;
    const {
      out,
      bins = Math.min(16, length - 1),
      position = 'own',
    } = given as { out?: string; bins?: number; position?: string };
    if (bins >= length)
      throw new UsageError(`--bins must be below --length ${length}, got ${bins}`);
    const positions = [...new Set(position.split(','))];
    const edges = edgesOf(length - 1, bins);
    const text = createHash('sha256')
      .update(read(String(given['text'])))
      .digest('hex');
    const { tokenizer } = given;
    const description = { model: resolve(place!), tokenizer, text, length, bins };
    const results = new Losses(out, description);
    await readWindows(opened, windows, positions, edges, results, progressLine(given, io));
    const all = positions.map((name) =>
      edges.slice(1).map((_, bin) => mean(windows.map((__, i) => results.of(name, i)![bin]!))),
    );
    const count = windows.length === 1 ? '1 window' : `${windows.length} windows`;
    const title = `${count} of ${length} tokens`;
    const wholes = all.map(
      (means) =>
        means.reduce((sum, value, i) => sum + value * (edges[i + 1]! - edges[i]!), 0) /
        (length - 1),
    );
    const digits = (value: number) => value.toFixed(4);
    const table = columns([
      ['places', ...positions],
      ...edges
        .slice(1)
        .map((edge, i) => [`${edges[i]}–${edge - 1}`, ...all.map((means) => digits(means[i]!))]),
      ['all', ...wholes.map(digits)],
    ]);
    if (out !== undefined) {
      const middle = (i: number) => (edges[i]! + edges[i + 1]! - 1) / 2;
      const series = new Map(
        positions.map((name, i) => [
          name,
          all[i]!.map((value, bin) => [middle(bin), value] as const),
        ]),
      );
      const sheet = lossSheet(`Loss by place: ${basename(resolve(place!))}`, title, series);
      writeWhole(join(out, 'results.svg'), svgOf(sheet, deflateSync));
    }
    return { printed: `Loss in nats per token, ${title}\n${table.join('\n')}\n` };
  },
};
