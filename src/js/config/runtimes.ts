/**
 * What makes another program rotate as a config says, and what that program cannot express. Read
 * at transformers 5, vLLM 07b12f1b (get_rope), llama.cpp after PR 17945, mlx-lm 060aa434
 * (rope_utils) and ONNX opset 23.
 */
import type { FrequencySource } from './position.js';
import type { RotaryScheme } from './rotary.js';
import { blockKeys } from './scaling.js';
import { oneOf } from '../runtime/checks.js';
import { wrongKind } from '../runtime/errors.js';
import type { DerivedRotaryFrequencies } from '../rotary/frequencies.js';
import type { RotaryScaling } from '../rotary/scaling.js';

/** Settings that make one program rotate as a configuration says. */
export interface RuntimeSettings {
  /** Where the settings go, in words. */
  where: string;
  /** Entries of a JSON file, or attributes. */
  settings?: Record<string, unknown>;
  /** Options of a command line, one after the other. */
  flags?: string[];
  /** Numbers per pair that the settings refer to. */
  lists?: Record<string, number[]>;
  /** Schemes that this runtime lacks, and what to do instead. */
  cannot: string[];
  /** What to paste: the options as a shell takes them, or the entries as JSON. */
  text: string;
}

type Settings = Omit<RuntimeSettings, 'text'>;

/** A rotary scheme with its frequencies and their derivation, as positionFromConfig returns it. */
export type DerivedScheme = RotaryScheme & { frequencies: DerivedRotaryFrequencies };

/** A rotary scheme as a config describes it, and YaRN's own attention factor for its factor. */
interface SchemeForRuntimes {
  scheme: DerivedScheme;
  /** The attention factor without attention_factor, mscale and mscale_all_dim. */
  plainAttentionFactor: number;
  /** The file, as it was typed. */
  path: string;
}

type Block = Record<string, unknown>;

/** Trained frequency over the one in use, per pair; a pair that does not rotate has none. */
function divisorsOf({ scheme: { frequencies } }: SchemeForRuntimes): number[] {
  const { derivation, inverseFrequencies } = frequencies;
  return Array.from(inverseFrequencies, (used, pair) => derivation.trained[pair]! / used);
}

const lengthOf = (scaling: { length?: number; originalLength: number }) =>
  scaling.length ?? scaling.originalLength;

/** Where the frequencies follow the length, most runtimes can have those of one length. */
const followsLength = (scaling: { length?: number; originalLength: number }) =>
  `the base follows the length: this is the base at ${lengthOf(scaling)} positions (--length), for any length`;

/** The options with the defaults of YaRN's authors, which runtimes need not share. */
const optionsOf = (scaling: RotaryScaling): Block =>
  scaling.type === 'yarn' ? { betaFast: 32, betaSlow: 1, ...scaling } : { ...scaling };

/** The scalings whose type is a rope_type of these programs. */
const sharedTypes: ReadonlySet<string> = new Set([
  'none',
  'linear',
  'yarn',
  'longrope',
  'llama3',
  'proportional',
]);

/** What a block of rope_parameters has in every runtime that reads one. */
function blockOf(given: SchemeForRuntimes): Block | undefined {
  const { scaling, base, rotaryFraction, sections } = given.scheme;
  const keys = sharedTypes.has(scaling.type) && blockKeys[scaling.type];
  if (!keys) return undefined;
  const options = optionsOf(scaling);
  const stated = Object.entries(keys).filter(([name]) => options[name] !== undefined);
  return {
    rope_type: scaling.type === 'none' ? 'default' : scaling.type,
    rope_theta: base,
    ...(rotaryFraction < 1 && { partial_rotary_factor: rotaryFraction }),
    ...(sections && {
      mrope_section: sections.pairs,
      ...(sections.interleaved && { mrope_interleaved: true }),
    }),
    ...Object.fromEntries(stated.map(([name, key]) => [key, listed(options[name])])),
    ...(scaling.type === 'yarn' && scaling.truncate === false && { truncate: false }),
  };
}

/** A list of any kind as JSON writes it. */
const listed = (value: unknown) =>
  typeof value === 'object' ? Array.from(value as ArrayLike<number>) : value;

/** Scalings that only change the base. */
const isRebased = ({ type }: RotaryScaling) => type === 'ntk-alpha' || type === 'dynamic-ntk';

/** The base that stands in for NTK where a runtime has no such type. */
function rebased(given: SchemeForRuntimes): Block {
  const { frequencies, rotaryFraction } = given.scheme;
  return {
    rope_type: 'default',
    rope_theta: frequencies.derivation.base,
    ...(rotaryFraction < 1 && { partial_rotary_factor: rotaryFraction }),
  };
}

/** A scaling without a rope_type here: its base, or its divisors, and what is lost. */
function withoutType(given: SchemeForRuntimes, cannot: string[]): Block {
  const { scaling } = given.scheme;
  if (scaling.type === 'dynamic-ntk') cannot.push(followsLength(scaling));
  if (isRebased(scaling)) return rebased(given);
  cannot.push('no rope_type: here as longrope, whose divisors serve every length');
  const divisors = divisorsOf(given);
  return {
    ...rebased(given),
    rope_type: 'longrope',
    rope_theta: given.scheme.base,
    original_max_position_embeddings: given.scheme.maxLength ?? 2,
    short_factor: divisors,
    long_factor: divisors,
    factor: 1,
  };
}

/** Facts that the settings of no runtime can express. */
function outsideOfSettings({ scheme }: SchemeForRuntimes, softmaxScaleNote: string): string[] {
  const { frequencies, withoutPosition, unrotatedTemperature } = scheme;
  const temperature = scheme.temperature ?? unrotatedTemperature;
  return [
    ...(frequencies.softmaxScale !== 1
      ? [`the softmax scale is multiplied by ${frequencies.softmaxScale}: ${softmaxScaleNote}`]
      : []),
    ...(temperature
      ? [`each query has a factor on its scores (${temperature.type}): it is in the model's code`]
      : []),
    ...(withoutPosition
      ? [`layers ${withoutPosition.join(', ')} do not rotate: it is in the model's code`]
      : []),
  ];
}

const layoutNote = ({ scheme }: SchemeForRuntimes, what: string) =>
  `pairs are ${scheme.layout}: ${what}`;

function huggingFace(given: SchemeForRuntimes): Settings {
  const { scheme } = given;
  const { scaling, maxLength } = scheme;
  const cannot: string[] = [];
  let block = blockOf(given);
  if (scaling.type === 'dynamic-ntk' && scaling.form !== 'rounded')
    block = { rope_type: 'dynamic', rope_theta: scheme.base, factor: scaling.factor };
  block ??= withoutType(given, cannot);
  if (scaling.type === 'yarn') {
    Object.assign(block, {
      ...(scaling.attentionFactor && { attention_factor: scaling.attentionFactor }),
      ...(scaling.mscale && { mscale: scaling.mscale }),
      ...(scaling.mscaleAllDim && { mscale_all_dim: scaling.mscaleAllDim }),
    });
  }
  if (scaling.type === 'longrope')
    Object.assign(block, {
      factor: scheme.frequencies.derivation.steps.find(({ name }) => name === 'factor')!.value,
      ...(scaling.attentionFactor && { attention_factor: scaling.attentionFactor }),
    });
  const length = scaling.type === 'dynamic-ntk' ? scaling.originalLength : maxLength;
  return {
    where:
      'config.json of transformers 5; in transformers 4, rope_theta and partial_rotary_factor stand beside a rope_scaling of the rest',
    settings: {
      rope_parameters: block,
      ...(length !== undefined && { max_position_embeddings: length }),
    },
    cannot: [
      ...cannot,
      layoutNote(given, "the model's code decides, no setting does"),
      ...outsideOfSettings(given, "only DeepSeek's classes do so"),
    ],
  };
}

/**
 * The value of --hf-overrides. A multimodal model reads the settings of its text model, and an
 * override at the top changes nothing there.
 * @see vLLM, ModelConfig._apply_dict_overrides and get_hf_text_config
 */
export function vllmOverrides({ within = [] }: RotaryScheme, settings: object): string {
  return JSON.stringify(within.reduceRight<object>((inner, key) => ({ [key]: inner }), settings));
}

function vllm(given: SchemeForRuntimes): Settings {
  const { scheme, plainAttentionFactor } = given;
  const { scaling, frequencies, maxLength } = scheme;
  const cannot: string[] = [];
  let block = blockOf(given);
  if (scaling.type === 'ntk')
    block = {
      ...rebased(given),
      rope_type: 'ntk',
      rope_theta: scheme.base,
      factor: scaling.factor,
      ...(scaling.form === 'su-mixed' && { mixed_b: scaling.exponent ?? 0.625 }),
    };
  if (scaling.type === 'ntk-alpha')
    block = { rope_type: 'dynamic', rope_theta: scheme.base, alpha: scaling.alpha };
  block ??= withoutType(given, cannot);
  if (scaling.type === 'yarn' && frequencies.attentionFactor !== plainAttentionFactor) {
    block['attn_factor'] = frequencies.attentionFactor / plainAttentionFactor;
    cannot.push('attention_factor and mscale are not read: attn_factor has their quotient');
  }
  if (scaling.type === 'longrope') {
    Object.assign(block, {
      short_mscale: frequencies.attentionFactor,
      long_mscale: frequencies.attentionFactor,
    });
    cannot.push('the list is chosen once, by --max-model-len, not by the length of a text');
  }
  if (scaling.type === 'proportional')
    cannot.push('get_rope has no rope_type proportional: a version that serves Gemma 4 is needed');
  return {
    where: 'vLLM 0.12 or later; before, --rope-scaling with this JSON and --rope-theta',
    flags: [
      '--hf-overrides',
      vllmOverrides(scheme, { rope_parameters: block }),
      ...(maxLength === undefined ? [] : ['--max-model-len', String(maxLength)]),
    ],
    settings: { rope_parameters: block },
    cannot: [
      ...cannot,
      layoutNote(given, "is_neox_style of the model's code decides, no setting does"),
      ...outsideOfSettings(given, "only DeepSeek's class (rope_type deepseek_yarn) does so"),
    ],
  };
}

/** Flags of a scheme with a type in llama.cpp; undefined for those that need divisors per pair. */
function llamaCppFlags(scaling: RotaryScaling): string[] | undefined {
  switch (scaling.type) {
    case 'none':
    case 'ntk-alpha':
    case 'dynamic-ntk':
      return ['--rope-scaling', 'none'];
    case 'linear':
      return ['--rope-scaling', 'linear', '--rope-scale', String(scaling.factor)];
    case 'yarn':
      return [
        ...['--rope-scaling', 'yarn', '--rope-scale', String(scaling.factor)],
        ...['--yarn-orig-ctx', String(scaling.originalLength)],
        ...['--yarn-beta-fast', String(scaling.betaFast ?? 32)],
        ...['--yarn-beta-slow', String(scaling.betaSlow ?? 1)],
      ];
    default:
      return undefined;
  }
}

function llamaCpp(given: SchemeForRuntimes): Settings {
  const { scheme, plainAttentionFactor } = given;
  const { scaling, frequencies, base, headDim } = scheme;
  const cannot: string[] = [];
  const flags = llamaCppFlags(scaling);
  const freqBase = isRebased(scaling) ? frequencies.derivation.base : base;
  if (scaling.type === 'dynamic-ntk') cannot.push(followsLength(scaling));
  if (scaling.type === 'yarn' && scaling.truncate === false)
    cannot.push('the ends of the ramp are rounded to whole pairs (truncate is true)');
  const factor = frequencies.attentionFactor / (flags ? plainAttentionFactor : 1);
  if (factor !== 1)
    cannot.push(
      `--yarn-attn-factor is overwritten when YaRN is on: --override-kv ARCH.rope.scaling.attn_factor=float:${factor} multiplies cos and sin`,
    );
  const lists = flags ? undefined : { 'rope_freqs.weight': divisorsOf(given) };
  if (scaling.type === 'longrope')
    cannot.push(
      'no flag: the GGUF has rope_factors_short.weight and rope_factors_long.weight, of which the size of the context chooses',
    );
  else if (lists)
    cannot.push('no flag: the GGUF needs the tensor rope_freqs.weight with these divisors');
  if (frequencies.dim < headDim)
    cannot.push(
      `${frequencies.dim} of ${headDim} values rotate: ARCH.rope.dimension_count says it`,
    );
  return {
    where: 'llama-cli, llama-server; ARCH is general.architecture of the GGUF',
    flags: [...(flags ?? []), '--rope-freq-base', String(freqBase)],
    ...(lists && { lists }),
    cannot: [
      ...cannot,
      layoutNote(
        given,
        `the architecture decides (${scheme.layout === 'half-split' ? 'NEOX' : 'NORM'}); convert the weights for the other one`,
      ),
      ...outsideOfSettings(given, 'only the architecture deepseek2 does so'),
    ],
  };
}

function mlx(given: SchemeForRuntimes): Settings {
  const { scheme } = given;
  const { scaling, frequencies, layout } = scheme;
  const cannot: string[] = [];
  const block = blockOf(given) ?? (isRebased(scaling) ? rebased(given) : undefined);
  if (scaling.type === 'dynamic-ntk') cannot.push(followsLength(scaling));
  if (scaling.type === 'yarn') {
    if (frequencies.attentionFactor !== given.plainAttentionFactor)
      block!['attention_factor'] = frequencies.attentionFactor;
    if (scaling.truncate === false)
      cannot.push('YarnRoPE rounds the ends of the ramp to whole pairs (truncate is true)');
  }
  if (scaling.type === 'longrope')
    cannot.push('SuScaledRoPE uses long_factor at every length, also where short_factor belongs');
  const lists = block
    ? undefined
    : { freqs: Array.from(frequencies.inverseFrequencies, (frequency) => 1 / frequency) };
  if (lists) cannot.push('no rope_type: pass freqs to mx.fast.rope, with base=None');
  return {
    where: 'config.json for mlx-lm: rope_theta, rope_scaling, rope_traditional',
    settings: {
      rope_theta: block?.['rope_theta'] ?? scheme.base,
      rope_traditional: layout === 'interleaved',
      ...(block && block['rope_type'] !== 'default' && { rope_scaling: withoutBase(block) }),
    },
    ...(lists && { lists }),
    cannot: [...cannot, ...outsideOfSettings(given, "only DeepSeek's models do so")],
  };
}

function withoutBase({ rope_theta: _, ...block }: Block): Block {
  return block;
}

function onnx(given: SchemeForRuntimes): Settings {
  const { scheme, path } = given;
  const { scaling, frequencies, headDim, layout } = scheme;
  const rows = scheme.maxLength ?? 4096;
  const cannot: string[] = [];
  if (scaling.type === 'dynamic-ntk')
    cannot.push('the caches are of one length (--length): the base does not follow the text');
  if (scaling.type === 'longrope')
    cannot.push('the caches are of one list: make a second pair with --length, and choose outside');
  if (scheme.sections)
    cannot.push(
      'the positions of time, height and width: caches of [batch, length, pairs] per text',
    );
  return {
    where: `RotaryEmbedding, opset 23: cos_cache and sin_cache are the two halves of caches.npy, made by \`ropewalk table rotary --config ${path} --positions ${rows} --out caches.npy\``,
    settings: {
      interleaved: Number(layout === 'interleaved'),
      rotary_embedding_dim: frequencies.dim < headDim ? frequencies.dim : 0,
    },
    cannot: [
      ...cannot,
      ...outsideOfSettings(given, 'multiply the attribute scale of Attention by it'),
    ],
  };
}

const runtimes = {
  hf: huggingFace,
  vllm,
  'llama.cpp': llamaCpp,
  mlx,
  onnx,
} satisfies Record<string, (given: SchemeForRuntimes) => Settings>;

/** An option as a shell takes it: what has other signs stands in quotes. */
const shellQuoted = (text: string) =>
  /^[\w.,:=/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** JSON with each list of numbers in one line. */
const jsonText = (settings: object) =>
  JSON.stringify(settings, null, 2).replaceAll(/\[[^[\]]*\]/g, (list) =>
    list.replaceAll(/\s+/g, ' '),
  );

/** A program for which there are settings. */
export type RuntimeName = keyof typeof runtimes;

export const runtimeNames = Object.keys(runtimes) as RuntimeName[];

/**
 * Returns what makes another program rotate as a configuration says: entries of its files, or
 * options of its command line, and what it cannot express.
 * @param rw an instance, which computes YaRN's own attention factor
 * @param scheme the rotary scheme that positionFromConfig returns
 * @param runtime the program: 'hf' (transformers), 'vllm', 'llama.cpp', 'mlx' or 'onnx'
 * @param path how the settings call the file. Default: config.json
 * @returns where the settings go, the settings, and what this runtime cannot express
 * @throws TypeError when the scheme is not rotary, RangeError for a program without settings
 * @see transformers 5, vLLM get_rope, llama.cpp llama-graph, mlx-lm rope_utils, ONNX opset 23
 */
export function runtimeSettings(
  rw: FrequencySource,
  scheme: DerivedScheme,
  runtime: RuntimeName,
  path = 'config.json',
): RuntimeSettings {
  oneOf('runtime', runtime, runtimeNames);
  if (scheme?.type !== 'rotary') throw wrongKind('scheme', 'must be a rotary scheme', scheme);
  const { dim, rotaryFraction, base, scaling } = scheme;
  const plainAttentionFactor =
    scaling.type === 'yarn'
      ? rw.rotaryFrequencies({
          ...{ dim, rotaryFraction, base },
          scaling: {
            type: 'yarn',
            factor: scaling.factor,
            originalLength: scaling.originalLength,
          },
        }).attentionFactor
      : 1;
  const settings = runtimes[runtime]({ scheme, plainAttentionFactor, path });
  const { flags } = settings;
  const text = flags ? flags.map(shellQuoted).join(' ') : jsonText(settings.settings!);
  return { ...settings, text };
}
