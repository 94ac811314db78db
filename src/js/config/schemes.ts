/** The position schemes without rotation, read from a configuration. */
import type { Family } from './family.js';
import { mentionsRotary } from './rotary.js';
import { quoted, rules, type ConfigSection } from './reader.js';
import { headNames, headWidth } from './width.js';
import { wrongValue } from '../runtime/errors.js';

/** T5 buckets; the table of biases is in the weights. */
export interface T5Parameters {
  type: 't5';
  buckets: number;
  maxDistance: number;
  heads: number;
  /** T5 does not divide scores by √d. */
  scale: 1;
}

export interface DebertaScheme {
  type: 'deberta';
  /** Half the rows of the relative table. */
  span: number;
  /** Logarithmic buckets per side, if used. */
  buckets?: number;
  maxDistance: number;
  /** Content to position, position to content. */
  terms: ('c2p' | 'p2c')[];
  /** Are positions also added at the input? */
  absolute: boolean;
}

export interface LearnedScheme {
  type: 'learned';
  positions: number;
  dim: number;
  /** Rows of the table before position 0. */
  offset: number;
}

export interface SinusoidalScheme {
  type: 'sinusoidal';
  positions?: number;
  dim: number;
  /** 'half-split-cos-first': all cosines, then all sines (MusicGen). */
  layout: 'interleaved' | 'half-split' | 'half-split-cos-first';
  spacing: 'dim/2' | 'dim/2-1';
}

export interface AlibiParameters {
  type: 'alibi';
  heads: number;
  maxBias: number;
  /** Falcon adds its biases before it divides by √d: they are divided by this, too. */
  divisor?: number;
}

/** The schemes that do not rotate queries and keys, as the configuration states them. */
export type UnrotatedScheme =
  | T5Parameters
  | DebertaScheme
  | LearnedScheme
  | SinusoidalScheme
  | AlibiParameters
  | { type: 'relative-key' | 'relative-key-query'; positions: number }
  | { type: 'transformer-xl'; dim: number }
  | { type: 'none' };

export const widthNames = ['hidden_size', 'n_embd', 'd_model', 'dim', 'emb_dim', 'embed_dim'];
const countNames = [
  'max_position_embeddings',
  'n_positions',
  'n_ctx',
  'max_source_positions',
  'max_seq_len',
  'max_decoder_position_embeddings',
  'max_target_positions',
  'block_size',
];

const heads = (config: ConfigSection) => config.needed(headNames, rules.width, 'heads');
const width = (config: ConfigSection) => config.needed(widthNames, rules.width, 'model-width');
const count = (config: ConfigSection) => config.needed(countNames, rules.length, 'position-count');

function t5(config: ConfigSection): T5Parameters {
  const bucketKey = 'relative_attention_num_buckets',
    distanceKey = 'relative_attention_max_distance';
  const bucketRule = { least: 2, most: 2 ** 16, whole: true };
  const buckets = config.number(bucketKey, bucketRule, 'buckets');
  const maxDistance = config.number(distanceKey, rules.originalLength, 'last-bucket');
  return {
    type: 't5',
    buckets: buckets ?? config.assume(bucketKey, 32, { code: 't5-buckets' }),
    maxDistance: maxDistance ?? config.assume(distanceKey, 128, { code: 't5-distance' }),
    heads: heads(config),
    scale: 1,
  };
}

function alibi(config: ConfigSection, from = config): UnrotatedScheme {
  const rule = { above: 0, most: 1e3 };
  const maxBias = from.number('alibi_bias_max', rule, 'slope-exponent') ?? 8;
  const divisor = config.family?.dividesBias && headWidth(config, undefined) ** 0.5;
  return { type: 'alibi', heads: heads(config), maxBias, ...(divisor && { divisor }) };
}

function deberta(config: ConfigSection): DebertaScheme {
  const signed = { least: -1, most: 2 ** 31, whole: true };
  const furthest = config.number('max_relative_positions', signed, 'furthest-distance');
  const maxDistance = furthest !== undefined && furthest > 0 ? furthest : count(config);
  const buckets = config.number('position_buckets', signed, 'log-buckets') ?? -1;
  const given = config.value('pos_att_type');
  const listed = typeof given === 'string' ? given.toLowerCase().split('|') : given;
  const terms = (['c2p', 'p2c'] as const).filter(
    (term) => Array.isArray(listed) && listed.includes(term),
  );
  if (given !== undefined) {
    config.noted('pos_att_type', terms, 'score-terms');
  }
  const absolute = config.boolean('position_biased_input', 'input-positions') ?? true;
  const span = buckets > 0 ? buckets : maxDistance;
  return { type: 'deberta', span, ...(buckets > 0 && { buckets }), maxDistance, terms, absolute };
}

/** The width of a learned table: ALBERT and others project it to that of the model. */
function tableWidth(config: ConfigSection): number {
  const name = config.family?.width;
  return (name && config.number(name, rules.width, 'model-width')) || width(config);
}

/** A learned table; `names` are the keys that may have its number of positions. */
export function learnedScheme(config: ConfigSection, names = countNames): LearnedScheme {
  const { offset: usual = 0, includesOffset = false } = config.family ?? {};
  const padding = config.value('pad_token_id');
  // Positions are counted from the one after pad_token_id, as in fairseq; 0 says that none is set.
  const isCounted = includesOffset && Number.isInteger(padding) && (padding as number) > 0;
  const offset = isCounted ? (padding as number) + 1 : usual;
  const rows = config.needed(names, rules.length, 'position-count');
  if (includesOffset && rows <= offset) {
    const key = config.key('max_position_embeddings');
    throw wrongValue(key, `must exceed the ${offset} rows before position 0`, rows);
  }
  if (offset > 0) {
    config.assume('padding_idx', offset, { code: 'rows-before', values: { rows: offset } });
  }
  return {
    type: 'learned',
    positions: includesOffset ? rows - offset : rows,
    dim: tableWidth(config),
    offset,
  };
}

function sinusoidal(config: ConfigSection): SinusoidalScheme {
  const positions = config.anyNumber(countNames, rules.length, 'table-length');
  const { sinusoid: layout = 'interleaved', spacing = 'dim/2' } = config.family ?? {};
  return {
    type: 'sinusoidal',
    ...(positions && { positions }),
    dim: width(config),
    layout,
    spacing,
  };
}

export type SchemeName =
  Exclude<Family['scheme'], 'image' | 'other'> | 'relative-key' | 'relative-key-query';

/** Spellings of one key: of transformers, and of files that models bring along. */
const schemeKeys = [
  'position_embedding_type',
  'position_embedding',
  'position_encoding_type',
  'position_encoding',
];

const embeddingTypes = new Map<string, SchemeName>([
  ['absolute', 'learned'],
  ['learned', 'learned'],
  ['learned_absolute', 'learned'],
  ['sinusoidal', 'sinusoidal'],
  ['relative_key', 'relative-key'],
  ['relative_key_query', 'relative-key-query'],
  ['rotary', 'rotary'],
  ['rope', 'rotary'],
  ['rope_gptj', 'rotary'],
  ['alibi', 'alibi'],
  ['nope', 'none'],
  ['none', 'none'],
]);

/** Files that describe something other than a model, or one without text, and what is said then. */
function refuseOtherFiles(config: ConfigSection): void {
  const base = config.value('base_model_name_or_path');
  const where = typeof base === 'string' ? `, ${quoted(base)}` : '';
  const wrong = {
    peft_type: `must be absent: an adapter has no positions of its own; read the config.json of its base model${where}`,
    _class_name: 'must be absent: models of diffusers place images, which is not described here',
  };
  for (const [name, rule] of Object.entries(wrong))
    if (config.has(name))
      throw wrongValue(config.key(name), rule, config.value(name), quoted(config.value(name)));
}

const isBaseNull = (config: ConfigSection) =>
  config.isNull('rope_theta') ||
  config.isNull('rope_parameters') ||
  config.section('rope_parameters')?.isNull('rope_theta');

/** The scheme that a key names; it takes precedence over the model type. */
function statedScheme(config: ConfigSection, isKnown: boolean): SchemeName | undefined {
  const on = (name: string) => config.value(name) === true;
  // Keys that switch rotation off, beside others that describe it.
  if (
    on('mla_use_nope') ||
    (config.value('qk_rope_head_dim') === 0 && config.value('use_mla') !== false) ||
    config.value('use_rope') === false ||
    (config.family?.nullUnrotated && isBaseNull(config))
  )
    return 'none';
  if (!isKnown && config.has('relative_attention_num_buckets')) return 't5';
  // MosaicBERT and DNABERT-2 keep the type and the position_embedding_type of BERT.
  if (on('alibi') || config.has('alibi_starting_size')) return 'alibi';
  if (on('use_mem_rope')) {
    if (!on('use_long_context')) return 'rotary';
    throw wrongValue(
      config.key('use_long_context'),
      'must be false: it rescales rope_theta, and files differ in whether theirs is rescaled',
      true,
    );
  }
  if (config.section('attn_config')?.value('rope') === true)
    throw wrongValue(
      config.key('attn_config.rope'),
      'must be false: MPT with rotation is not described here',
      true,
    );
  if (on('position_encoding_2d'))
    throw wrongValue(
      config.key('position_encoding_2d'),
      'must be false: ChatGLM-6B has positions in two dimensions, which are not described here',
      true,
    );
  if (config.has('block_position_encoding'))
    throw wrongValue(
      config.key('block_position_encoding'),
      'must be absent: the first GLM has positions of blocks, which are not described here',
      config.value('block_position_encoding'),
      quoted(config.value('block_position_encoding')),
    );
  if (config.value('model_type') === 'git' && config.owns('rope_theta'))
    throw wrongValue(
      config.key('model_type'),
      'must not be that of GIT, which does not rotate: Grok-2 has it, and is not described here',
      'git',
    );
  if (on('relative_attention')) return 'deberta';
  if (config.value('relative_attention') === false) return 'learned';
  const isComputed =
    on('sinusoidal_pos_embds') ||
    on('sinusoidal_embeddings') ||
    config.value('use_learned_position_embeddings') === false;
  if (isComputed) return 'sinusoidal';
  const name = config.spelling(schemeKeys);
  if (name === undefined) return undefined;
  const kind = config.text(name, 'scheme')!;
  const scheme = embeddingTypes.get(kind.toLowerCase());
  const usual = config.family?.scheme;
  // ModernBERT and others rotate, but their files have the "absolute" that BERT's class saves.
  const hasBase = !isKnown && config.owns('rope_theta') && config.has('rope_theta');
  if (scheme === 'learned' && (hasBase || (usual !== undefined && usual !== 'learned'))) {
    const winner = hasBase ? 'rope_theta' : 'model_type';
    const values = { winner: config.key(winner), value: config.value(winner) as string | number };
    config.contradict(name, kind, { code: 'other-wins', values });
    return undefined;
  }
  if (scheme) return scheme;
  const key = config.key(name),
    known = [...embeddingTypes.keys()].join(', ');
  throw wrongValue(key, `must be one of ${known}`, kind, quoted(kind));
}

/** Model types that are not known, whose names say that they see images. */
const imageNames = /vision|image|(^|_)vit($|_)/;

/**
 * The scheme of a model: what its file states, then what its model type does, then rotation if the
 * file has a key about it.
 */
function schemeNameOf(config: ConfigSection): Family['scheme'] | SchemeName | undefined {
  refuseOtherFiles(config);
  const type = config.text('model_type', 'architecture');
  const { family } = config;
  if (family?.scheme === 'image' || family?.scheme === 'other') return family.scheme;
  if (!family && imageNames.test(type ?? '')) return 'image';
  // Baichuan 13B uses ALiBi but no key of its configuration says so; Baichuan 7B uses RoPE.
  if (type === 'baichuan' && config.value('hidden_size') === 5120) {
    config.assume('alibi', true, { code: 'baichuan-13b' });
    return 'alibi';
  }
  return (
    statedScheme(config, family !== undefined) ??
    family?.scheme ??
    (mentionsRotary(config) ? 'rotary' : undefined)
  );
}

const decidingKeys =
  'rope_theta, rope_scaling, rope_parameters, alibi, relative_attention_num_buckets, position_embedding_type';

/** The scheme of a model of text, whose positions are one scheme that is described here. */
export function textSchemeOf(config: ConfigSection): SchemeName {
  const name = schemeNameOf(config);
  if (name !== undefined && name !== 'image' && name !== 'other') return name;
  const modelType = config.text('model_type', 'architecture');
  const key = config.key('model_type');
  const kind = quoted(modelType ?? 'absent');
  if (name === undefined) {
    const rule = `names no position scheme: ${key} ${kind} is not known, and it has none of ${decidingKeys}`;
    throw wrongValue('config', rule, modelType, '');
  }
  const rule =
    name === 'image'
      ? 'must be a model of text: positions of an image have two dimensions'
      : 'must be a model of text whose positions are one scheme that is described here';
  throw wrongValue(key, rule, modelType, kind);
}

/** MPT has its switch one level deeper. */
export function mptScheme(config: ConfigSection): UnrotatedScheme {
  const attention = config.section('attn_config');
  const on =
    attention?.boolean('alibi', 'alibi-on') ??
    config.assume('attn_config', true, { code: 'mpt-alibi' });
  return on ? alibi(config, attention) : learnedScheme(config);
}

export function unrotatedScheme(
  name: Exclude<SchemeName, 'rotary'>,
  config: ConfigSection,
): UnrotatedScheme {
  switch (name) {
    case 't5':
      return t5(config);
    case 'alibi':
      return alibi(config);
    case 'deberta':
      return deberta(config);
    case 'learned':
      return learnedScheme(config);
    case 'sinusoidal':
      return sinusoidal(config);
    case 'transformer-xl':
      return { type: name, dim: width(config) };
    case 'none':
      return { type: name };
    case 'relative-key':
    case 'relative-key-query':
      return { type: name, positions: count(config) };
  }
}
