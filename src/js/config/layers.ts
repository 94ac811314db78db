/** The layers of a model, where they differ in how they treat positions. */
import { ConfigSection, quoted, rules, type ConfigAccount } from './reader.js';
import { textPart } from './section.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';

/** What one layer does with positions. */
export interface LayerPosition {
  /** Whether it rotates queries and keys; a layer that does not has no positions (NoPE). */
  rotates: boolean;
  /** Base of the frequencies. Absent: the layer does not rotate. */
  base?: number;
  /** Whether the configuration's extension for longer contexts applies to it. */
  isScaled: boolean;
  /** Sliding window: keys i − window < j ≤ i. Absent: none. */
  window?: number;
  /** Chunked attention: only keys of the same block of this many positions. Absent: none. */
  chunk?: number;
  /** Queries are multiplied by 1 + scale · ln(1 + ⌊(p + 1)/floorLength⌋). Absent: they are not. */
  temperature?: { scale: number; floorLength: number };
}

export interface LayerPlan {
  layers: LayerPosition[];
  /** Keys that were read, and assumptions. */
  account: ConfigAccount;
}

type Kind = 'full_attention' | 'sliding_attention' | 'chunked_attention';
const kinds: readonly Kind[] = ['full_attention', 'sliding_attention', 'chunked_attention'];

/** What the configuration class of a model type says where the file does not. */
interface PlannedFamily {
  /** Every so manieth layer is a full one, the others `local`. */
  pattern: number;
  local: Kind;
  base: number;
  /** Base of sliding layers, unscaled. Absent: the base of all layers. */
  localBase?: number;
  window?: number;
  chunk?: number;
  /** Which layers rotate. */
  rotates: 'all' | 'sliding' | 'flagged';
}

const families: Record<string, PlannedFamily> = {
  llama4_text: {
    pattern: 4,
    local: 'chunked_attention',
    base: 500000,
    chunk: 8192,
    rotates: 'flagged',
  },
  smollm3: { pattern: 4, local: 'full_attention', base: 2000000, rotates: 'flagged' },
  cohere2: {
    pattern: 4,
    local: 'sliding_attention',
    base: 10000,
    window: 4096,
    rotates: 'sliding',
  },
  exaone4: { pattern: 4, local: 'sliding_attention', base: 10000, rotates: 'sliding' },
  gemma3_text: {
    pattern: 6,
    local: 'sliding_attention',
    base: 1000000,
    localBase: 10000,
    window: 4096,
    rotates: 'all',
  },
  gemma3n_text: {
    pattern: 5,
    local: 'sliding_attention',
    base: 1000000,
    localBase: 10000,
    window: 512,
    rotates: 'all',
  },
};

/** layer_types, which wins over every other rule. */
function statedKinds(config: ConfigSection, layers: number): Kind[] | undefined {
  const given = config.value('layer_types');
  if (given === undefined) return undefined;
  if (!Array.isArray(given) || given.length !== layers)
    throw wrongValue(
      config.key('layer_types'),
      `must be a list of ${layers} names`,
      given,
      quoted(given),
    );
  given.forEach((kind, i) => {
    if (!kinds.includes(kind as Kind))
      throw wrongValue(
        config.key(`layer_types[${i}]`),
        `must be one of ${kinds.join(', ')}`,
        kind,
        quoted(kind),
      );
  });
  return config.noted('layer_types', given as Kind[], 'layer-kinds') as Kind[];
}

/** Which layers rotate by no_rope_layers: 1 says that the layer does, 0 that it does not. */
function rotationFlags(config: ConfigSection, layers: number, emptyIsAbsent: boolean): boolean[] {
  const rule = { least: 0, most: 1, whole: true };
  const flags = config.numbers('no_rope_layers', rule, 'layers-with-position');
  if (flags && !(emptyIsAbsent && flags.length === 0)) {
    if (flags.length !== layers)
      throw wrongValue(config.key('no_rope_layers'), `must have ${layers} entries`, flags.length);
    return flags.map((flag) => flag === 1);
  }
  const interval =
    config.number('no_rope_layer_interval', rules.width, 'unrotated-interval') ??
    config.assume('no_rope_layer_interval', 4, { code: 'model-default' });
  return Array.from({ length: layers }, (_, i) => (i + 1) % interval !== 0);
}

/** A number that is there, or that of the model type. */
const numberOr = (
  config: ConfigSection,
  name: string,
  rule: (typeof rules)[keyof typeof rules],
  code: Parameters<ConfigSection['number']>[2],
  otherwise: number | undefined,
): number | undefined =>
  config.number(name, rule, code) ??
  (otherwise === undefined ? undefined : config.assume(name, otherwise, { code: 'model-default' }));

/** The pattern, a number, or as EXAONE writes it a text such as "LLLG". */
function patternOf(config: ConfigSection, family: PlannedFamily): number {
  const given = config.value('sliding_window_pattern');
  if (typeof given !== 'string')
    return numberOr(
      config,
      'sliding_window_pattern',
      rules.width,
      'layer-pattern',
      family.pattern,
    )!;
  if (!/^L*G$/.test(given))
    throw wrongValue(
      config.key('sliding_window_pattern'),
      'must be a number or L…LG',
      given,
      quoted(given),
    );
  return config.noted('sliding_window_pattern', given, 'layer-pattern').length;
}

/** Llama 4's temperature, which acts in the layers without positions; 0 and false switch it off. */
function temperatureOf(config: ConfigSection): LayerPosition['temperature'] {
  const given = config.value('attn_temperature_tuning');
  if (given !== undefined && typeof given !== 'boolean' && typeof given !== 'number')
    throw wrongKind(
      config.key('attn_temperature_tuning'),
      'must be true or false',
      given,
      quoted(given),
    );
  const isOn =
    given === undefined
      ? config.assume('attn_temperature_tuning', true, { code: 'model-default' })
      : config.noted('attn_temperature_tuning', given, 'temperature-on');
  if (!isOn) return undefined;
  const scale = numberOr(config, 'attn_scale', rules.weight, 'llama4-scale', 0.1)!;
  const floorLength = numberOr(config, 'floor_scale', rules.length, 'llama4-step', 8192)!;
  return { scale, floorLength };
}

function layersOf(config: ConfigSection, type: string, family: PlannedFamily): LayerPosition[] {
  const count = config.needed(['num_hidden_layers'], rules.width, 'layer-count');
  // null switches windows off where a model type has them.
  const isWindowless =
    config.isNull('sliding_window') || (type === 'exaone4' && !config.has('sliding_window'));
  const window = isWindowless
    ? undefined
    : numberOr(config, 'sliding_window', rules.width, 'window', family.window);
  const chunk = numberOr(config, 'attention_chunk_size', rules.width, 'chunk', family.chunk);
  const base = numberOr(config, 'rope_theta', rules.base, 'base', family.base)!;
  const localBase = family.localBase
    ? numberOr(config, 'rope_local_base_freq', rules.base, 'sliding-base', family.localBase)
    : undefined;
  const extension = config.section('rope_scaling');
  const name =
    extension?.text('rope_type', 'extension') ?? extension?.text('type', 'older-extension');
  const hasExtension = extension !== undefined && name !== 'default';

  const flags =
    family.rotates === 'flagged' ? rotationFlags(config, count, type === 'llama4_text') : undefined;
  const temperature = type === 'llama4_text' ? temperatureOf(config) : undefined;
  const slides = config.value('use_sliding_window') === true && window !== undefined;
  const kindOf = (layer: number): Kind => {
    // SmolLM3 gives a window to the layers without positions.
    if (type === 'smollm3')
      return slides && !flags![layer] ? 'sliding_attention' : 'full_attention';
    if (flags) return flags[layer] ? family.local : 'full_attention';
    if (family.rotates === 'sliding' && isWindowless) return 'full_attention';
    return (layer + 1) % pattern === 0 ? 'full_attention' : family.local;
  };
  const stated = statedKinds(config, count);
  const pattern = stated || flags || isWindowless ? 1 : patternOf(config, family);
  return Array.from({ length: count }, (_, layer): LayerPosition => {
    const kind = stated?.[layer] ?? kindOf(layer);
    const isSliding = kind === 'sliding_attention';
    const rotates =
      flags?.[layer] ??
      (family.rotates === 'all' || isSliding || (type === 'exaone4' && isWindowless));
    const isLocal = isSliding && localBase !== undefined;
    return {
      rotates,
      ...(rotates && { base: isLocal ? localBase : base }),
      isScaled: rotates && hasExtension && !isLocal,
      ...(isSliding && window !== undefined && { window }),
      ...(kind === 'chunked_attention' && chunk !== undefined && { chunk }),
      ...(!rotates && temperature && { temperature }),
    };
  });
}

/**
 * What each layer of a model does with positions: Llama 4, SmolLM3, Cohere 2 (Command R7B, A),
 * EXAONE 4, Gemma 3 and Gemma 3n.
 * @param config the text of a Hugging Face config.json, or the object it holds
 * @throws TypeError, RangeError naming the key, the rule and the value; RangeError for a model type
 * whose layers are not known to differ
 * @see transformers, the configuration and modeling files of these models
 */
export function layerPlanFromConfig(config: string | object): LayerPlan {
  const section = textPart(ConfigSection.root(config));
  const type = section.text('model_type', 'architecture') ?? 'absent';
  const family = Object.hasOwn(families, type) ? families[type] : undefined;
  if (!family)
    throw wrongValue(
      section.key('model_type'),
      `must be one of ${Object.keys(families).join(', ')}`,
      type,
      quoted(type),
    );
  return { layers: layersOf(section, type, family), account: section.account };
}
