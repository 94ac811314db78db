/** `npx ropewalk frequencies`: the rotary frequencies of a config, in numbers and in sentences. */
import { rotaryOf } from './inputs.js';
import { configChoices, type Call, type Command, type Outcome } from './rules.js';
import { columns, numberText } from './text.js';
import type { ConfigAccount, ConfigNote } from '../config/reader.js';
import { describeNote } from '../config/notes.js';
import {
  runtimeNames,
  runtimeSettings,
  vllmOverrides,
  type RuntimeName,
  type RuntimeSettings,
} from '../config/runtimes.js';
import type { RotaryScheme } from '../config/rotary.js';
import { configLayers } from '../model_file/config_layers.js';
import type { DerivedRotaryFrequencies, PairFate } from '../rotary/frequencies.js';

type Scheme = RotaryScheme & { frequencies: DerivedRotaryFrequencies };

/** Pairs next to each other of which the same became. */
interface Run {
  fate: PairFate;
  first: number;
  last: number;
}

function runsOf(fates: readonly PairFate[]): Run[] {
  const runs: Run[] = [];
  fates.forEach((fate, pair) => {
    const run = runs.at(-1);
    if (run?.fate === fate) run.last = pair;
    else runs.push({ fate, first: pair, last: pair });
  });
  return runs;
}

const meanings: Record<PairFate, string> = {
  kept: 'as trained',
  blended: 'between trained and interpolated',
  interpolated: 'trained divided by the factor',
  rescaled: 'changed by a factor of their own',
  unrotated: 'frequency 0',
};

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** One line per run of pairs: which, and from which wavelength to which. */
function pairLines(scheme: Scheme, wavelengths: Float64Array): string[] {
  const rows = runsOf(scheme.frequencies.derivation.pairs).map(({ fate, first, last }) => [
    fate,
    first === last ? String(first) : `${first}–${last}`,
    String(last - first + 1),
    numberText(wavelengths[first]!),
    numberText(wavelengths[last]!),
    meanings[fate],
  ]);
  return columns([['pairs', 'which', 'count', 'wavelength', 'to', ''], ...rows]);
}

/** Which pairs never completed a turn in training, so that some of their angles were never seen. */
function turnLine({ inverseFrequencies, derivation }: DerivedRotaryFrequencies, length: number) {
  const isPartial = Array.from(
    inverseFrequencies,
    (used, pair) => used > 0 && (2 * Math.PI) / derivation.trained[pair]! > length,
  );
  const first = isPartial.indexOf(true);
  if (first < 0) return `Every pair completed a turn within the ${length} positions of training.`;
  const count = isPartial.filter(Boolean).length;
  return (
    `${counted(count, 'pair')} of ${isPartial.length} completed no turn within the ${length} ` +
    `positions of training: from pair ${first} on.`
  );
}

const noteLine = (note: ConfigNote) =>
  `  ${note.key} = ${JSON.stringify(note.value)}: ${describeNote(note)}`;

function accountLines({ assumed, contradicts }: ConfigAccount): string[] {
  return [
    ...(contradicts.length ? ['Warnings', ...contradicts.map(noteLine)] : []),
    ...(assumed.length ? ['Assumed', ...assumed.map(noteLine)] : []),
  ];
}

/** What a scaling says of the length, where it does. */
const originalLengthOf = ({ scaling, maxLength }: Scheme): number | undefined =>
  'originalLength' in scaling ? scaling.originalLength : maxLength;

function sentences(
  path: string,
  scheme: Scheme,
  account: ConfigAccount,
  wavelengths: Float64Array,
): string {
  const { scaling, frequencies, headDim, layout } = scheme;
  const { derivation, attentionFactor, softmaxScale, dim } = frequencies;
  const { rule, steps, logits } = derivation;
  const length = originalLengthOf(scheme);
  const rotated = dim === headDim ? `a head of ${headDim}` : `${dim} of the ${headDim} of a head`;
  const type = scaling.type === 'none' ? 'no scaling' : `scaling ${scaling.type}`;
  const lines = [
    `${path}: rotary positions, ${type}; ${counted(dim / 2, 'pair')} from ${rotated}, ${layout}.`,
    '',
    `  frequencies = ${rule}`,
    ...columns([
      ['base', numberText(derivation.base), ''],
      ...steps.map(({ name, value, rule }) => [name, numberText(value), rule]),
    ]),
    '',
    ...pairLines(scheme, wavelengths),
    '',
    ...(length === undefined ? [] : [turnLine(frequencies, length)]),
    ...(attentionFactor === 1 && softmaxScale === 1
      ? []
      : [
          `Scores of rotated values are multiplied by ${numberText(logits.rotated)} in all: ` +
            `cos and sin by ${numberText(attentionFactor)}, the softmax scale by ${numberText(softmaxScale)}.`,
        ]),
    ...(scheme.temperature
      ? [`Each query has a factor on its scores as well: ${scheme.temperature.type}.`]
      : []),
    ...(scheme.unrotatedTemperature
      ? [`Layers without rotation have a factor per query: ${scheme.unrotatedTemperature.type}.`]
      : []),
    ...(scheme.withoutPosition
      ? [`Layers without rotation: ${scheme.withoutPosition.join(', ')}.`]
      : []),
    ...accountLines(account),
  ];
  return `${lines.join('\n')}\n`;
}

function runtimeText({ where, text, lists = {}, cannot }: RuntimeSettings): string {
  const shown = Object.entries(lists).map(
    ([name, list]) =>
      `  ${name}: ${list.slice(0, 4).map(numberText).join(', ')}, … (${list.length} values: --json)`,
  );
  const lines = [
    `For ${where}:`,
    ...text.split('\n').map((line) => `  ${line}`),
    ...shown,
    ...(cannot.length ? ['What it does not express:', ...cannot.map((line) => `  ${line}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** vLLM's settings of a model whose kinds of layers rotate differently: one block for each kind. */
function vllmByKind({ rw, operands, given, read }: Call): RuntimeSettings | undefined {
  const [path] = operands as [string];
  if (given['layerType'] !== undefined || given['length'] !== undefined) return undefined;
  const kinds = configLayers(rw, new TextDecoder().decode(read(path)));
  const isNamed = kinds.every(({ kind = '' }) => /^(full|sliding)_attention$/.test(kind));
  if (kinds.length < 2 || !isNamed) return undefined;
  const each = kinds.map(({ scheme }) => runtimeSettings(rw, scheme, 'vllm', path));
  const [first] = each as [RuntimeSettings];
  const blocks = each.map(({ settings }, i) => [kinds[i]!.kind, settings!['rope_parameters']]);
  const settings = { rope_parameters: Object.fromEntries(blocks) as object };
  const [name, json, ...others] = first.flags as [string, string, ...string[]];
  const flag = vllmOverrides(kinds[0]!.scheme, settings);
  return {
    ...first,
    settings,
    flags: [name, flag, ...others],
    text: first.text.replace(json, () => flag),
    cannot: [...new Set(each.flatMap(({ cannot }) => cannot))],
  };
}

/** The same scheme in the words of another program. */
function translated(name: RuntimeName, scheme: Scheme, call: Call): Outcome {
  const { rw, operands } = call;
  const settings =
    (name === 'vllm' && vllmByKind(call)) || runtimeSettings(rw, scheme, name, operands[0]);
  const { text: _, ...facts } = settings;
  return { arrays: {}, facts: { as: name, ...facts }, text: runtimeText(settings) };
}

export const frequencies: Command = {
  says: 'the frequency of each pair in the model of a Hugging Face config.json, and how it came about',
  operands: 'CONFIG.json',
  count: [1, 1],
  options: {
    ...configChoices,
    as: {
      kind: runtimeNames,
      says: 'print the flags or the JSON that make this program rotate alike, and what it cannot express',
    },
  },
  example: 'ropewalk frequencies config.json --as llama.cpp',
  run(call) {
    const [path] = call.operands as [string];
    const { scheme, account } = rotaryOf(path, call);
    const { as } = call.given as { as?: RuntimeName };
    if (as !== undefined) return translated(as, scheme, call);
    const { inverseFrequencies, derivation, ...facts } = scheme.frequencies;
    const shape = [inverseFrequencies.length];
    const wavelength = inverseFrequencies.map((frequency) => (2 * Math.PI) / frequency);
    const { trained, kept, ...story } = derivation;
    return {
      arrays: {
        inverseFrequencies: { data: inverseFrequencies, shape },
        trained: { data: trained, shape },
        wavelength: { data: wavelength, shape },
        ...(kept && { kept: { data: Float64Array.from(kept), shape: [kept.length] } }),
      },
      axes: Object.fromEntries(
        ['inverseFrequencies', 'trained', 'wavelength', 'kept'].map((name) => [name, ['pair']]),
      ),
      facts: { ...facts, ...story },
      text: sentences(path, scheme, account, wavelength),
    };
  },
};
