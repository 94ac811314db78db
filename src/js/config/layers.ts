/** The layers of a model, where they differ in how they treat positions. */
import { layerFamilies, layerFamilyOf, type LayerFamily, type LayerKind } from './families.js';
import { ConfigSection, quoted, rules, type ConfigAccount } from './reader.js';
import { ropeSettings } from './rotary.js';
import { textPart } from './section.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';

/** How one layer attends, without the frequencies of its rotation. */
export interface LayerTraits {
  /** Kind of layer as `layer_types` names it. Absent: the layers do not differ. */
  layerType?: string;
  /** Whether it rotates queries and keys; a layer that does not has no positions (NoPE). */
  rotates: boolean;
  /** Sliding window: keys i − window < j ≤ i. Absent: none. */
  window?: number;
  /** Chunked attention: only keys of the same block of this many positions. Absent: none. */
  chunk?: number;
  /** Queries are multiplied by 1 + scale · ln(1 + ⌊(p + 1)/floorLength⌋). Absent: they are not. */
  temperature?: { scale: number; floorLength: number };
}

/** What one layer does with positions. */
export interface LayerPosition extends Omit<LayerTraits, 'layerType'> {
  /** Base of the frequencies. Absent: the layer does not rotate. */
  base?: number;
  /** Whether the configuration's extension for longer contexts applies to it. */
  isScaled: boolean;
}

export interface LayerPlan {
  layers: LayerPosition[];
  /** Keys that were read, and assumptions. */
  account: ConfigAccount;
}

/** Where the layers of a model type are not known to differ, its configuration says how they do. */
const unplanned: LayerFamily = { local: 'sliding_attention', rotates: 'all' };
const kinds: readonly string[] = [
  'full_attention',
  'sliding_attention',
  'chunked_attention',
] satisfies LayerKind[];

const layerIndex = { least: 0, most: 2 ** 20, whole: true };

type Count = number | undefined;

/** layer_types, which wins over every other rule. */
function statedKinds(config: ConfigSection, layers: Count, isPlanned: boolean) {
  const given = config.value('layer_types');
  if (given === undefined) return undefined;
  if (!Array.isArray(given) || given.length !== (layers ?? given.length))
    throw wrongValue(
      config.key('layer_types'),
      `must be a list of ${layers === undefined ? '' : `${layers} `}names`,
      given,
      quoted(given),
    );
  const rule = isPlanned ? `must be one of ${kinds.join(', ')}` : 'must be a name';
  given.forEach((kind: unknown, i) => {
    if (isPlanned ? !kinds.includes(kind as string) : typeof kind !== 'string')
      throw wrongValue(config.key(`layer_types[${i}]`), rule, kind, quoted(kind));
  });
  return config.noted('layer_types', given as string[], 'layer-kinds') as string[];
}

/** Which layers rotate by no_rope_layers: 1 says that the layer does, 0 that it does not. */
function rotationFlags(config: ConfigSection, layers: Count, type: string, isFlagged: boolean) {
  const rule = { least: 0, most: 1, whole: true };
  const flags = config.numbers('no_rope_layers', rule, 'layers-with-position');
  const isEmpty = flags?.length === 0 && (type !== 'smollm3' || layers === undefined);
  if (flags && !isEmpty) {
    if (flags.length !== (layers ?? flags.length))
      throw wrongValue(config.key('no_rope_layers'), `must have ${layers} entries`, flags.length);
    return (layer: number) => flags[layer] !== 0;
  }
  const usual = isFlagged ? 4 : undefined;
  const interval = numberOr(
    config,
    'no_rope_layer_interval',
    rules.width,
    'unrotated-interval',
    usual,
  );
  return interval === undefined ? undefined : (layer: number) => (layer + 1) % interval !== 0;
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
function patternOf(config: ConfigSection, family: LayerFamily): number | undefined {
  const given = config.value('sliding_window_pattern');
  if (typeof given !== 'string')
    return numberOr(config, 'sliding_window_pattern', rules.width, 'layer-pattern', family.pattern);
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
function temperatureOf(config: ConfigSection): LayerTraits['temperature'] {
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

/** The kind of each layer by a rule that counts layers. Absent: the layers do not differ. */
function countedKinds(config: ConfigSection, family: LayerFamily) {
  const nameOf = (isFull: boolean) => (isFull ? 'full_attention' : family.local);
  const every = config.number('global_attn_every_n_layers', rules.width, 'layer-pattern');
  if (every !== undefined) return (layer: number) => nameOf(layer % every === 0);
  const pattern = patternOf(config, family);
  return pattern === undefined ? undefined : (layer: number) => nameOf((layer + 1) % pattern === 0);
}

/**
 * Returns how each layer of a model attends, as a function of its index.
 * @param count how many entries lists with one per layer must have; absent: any number
 */
export function layerTraits(config: ConfigSection, count?: number): (layer: number) => LayerTraits {
  const type = config.text('model_type', 'architecture') ?? 'absent';
  const family = layerFamilyOf(type) ?? unplanned;
  const isPlanned = family !== unplanned;
  const isFlagged = family.rotates === 'flagged';
  // null switches windows off where a model type has them.
  const isWindowless =
    isPlanned &&
    (config.isNull('sliding_window') || (type === 'exaone4' && !config.has('sliding_window')));
  const slides = config.value('use_sliding_window');
  const hasWindow = !isWindowless && (isPlanned || slides !== false);
  const window = hasWindow
    ? numberOr(config, 'sliding_window', rules.width, 'window', family.window)
    : undefined;
  const chunk = numberOr(config, 'attention_chunk_size', rules.width, 'chunk', family.chunk);
  const flags = rotationFlags(config, count, type, isFlagged);
  const hasTemperature = type === 'llama4_text' || config.has('attn_temperature_tuning');
  const temperature = hasTemperature ? temperatureOf(config) : undefined;
  const stated = statedKinds(config, count, isPlanned);
  const counted = stated || isFlagged || isWindowless ? undefined : countedKinds(config, family);
  const kindOf = (layer: number): string | undefined => {
    if (stated) return stated[layer];
    // SmolLM3 gives a window to the layers without positions.
    if (type === 'smollm3')
      return slides === true && !flags!(layer) ? 'sliding_attention' : 'full_attention';
    if (isFlagged) return flags!(layer) ? family.local : 'full_attention';
    return isWindowless ? 'full_attention' : counted?.(layer);
  };
  const firstWindow =
    slides === true ? (config.number('max_window_layers', layerIndex, 'layer-pattern') ?? 0) : 0;
  return (layer) => {
    const layerType = kindOf(layer);
    const isSliding =
      layerType === undefined ? layer >= firstWindow : layerType === 'sliding_attention';
    const rotates =
      flags?.(layer) ??
      (family.rotates === 'all' || isSliding || (type === 'exaone4' && isWindowless));
    return {
      ...(layerType !== undefined && { layerType }),
      rotates,
      ...(isSliding && window !== undefined && { window }),
      ...(layerType === 'chunked_attention' && chunk !== undefined && { chunk }),
      ...(!rotates && temperature && { temperature }),
    };
  };
}

/**
 * What each layer of a model does with positions: Llama 4, SmolLM3, Cohere 2 (Command R7B, A),
 * EXAONE 4, Gemma 2, Gemma 3 and Gemma 3n.
 * @param config the text of a Hugging Face config.json, or the object it holds
 * @throws TypeError, RangeError naming the key, the rule and the value; RangeError for a model type
 * whose layers are not known to differ
 * @see transformers, the configuration and modeling files of these models
 */
export function layerPlanFromConfig(config: string | object): LayerPlan {
  const section = textPart(ConfigSection.root(config));
  const type = section.text('model_type', 'architecture') ?? 'absent';
  if (!layerFamilyOf(type))
    throw wrongValue(
      section.key('model_type'),
      `must be one of ${Object.keys(layerFamilies).join(', ')}`,
      type,
      quoted(type),
    );
  const count = section.needed(['num_hidden_layers'], rules.width, 'layer-count');
  const traitsOf = layerTraits(section, count);
  const layers = Array.from({ length: count }, (_, layer): LayerPosition => {
    const { layerType, ...traits } = traitsOf(layer);
    if (!traits.rotates) return { ...traits, isScaled: false };
    const { base, type } = ropeSettings(section, layerType);
    return { ...traits, base, isScaled: type !== 'default' };
  });
  return { layers, account: section.account };
}
