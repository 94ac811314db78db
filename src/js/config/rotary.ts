/** The rotary part of a configuration: rope_scaling, rope_parameters and the older names. */
import { numberOfEither, quoted, rules, type ConfigSection, type ConfigValue } from './reader.js';
import type { LayerBase } from './family.js';
import { isOfHymba, lengthNames, scalingOf } from './scaling.js';
import { headWidth, separateParts, rotatedPart, rotatedValues } from './width.js';
import type { LogitFactorOptions } from '../rotary/logit_factors.js';
import type { RotaryLayout } from '../rotary/rotary.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';
import type { RotaryScaling } from '../rotary/scaling.js';

/** Choices that a configuration leaves open. */
export interface ConfigChoices {
  /** Current number of positions, for schemes that depend on the length. */
  length?: number;
  /** The kind of layer, if they differ: 'full_attention', 'sliding_attention', … */
  layerType?: string;
  /** 'encoder' or 'decoder', of a model whose parts have positions of their own (Whisper, LED). */
  part?: 'encoder' | 'decoder';
}

export const choicesSchema = {
  length: option.whole.optional(),
  part: option.oneOf('encoder', 'decoder').optional(),
  layerType: new option.Option<string>({
    kind: 'text',
    check(name, value) {
      if (typeof value === 'string') return value;
      throw wrongKind(name, 'must be a string', value, quoted(value));
    },
  }).optional(),
} satisfies Schema<ConfigChoices>;

/** The rotary positions of a model, as its configuration states them. */
export interface RotaryScheme {
  type: 'rotary';
  /** Which values of a head are a pair. */
  layout: RotaryLayout;
  /** DeepSeek: the rotation reads interleaved pairs and writes them in half-split order. */
  deinterleaves: boolean;
  /** The rotated values are the last of a head: multi-head latent attention, DeepSeek V4. */
  part?: 'trailing';
  /** Width of a head of queries and keys. */
  headDim: number;
  /** Option of rotaryFrequencies, with `rotaryFraction`, `base` and `scaling`. */
  dim: number;
  /** The share of the pairs that are rotated. */
  rotaryFraction: number;
  /** Base of the frequencies in training. */
  base: number;
  /** What changes the frequencies for longer contexts. */
  scaling: RotaryScaling;
  /** The longest context that the model supports. */
  maxLength?: number;
  /** The sections around the text model, as ['text_config']. Absent: it is at the top. */
  within?: string[];
  /** Angles are negated: position p rotates by −p · θ. */
  direction?: -1;
  /**
   * M-RoPE: how many pairs follow time, height and width; interleaved or one after another. ERNIE
   * has an order of its own: `axisOfPair` says which axis each pair follows.
   */
  sections?: { pairs: number[]; interleaved: boolean; axisOfPair?: number[] };
  /** Layers that have no position at all. */
  withoutPosition?: number[];
  /** A factor on the logits of each row: log-n, or that of Ministral 3. */
  temperature?: LogitFactorOptions;
  /** Llama 4: the same for the layers that do not rotate. */
  unrotatedTemperature?: LogitFactorOptions;
}

const ropeKeys = [
  'rope_parameters',
  'rope_scaling',
  'rope_theta',
  'rotary_dim',
  'rotary_pct',
  'rope_pct',
  'rotary_emb_base',
  'rope_embedding_base',
  'partial_rotary_factor',
  'qk_rope_head_dim',
  'rope_interleave',
  'global_rope_theta',
];

/** Whether the file has a key about rotation. */
export function mentionsRotary(config: ConfigSection): boolean {
  return (
    config.value('rope') === true || ropeKeys.some((name) => config.owns(name) && config.has(name))
  );
}

const isPlain = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys for the base of local layers, which are not scaled. */
const localBases = ['rope_local_base_freq', 'local_rope_theta', 'swa_rope_theta'];

/** The key that has the base of this kind of layers, where the kinds have separate keys. */
function baseOfKind(config: ConfigSection, layerType: string | undefined): LayerBase | undefined {
  const { family } = config;
  const kind = layerType ?? 'full_attention';
  const scaled = family?.scaledKinds && config.value(family.scaledKinds);
  if (Array.isArray(scaled) && scaled.length > 0 && !scaled.includes(kind))
    return { key: 'rope_theta', isScaled: false };
  if (family?.bases) return family.bases[family.settings?.[kind] ?? kind];
  const key = config.spelling(localBases);
  return layerType === 'sliding_attention' && key ? { key, isScaled: false } : undefined;
}

/** InternLM 7B has its settings under a name of its own; in GPT-J's files it is a switch. */
const internlmBlock = (config: ConfigSection) =>
  isPlain(config.value('rotary')) ? config.section('rotary') : undefined;

/** The block of rope settings; one level deeper if each kind of layer has its own. */
function ropeBlock(config: ConfigSection, layerType?: string) {
  const { family } = config;
  const isDefault = !config.owns('rope_parameters');
  const scaling = config.section('rope_scaling');
  const parameters = scaling && isDefault ? undefined : config.section('rope_parameters');
  if (scaling && parameters) {
    const values = { winner: scaling.path };
    parameters.contradict('rope_type', null, { code: 'block-wins', values });
  }
  const block = scaling ?? parameters ?? internlmBlock(config);
  const names = block?.names().filter((name) => isPlain(block.value(name))) ?? [];
  const nested = names.length > 0;
  if (!block || !nested) return { block, nested: false, layerType };
  const named = layerType !== undefined && family?.settings?.[layerType];
  const chosen =
    (named || layerType) ?? (names.includes('full_attention') ? 'full_attention' : names[0]!);
  if (layerType === undefined) {
    const values = { types: names.join(', '), chosen };
    config.assume('layer_types', chosen, { code: 'layer-settings', values });
  }
  const own = block.section(chosen);
  if (!own)
    throw wrongValue('layerType', `must be one of ${names.join(', ')}`, chosen, quoted(chosen));
  return { block: own, nested: true, layerType: chosen };
}

const baseNames = [
  'rope_theta',
  'rotary_emb_base',
  'global_rope_theta',
  'rope_base',
  'rope_embedding_base',
  'rope_freq_constant',
];

/** The layer of a kind that stands for it, where a key lists values by layer: the last one. */
function indexOfKind(config: ConfigSection, layerType: string | undefined): number | undefined {
  const kinds = withoutDraftLayers(config, config.value('layer_types'));
  const last = Array.isArray(kinds) ? kinds.lastIndexOf(layerType) : -1;
  return last < 0 ? undefined : last;
}

export const layerCounts = [
  'num_hidden_layers',
  'n_layer',
  'n_layers',
  'num_layers',
  'decoder_layers',
  'decoder_num_hidden_layers',
  'num_transformer_layers',
  'layers',
];

/**
 * A list with an entry per layer, without those of the layers that only draft tokens: Step 3.5 has
 * them at the end.
 */
export function withoutDraftLayers<List>(config: ConfigSection, list: List): List {
  const drafts = config.value('num_nextn_predict_layers');
  if (!Array.isArray(list) || typeof drafts !== 'number') return list;
  const layers = config.anyNumber(layerCounts, rules.width, 'layer-count');
  return list.length === (layers ?? NaN) + drafts ? (list.slice(0, layers) as List) : list;
}

/** Bases of single layers, where 0 says that the layer does not rotate. */
export function layerBases(config: ConfigSection): readonly number[] | undefined {
  const key = ['layer_rope_theta', 'rope_theta'].find((name) => Array.isArray(config.value(name)));
  if (key === undefined) return undefined;
  const stated = config.numbers(key, { least: 0, most: 1e18 }, 'base')!;
  const layers = config.anyNumber(layerCounts, rules.width, 'layer-count') ?? stated.length;
  const bases = withoutDraftLayers(config, stated);
  if (bases.length === layers) return bases;
  throw wrongValue(config.key(key), `must have ${layers} entries`, bases.length);
}

function baseOf(
  config: ConfigSection,
  block: ConfigSection | undefined,
  layerType: string | undefined,
  layer = indexOfKind(config, layerType),
): number {
  const perLayer = layerBases(config);
  if (perLayer) return perLayer[layer ?? perLayer.findIndex((base) => base !== 0)] ?? 0;
  const name = config.spelling(baseNames);
  // DBRX has it among the settings of its attention.
  const holder =
    name === undefined && isPlain(config.value('attn_config'))
      ? config.section('attn_config')!
      : config;
  const given = numberOfEither(
    [block, block?.has('base') ? 'base' : 'rope_theta'],
    [holder, name ?? 'rope_theta'],
    rules.base,
    'base',
  );
  const base = given ?? config.assume('rope_theta', 10000, { code: 'default-base' });
  return base * (config.number('rope_ratio', rules.factor, 'base-factor') ?? 1);
}

function ropeType(block: ConfigSection | undefined, config: ConfigSection): string {
  if (!block) {
    if (isOfHymba(config)) return config.text('rope_type', 'extension')!;
    const stray = config.family ? undefined : config.value('rope_type');
    if (stray !== undefined && stray !== 'default')
      throw wrongValue(
        config.key('rope_type'),
        'must be default where there is no rope_scaling: this extension is not described here',
        stray,
        quoted(stray),
      );
    return config.assume('rope_type', 'default', { code: 'no-extension' });
  }
  const type = block.text('rope_type', 'extension');
  const older = block.text('type', 'older-extension');
  if (type !== undefined && older !== undefined && type !== older) {
    const values = { winner: 'rope_type', value: type };
    block.contradict('type', older, { code: 'other-wins', values });
  }
  return type ?? older ?? block.assume('rope_type', 'default', { code: 'default-extension' });
}

/** The rope settings of one kind of layer. */
interface RopeSettings {
  /** rope_scaling or rope_parameters, or what it has for this kind of layer. */
  block: ConfigSection | undefined;
  /** The same where it does not scale this kind of layer, but may say which share is rotated. */
  shared: ConfigSection | undefined;
  /** Whether each kind of layer has its own block. */
  nested: boolean;
  layerType: string | undefined;
  /** The rope_type. */
  type: string;
  base: number;
  /** Whether all kinds of layers have these settings. */
  isShared: boolean;
}

export function ropeSettings(
  config: ConfigSection,
  layerType: string | undefined,
  layer?: number,
): RopeSettings {
  const { family } = config;
  const found = ropeBlock(config, layerType);
  const own = found.nested ? undefined : baseOfKind(config, layerType);
  const hasKinds =
    family?.bases !== undefined ||
    family?.scaledKinds !== undefined ||
    config.spelling(localBases) !== undefined;
  const isShared = !found.nested && !hasKinds;
  if (own && !own.isScaled) {
    config.assume('rope_type', 'default', { code: 'sliding-unscaled' });
    const base =
      own.key === 'rope_theta'
        ? baseOf(config, found.block, layerType, layer)
        : config.needed([own.key], rules.base, 'sliding-base');
    return { ...found, shared: found.block, block: undefined, type: 'default', base, isShared };
  }
  const { block } = found;
  const type = ropeType(block, config);
  const base =
    own && own.key !== 'rope_theta'
      ? config.needed([own.key], rules.base, 'base')
      : baseOf(config, block, layerType, layer);
  return { ...found, shared: block, type, base, isShared };
}

/** ERNIE: pairs of height and width alternate, and those of time come last. */
const alternatingAxes = ([height, width, time]: readonly number[]) => [
  ...Array.from({ length: height! + width! }, (_, i) => 1 + (i % 2)),
  ...new Array<number>(time!).fill(0),
];

function sectionsOf(
  config: ConfigSection,
  block: ConfigSection | undefined,
  rotated: number,
): RotaryScheme['sections'] {
  const { family } = config;
  const rule = { least: 0, most: 2 ** 16, whole: true };
  const usual = family?.sections;
  const pairs =
    block?.numbers('mrope_section', rule, 'sections') ??
    (usual && config.assume('mrope_section', [...usual.pairs], { code: 'model-default' }));
  if (!pairs) return undefined;
  const interleaved =
    block?.boolean('mrope_interleaved', 'interleaved-sections') ?? usual?.interleaved ?? false;
  const sum = pairs.reduce((total, count) => total + count, 0);
  if (!interleaved && sum !== rotated) {
    const section = block?.has('mrope_section') ? block : config;
    section.contradict('mrope_section', pairs, { code: 'section-sum', values: { sum, rotated } });
    return undefined;
  }
  const axisOfPair = family?.alternatesAxes && alternatingAxes(pairs);
  return { pairs, interleaved, ...(axisOfPair && { axisOfPair }) };
}

/** 0 in no_rope_layers marks a layer without positions (SmolLM3, Llama 4). */
function layersWithout(config: ConfigSection): number[] | undefined {
  const flags = config.numbers(
    'no_rope_layers',
    { least: 0, most: 1, whole: true },
    'layers-with-position',
  );
  const without = flags?.flatMap((flag, layer) => (flag === 0 ? [layer] : [])) ?? [];
  return without.length > 0 ? without : undefined;
}

function temperatureOf(
  config: ConfigSection,
  block: ConfigSection | undefined,
): LogitFactorOptions | undefined {
  const strength = block?.number('llama_4_scaling_beta', rules.weight, 'llama4-scale');
  if (block && strength) {
    const names = ['original_max_position_embeddings'];
    const floorLength = block.needed(names, rules.originalLength, 'llama4-step');
    return { type: 'llama4', scale: strength, floorLength, offset: 0 };
  }
  if (config.value('use_logn_attn') === true) {
    const originalLength = config.needed(['seq_length'], rules.originalLength, 'original-length');
    return { type: 'log-n', form: 'clipped', originalLength };
  }
  return undefined;
}

/** Llama 4 has a temperature where it does not rotate; 0 and false switch it off. */
function unrotatedTemperatureOf(config: ConfigSection): LogitFactorOptions | undefined {
  const given = config.value('attn_temperature_tuning');
  if (!given) return undefined;
  config.noted('attn_temperature_tuning', true, 'temperature-on');
  const scale = config.number('attn_scale', rules.weight, 'llama4-scale') ?? 0.1;
  const floorLength = config.number('floor_scale', rules.length, 'llama4-step') ?? 8192;
  return { type: 'llama4', scale, floorLength };
}

function layoutOf(config: ConfigSection) {
  const { family } = config;
  if (!family?.layout && (config.value('use_mla') === false || config.has('rope_interleave')))
    config.assume('model_type', config.text('model_type', 'architecture') ?? null, {
      code: 'unknown-scheme',
    });
  // DeepSeek's models without latent attention have that of Llama.
  if (config.value('use_mla') === false)
    return { layout: 'half-split', deinterleaves: false } as const;
  if (config.has('rope_interleave') && (!family || family.deinterleaves)) {
    const deinterleaves = config.boolean('rope_interleave', 'deinterleaves')!;
    return { layout: deinterleaves ? 'interleaved' : 'half-split', deinterleaves } as const;
  }
  // Nomic BERT, and others made with flash-attn.
  if (config.value('rotary_emb_interleaved') === true)
    return { layout: 'interleaved', deinterleaves: false } as const;
  if (family?.layout)
    return { layout: family.layout, deinterleaves: family.deinterleaves ?? false };
  config.assume('model_type', 'half-split', { code: 'unknown-model' });
  return { layout: 'half-split', deinterleaves: false } as const;
}

/** Keys about rotation that are read elsewhere, or only for some layers or values. */
const otherRopeKeys = [
  ...baseNames,
  ...localBases,
  ...['rope', 'rope_type', 'rotary', 'rotary_emb', 'rotary_scaling_factor', 'use_rope'],
  ...['rotary_emb_scaling_factor', 'rotary_emb_interleaved', 'rotary_emb_fraction', 'rotary_value'],
  ...['no_rope_layers', 'no_rope_layer_interval', 'nope_layer_interval', 'use_mem_rope'],
  ...['compress_rope_theta', 'layer_rope_theta', 'rope_ratio', 'partial_rotary_factors'],
  ...['rope_full_precision', 'rope_3d', 'rope_percent', 'rope_max_length'],
  ...['original_rope', 'attn_rotary_emb'],
];

/** Notes keys with names about rotation that nothing reads: misspelt, or of other code. */
function noteUnread(config: ConfigSection): void {
  const known = new Set([...ropeKeys, ...otherRopeKeys]);
  const unread = config
    .names()
    .filter(
      (name) => /rope|rotary|dual_chunk/i.test(name) && !known.has(name) && !config.wasRead(name),
    )
    .filter((name) => config.owns(name) && config.has(name))
    // A switch that is off, and a factor of 1, change nothing.
    .filter((name) => config.value(name) !== false && config.value(name) !== 1);
  for (const name of unread.slice(0, 20)) {
    const value = config.value(name);
    const shown = typeof value === 'object' ? null : (value as ConfigValue);
    config.contradict(name.slice(0, 100), shown, { code: 'unread' });
  }
}

export function rotaryScheme(config: ConfigSection, choices: ConfigChoices): RotaryScheme {
  const { family } = config;
  const settings = ropeSettings(config, choices.layerType);
  const { block, nested, layerType, type, base } = settings;
  if (choices.layerType !== undefined && settings.isShared)
    config.assume('layer_types', choices.layerType, { code: 'one-rope' });
  const part =
    separateParts(config) ??
    rotatedPart(
      config,
      settings.shared,
      headWidth(config, layerType),
      indexOfKind(config, layerType),
    );
  const pairs = rotatedValues(config, part, type) / 2;
  const scaling = scalingOf({ config, block, type, nested, pairs, length: choices.length });
  const maxLength = config.anyNumber(lengthNames, rules.originalLength, 'longest-length');
  const sections = sectionsOf(config, block, pairs);
  const withoutPosition = layersWithout(config);
  const temperature = temperatureOf(config, block);
  const unrotatedTemperature = unrotatedTemperatureOf(config);
  noteUnread(config);
  return {
    type: 'rotary',
    ...layoutOf(config),
    ...part,
    base,
    scaling,
    ...(maxLength && { maxLength }),
    ...(family?.direction && { direction: family.direction }),
    ...(sections && { sections }),
    ...(withoutPosition && { withoutPosition }),
    ...(temperature && { temperature }),
    ...(unrotatedTemperature && { unrotatedTemperature }),
  };
}
