/** From a model's configuration to its scheme of position. */
import { options, wholeNumber } from './checks.js';
import { familyOf, type Family } from './config_families.js';
import { ConfigSection, quoted, rules, type ConfigAccount } from './config_reader.js';
import {
  mentionsRotary,
  rotaryScheme,
  type ConfigChoices,
  type RotaryScheme,
} from './config_rotary.js';
import type { Core } from './core.js';
import {
  derivedFrequencies,
  type DerivedRotaryFrequencies,
  type RotaryFrequencyOptions,
} from './rotary_frequencies.js';

export type PositionScheme =
  | (RotaryScheme & { frequencies: DerivedRotaryFrequencies })
  | {
      type: 't5';
      buckets: number;
      maxDistance: number;
      heads: number;
      /** T5 scores have no 1/√d. */ scale: 1;
    }
  | { type: 'alibi'; heads: number; maxBias: number }
  | {
      type: 'deberta';
      span: number;
      buckets?: number;
      maxDistance: number;
      terms: ('c2p' | 'p2c')[];
      absolute: boolean;
    }
  | { type: 'relative-key' | 'relative-key-query'; positions: number }
  | {
      type: 'learned';
      positions: number;
      dim: number;
      /** Rows of the table before position 0. */ offset: number;
    }
  | {
      type: 'sinusoidal';
      positions?: number;
      dim: number;
      layout: 'interleaved' | 'concatenated';
      spacing: 'dim/2' | 'dim/2-1';
    }
  | { type: 'transformer-xl'; dim: number }
  | { type: 'none' };

export interface ConfigPosition {
  scheme: PositionScheme;
  account: ConfigAccount;
}

const headNames = [
  'num_attention_heads',
  'n_head',
  'n_heads',
  'num_heads',
  'encoder_attention_heads',
];
const widthNames = ['hidden_size', 'n_embd', 'd_model', 'dim', 'emb_dim'];
const lengthNames = [
  'max_position_embeddings',
  'n_positions',
  'n_ctx',
  'max_source_positions',
  'max_seq_len',
];

const heads = (config: ConfigSection) => config.needed(headNames, rules.width, 'heads');
const width = (config: ConfigSection) =>
  config.needed(widthNames, rules.width, 'width of the model');
const length = (config: ConfigSection) =>
  config.needed(lengthNames, rules.length, 'how many positions there are');

function t5(config: ConfigSection): PositionScheme {
  const bucketRule = { least: 2, most: 2 ** 16, whole: true };
  return {
    type: 't5',
    buckets:
      config.number('relative_attention_num_buckets', bucketRule, 'one bias per bucket and head') ??
      config.assume('relative_attention_num_buckets', 32, 'not given: 32, as T5 has'),
    maxDistance:
      config.number(
        'relative_attention_max_distance',
        rules.trainedLength,
        'from here on one bucket',
      ) ??
      config.assume(
        'relative_attention_max_distance',
        128,
        'not given: 128, as older T5 files leave out',
      ),
    heads: heads(config),
    scale: 1,
  };
}

function alibi(config: ConfigSection, from = config): PositionScheme {
  const maxBias =
    from.number('alibi_bias_max', { above: 0, most: 1e3 }, 'slopes are 2^(−this · h/H)') ?? 8;
  return { type: 'alibi', heads: heads(config), maxBias };
}

function deberta(config: ConfigSection): PositionScheme {
  const signed = { least: -1, most: 2 ** 31, whole: true };
  const stated =
    config.number(
      'max_relative_positions',
      signed,
      'furthest distance told apart; −1: the longest length',
    ) ?? -1;
  const maxDistance = stated < 1 ? length(config) : stated;
  const bucketCount =
    config.number('position_buckets', signed, 'log buckets on either side; −1: none') ?? -1;
  const given = config.value('pos_att_type');
  const listed =
    typeof given === 'string' ? given.toLowerCase().split('|') : Array.isArray(given) ? given : [];
  const terms = (['c2p', 'p2c'] as const).filter((term) => listed.includes(term));
  if (given !== undefined)
    config.noted('pos_att_type', terms, 'terms of the score besides content');
  const absolute =
    config.truth('position_biased_input', 'are positions also added at the input?') ?? true;
  const buckets = bucketCount > 0 ? bucketCount : undefined;
  return {
    type: 'deberta',
    span: buckets ?? maxDistance,
    ...(buckets && { buckets }),
    maxDistance,
    terms,
    absolute,
  };
}

function learned(config: ConfigSection, family: Family | undefined): PositionScheme {
  const { offset, within = false } = family?.scheme === 'learned' ? family : { offset: 0 };
  const rows = length(config);
  if (within && rows <= offset)
    throw new RangeError(
      `${config.key('max_position_embeddings')} must exceed the ${offset} rows before position 0, got ${rows}`,
    );
  if (offset > 0)
    config.assume('padding_idx', offset, `this model type leaves ${offset} rows before position 0`);
  return { type: 'learned', positions: within ? rows - offset : rows, dim: width(config), offset };
}

function sinusoidal(
  config: ConfigSection,
  { layout, spacing }: Extract<Family, { scheme: 'sinusoidal' }>,
): PositionScheme {
  const positions = config.anyNumber(
    lengthNames,
    rules.length,
    'how many positions the table is made for',
  );
  return {
    type: 'sinusoidal',
    ...(positions && { positions }),
    dim: width(config),
    layout,
    spacing,
  };
}

/** Keys that decide whatever the model type says. */
function stated(
  config: ConfigSection,
): Family['scheme'] | 'relative-key' | 'relative-key-query' | undefined {
  if (config.has('relative_attention_num_buckets')) return 't5';
  if (config.value('alibi') === true) return 'alibi';
  if (config.value('relative_attention') === true) return 'deberta';
  if (
    config.value('sinusoidal_pos_embds') === true ||
    config.value('sinusoidal_embeddings') === true
  )
    return 'sinusoidal';
  const kind = config.text('position_embedding_type', 'which scheme of position');
  if (kind === undefined) return undefined;
  const known = new Map<string, ReturnType<typeof stated>>([
    ['absolute', 'learned'],
    ['relative_key', 'relative-key'],
    ['relative_key_query', 'relative-key-query'],
    ['rotary', 'rotary'],
    ['rope', 'rotary'],
    ['alibi', 'alibi'],
    ['nope', 'none'],
  ]);
  const scheme = known.get(kind.toLowerCase());
  if (!scheme) {
    throw new RangeError(
      `${config.key('position_embedding_type')} must be one of ${[...known.keys()].join(', ')}, got ${quoted(kind)}`,
    );
  }
  return scheme;
}

/** MPT keeps its switches one level down. */
function mpt(config: ConfigSection): PositionScheme {
  const attention = config.section('attn_config');
  const on =
    attention?.truth('alibi', 'ALiBi on?') ??
    config.assume('attn_config', true, 'not given: ALiBi, as MPT has');
  return on ? alibi(config, attention ?? config) : learned(config, undefined);
}

function schemeOf(core: Core, config: ConfigSection, choices: ConfigChoices): PositionScheme {
  const modelType = config.text('model_type', 'which architecture');
  const family = familyOf(modelType);
  if (modelType === 'mpt') return mpt(config);
  // Baichuan's 13B has ALiBi and no key that says so; its 7B turns.
  const thirteenB = modelType === 'baichuan' && config.value('hidden_size') === 5120;
  if (thirteenB)
    config.assume('alibi', true, 'Baichuan with 5120 values is the 13B model, which has ALiBi');
  const kind =
    stated(config) ??
    (thirteenB ? 'alibi' : undefined) ??
    (mentionsRotary(config) ? 'rotary' : family?.scheme);
  switch (kind) {
    case 'rotary': {
      const scheme = rotaryScheme(config, family, choices);
      const { dim, partial, base, scaling } = scheme;
      return { ...scheme, frequencies: derivedFrequencies(core, { dim, partial, base, scaling }) };
    }
    case 't5':
      return t5(config);
    case 'alibi':
      return alibi(config);
    case 'deberta':
      return deberta(config);
    case 'relative-key':
    case 'relative-key-query':
      return { type: kind, positions: length(config) };
    case 'learned':
      return learned(config, family);
    case 'sinusoidal':
      return sinusoidal(
        config,
        family?.scheme === 'sinusoidal'
          ? family
          : { scheme: kind, layout: 'interleaved', spacing: 'dim/2' },
      );
    case 'transformer-xl':
      return { type: kind, dim: width(config) };
    case 'none':
      return { type: 'none' };
    case undefined:
      break;
  }
  throw new RangeError(
    `config names no scheme of position: ${config.key('model_type')} ${quoted(modelType ?? 'absent')} is not known, and none of ` +
      'rope_theta, rope_scaling, rope_parameters, alibi, relative_attention_num_buckets, position_embedding_type is there',
  );
}

/** Models of several kinds of input keep the text part in a section of its own. */
function textPart(config: ConfigSection): ConfigSection {
  const outer = config.section('thinker_config') ?? config;
  const name = outer.spelling(['text_config', 'llm_config', 'language_config']);
  return name === undefined ? outer : outer.section(name)!;
}

function positionOf(
  core: Core,
  config: unknown,
  choices: ConfigChoices | undefined,
): ConfigPosition {
  const given = options('choices', choices, ['length', 'layerType']);
  if (given.length !== undefined) wholeNumber('length', given.length);
  if (given.layerType !== undefined && typeof given.layerType !== 'string') {
    throw new TypeError(`layerType must be a string, got ${quoted(given.layerType)}`);
  }
  const section = textPart(ConfigSection.root(config));
  return { scheme: schemeOf(core, section, given), account: section.account };
}

export interface RotaryFrequenciesFunction {
  /**
   * How fast each pair turns: base^(−2i/dim) for i = 0 … dim/2 − 1, or what an extension for longer
   * contexts makes of it, with the derivation as data.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su et al. 2021, RoFormer, section 3.2.2; RotaryScaling for the extensions and their papers
   */
  (settings: RotaryFrequencyOptions): DerivedRotaryFrequencies;
  /**
   * The same for the model that a Hugging Face config.json describes.
   * @throws RangeError when the model has no rotary positions, and as positionFromConfig
   */
  fromConfig(config: string | object, choices?: ConfigChoices): DerivedRotaryFrequencies;
}

export const positionConfig = (core: Core) => ({
  rotaryFrequencies: Object.assign(
    (settings: RotaryFrequencyOptions) => derivedFrequencies(core, settings),
    {
      fromConfig(config: string | object, choices?: ConfigChoices) {
        const { scheme } = positionOf(core, config, choices);
        if (scheme.type === 'rotary') return scheme.frequencies;
        throw new RangeError(`config must describe a rotary model, got scheme '${scheme.type}'`);
      },
    },
  ) as RotaryFrequenciesFunction,

  /**
   * The scheme of position of a Hugging Face config.json (spellings of transformers 4 and 5), with its
   * parameters and an account of what was read, what was assumed and what contradicts.
   * @param config the text of the file, or the object it holds; nothing in it is trusted
   * @throws TypeError, RangeError naming the key, the rule and the value
   */
  positionFromConfig(config: string | object, choices?: ConfigChoices): ConfigPosition {
    return positionOf(core, config, choices);
  },
});
