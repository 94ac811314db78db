/** The layers of a model, where they differ in how they treat positions. */
import type { LayerRule } from './family.js';
import { ConfigSection, quoted, rules, type ConfigAccount } from './reader.js';
import { layerBases, layerCounts, ropeSettings, withoutDraftLayers } from './rotary.js';
import { textSchemeOf } from './schemes.js';
import { textSection } from './section.js';
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
  /** As `layer_types` names it: 'full_attention', 'sliding_attention', 'linear_attention', … */
  kind: string;
  /** Base of the frequencies. Absent: the layer does not rotate. */
  base?: number;
  /** Whether the configuration's extension for longer contexts applies to it. */
  isScaled: boolean;
}

export interface LayerPlan {
  /** One per layer, from the first. */
  layers: LayerPosition[];
  /** Keys that were read, and assumptions. */
  account: ConfigAccount;
}

/** Kinds of layers whose keys and queries carry no rotation. */
const unrotatedKinds: ReadonlySet<string | undefined> = new Set([
  'cross_attention',
  'linear_attention',
  'lightning_attention',
  'kda',
  'gdn',
  'mamba',
  'mamba2',
  'conv',
  'recurrent',
  'moe',
  'mlp',
]);

/** Kinds of layers that a sliding window limits. */
const slidingKinds: ReadonlySet<string | undefined> = new Set([
  undefined,
  'sliding_attention',
  'hybrid_sliding',
  'compressed_sparse_attention',
  'heavily_compressed_attention',
]);

/** Kinds of layers that attend to all keys, or to those that they choose. */
const otherKinds: ReadonlySet<string> = new Set([
  'full_attention',
  'chunked_attention',
  'attention',
  'sparse_attention',
  'deepseek_sparse_attention',
  'minimax_m3_sparse',
  'hybrid',
]);

function isKnownKind(kind: string, { family }: ConfigSection): boolean {
  const own = Object.keys({ ...family?.bases, ...family?.settings });
  return (
    unrotatedKinds.has(kind) || slidingKinds.has(kind) || otherKinds.has(kind) || own.includes(kind)
  );
}

/** Rules by which only sliding layers rotate, with exceptions. */
const slidingRotations: ReadonlySet<LayerRule['rotates']> = new Set([
  'sliding',
  'sliding-or-all',
  'windowed',
]);

/** Values of rope_type that leave the frequencies as they are. */
const unscaledTypes = ['default', 'mrope', 'origin'];

const layerIndex = { least: 0, most: 2 ** 20, whole: true };

type Count = number | undefined;

/** The names of layers where a list has groups of them, each with how often it is repeated. */
function expandGroups(groups: readonly unknown[]): readonly unknown[] {
  const names: unknown[] = [];
  for (const group of groups) {
    const [own, times] = Array.isArray(group) ? group : [];
    if (!Array.isArray(own) || own.length === 0) return groups;
    for (let i = 0; i < times && names.length <= layerIndex.most; ++i)
      for (const name of own) names.push(name);
  }
  return names;
}

/** The list that says the kind of each layer, as the file has it or as the model type does. */
function kindList(config: ConfigSection, { list, pattern }: LayerRule) {
  const places = ['layer_types', list, pattern].flatMap((path) => {
    const [name, inner] = path?.split('.') ?? [];
    if (name === undefined) return [];
    const section = inner === undefined ? config : config.section(name);
    return section ? [{ section, key: inner ?? name }] : [];
  });
  const there = places.filter(({ section, key }) => section.has(key));
  const place = there.find(({ section, key }) => section.owns(key)) ?? there[0];
  if (!place) return undefined;
  const given = place.section.value(place.key);
  const isText = place.key === pattern && typeof given === 'string';
  const hasGroups = place.key === pattern && Array.isArray(given) && Array.isArray(given[0]);
  return { ...place, given: isText ? [...given] : hasGroups ? expandGroups(given) : given };
}

/** A list with the kind of each layer, which wins over every other rule. */
function statedKinds(config: ConfigSection, layers: Count, rule: LayerRule) {
  const place = kindList(config, rule);
  if (!place) return undefined;
  const { section, key } = place;
  const given = withoutDraftLayers(config, place.given);
  // A model type may have the names of a group of layers, which repeats.
  if (!Array.isArray(given) || given.length === 0 || given.length > (layers ?? given.length))
    throw wrongValue(
      section.key(key),
      `must be a list of ${layers === undefined ? '' : `${layers} `}names`,
      given,
      quoted(given),
    );
  const isGroup = key === rule.list && given.length !== layers;
  if (!isGroup && given.length !== (layers ?? given.length))
    throw wrongValue(section.key(key), `must be a list of ${layers} names`, given, quoted(given));
  given.forEach((kind: unknown, i) => {
    if (typeof kind !== 'string' && typeof kind !== 'number')
      throw wrongValue(section.key(`${key}[${i}]`), 'must be a name', kind, quoted(kind));
  });
  section.noted(key, given as string[], 'layer-kinds');
  const means = (kind: unknown) => rule.names?.[String(kind)] ?? String(kind);
  for (const kind of new Set(given.map(means)))
    if (!isKnownKind(kind, config))
      section.contradict(key, kind.slice(0, 100), { code: 'unknown-kind' });
  return (layer: number) => means(given[layer % given.length]);
}

/** A list with the indices of the layers of one kind. */
function listedKinds(config: ConfigSection, rule: LayerRule) {
  const { section, indices, listed, local, first = 0 } = rule;
  if (indices === undefined) return undefined;
  const holder = section === undefined ? config : config.section(section);
  const found = holder?.numbers(indices, layerIndex, 'layer-kinds');
  return (
    found &&
    ((layer: number) => (found.includes(layer + first) ? listed : local) ?? 'full_attention')
  );
}

/** Models that were thinned out: some layers have no attention, or a linear map in its place. */
function thinnedKinds(config: ConfigSection) {
  const blocks = config.value('block_configs');
  if (!Array.isArray(blocks)) return undefined;
  config.noted('block_configs', blocks.length, 'layer-kinds');
  const attentionOf = (layer: number) => (blocks[layer] as { attention?: unknown })?.attention;
  return (layer: number) => {
    const { no_op, replace_with_linear } = Object(attentionOf(layer)) as Record<string, unknown>;
    return no_op === true || replace_with_linear === true ? 'mlp' : 'full_attention';
  };
}

/** The dense layers at the start of a model that gives these a pattern of their own. */
function denseLayers(config: ConfigSection, { denseEvery }: LayerRule) {
  if (denseEvery === undefined) return undefined;
  const group = groupOf(config, denseEvery) ?? 1;
  const count = config.number('first_k_dense_replace', rules.part, 'layer-kinds') ?? 0;
  const kinds = config.value('mlp_layer_types');
  const isDense = (layer: number) =>
    Array.isArray(kinds) ? kinds[layer] === 'dense' : layer < count;
  return { group, count, rotates: (layer: number) => group === 1 && isDense(layer) };
}

/** Which layers rotate by no_rope_layers: 1 says that the layer does, 0 that it does not. */
function rotationFlags(config: ConfigSection, layers: Count, type: string) {
  const rule = { least: 0, most: 1, whole: true };
  const flags = config.numbers('no_rope_layers', rule, 'layers-with-position');
  const isEmpty = flags?.length === 0 && (type !== 'smollm3' || layers === undefined);
  if (flags && !isEmpty) {
    // The class reads as many as it has layers.
    if (flags.length < (layers ?? 0))
      throw wrongValue(config.key('no_rope_layers'), `must have ${layers} entries`, flags.length);
    return (layer: number) => flags[layer] !== 0;
  }
  const interval = config.number('no_rope_layer_interval', rules.width, 'unrotated-interval');
  return interval === undefined ? undefined : (layer: number) => (layer + 1) % interval !== 0;
}

/** The size of a group of layers, a number, or as EXAONE writes it a text such as "LLLG". */
function groupOf(config: ConfigSection, every: string): number | undefined {
  const given = config.value(every);
  if (typeof given !== 'string') return config.number(every, rules.width, 'layer-pattern');
  if (!/^L*G$/.test(given))
    throw wrongValue(config.key(every), 'must be a number or L…LG', given, quoted(given));
  return config.noted(every, given, 'layer-pattern').length;
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
  if (given === undefined || !config.noted('attn_temperature_tuning', given, 'temperature-on'))
    return undefined;
  const scale = config.number('attn_scale', rules.weight, 'llama4-scale') ?? 0.1;
  const floorLength = config.number('floor_scale', rules.length, 'llama4-step') ?? 8192;
  return { scale, floorLength };
}

/** The kind of each layer by a rule that counts layers. Absent: the layers do not differ. */
function countedKinds(config: ConfigSection, rule: LayerRule) {
  const { every = 'sliding_window_pattern', local = 'sliding_attention' } = rule;
  const { full = 'full_attention' } = rule;
  const group = rule.group ?? groupOf(config, every);
  if (group === undefined) return undefined;
  const place =
    typeof rule.at === 'string' ? config.number(rule.at, layerIndex, 'layer-pattern') : rule.at;
  const at = place ?? group - 1;
  const { count: first = 0, group: denseGroup = 1 } = denseLayers(config, rule) ?? {};
  const isFull = (layer: number) =>
    layer < first ? (layer + 1) % denseGroup === 0 : (layer - first) % group === at;
  return (layer: number) => (isFull(layer) ? full : local);
}

function windowOf(config: ConfigSection, rule: LayerRule): number | undefined {
  const { window: name, halves, halvesBothWays } = rule;
  const key = config.owns('sliding_window') ? 'sliding_window' : (name ?? 'sliding_window');
  const window = config.number(key, rules.window, 'window');
  if (window === undefined || window <= 0) return undefined;
  if (halvesBothWays && config.value('use_bidirectional_attention') === true)
    return Math.floor(window / 2) + 1;
  return halves && key === name ? Math.floor(window / 2) : window;
}

/**
 * Returns how each layer of a model attends, as a function of its index.
 * @param count how many entries lists with one per layer must have; absent: any number
 */
export function layerTraits(config: ConfigSection, count?: number): (layer: number) => LayerTraits {
  const type = config.text('model_type', 'architecture') ?? 'absent';
  const rule = config.family?.layers ?? {};
  const isFlagged = rule.rotates === 'flagged';
  // null switches windows off where a model type has them.
  const isWindowless = config.isNull('sliding_window') && rule.window === undefined;
  const isLocalSliding = slidingKinds.has(rule.local);
  const slides = rule.hasNoSwitch ? undefined : config.value('use_sliding_window');
  const hasKinds = !rule.hasNoWindow && !rule.hasOneKind;
  const stated = hasKinds ? statedKinds(config, count, rule) : undefined;
  const isSwitchedOff = slides === false && !(stated && rule.listsWin);
  const isNarrowed = !isWindowless && !rule.hasNoWindow && !isSwitchedOff;
  const window = isNarrowed ? windowOf(config, rule) : undefined;
  const chunk = config.number('attention_chunk_size', rules.width, 'chunk');
  const flags = rotationFlags(config, count, type);
  const dense = denseLayers(config, rule);
  const settings = rule.rotates === 'configured' ? config.section('rope_parameters') : undefined;
  const bases = layerBases(config);
  const temperature = temperatureOf(config);
  const firstWindow =
    slides === true ? config.number('max_window_layers', layerIndex, 'layer-pattern') : undefined;
  const slidesFrom =
    firstWindow === undefined
      ? undefined
      : (layer: number) => (layer >= firstWindow ? 'sliding_attention' : 'full_attention');
  const counted =
    stated ??
    listedKinds(config, rule) ??
    thinnedKinds(config) ??
    (isFlagged || !hasKinds || (isWindowless && isLocalSliding)
      ? undefined
      : countedKinds(config, rule)) ??
    slidesFrom;
  const kindOf = (layer: number): string | undefined => {
    if (stated || !isFlagged)
      return counted?.(layer) ?? rule.kind ?? (isWindowless ? 'full_attention' : undefined);
    // SmolLM3 gives a window to the layers without positions.
    if (type === 'smollm3')
      return slides === true && !flags!(layer) ? 'sliding_attention' : 'full_attention';
    return flags!(layer) ? (rule.local ?? 'full_attention') : 'full_attention';
  };
  return (layer) => {
    const layerType = kindOf(layer);
    const attends = !unrotatedKinds.has(layerType);
    const isSliding = slidingKinds.has(layerType);
    const rotates =
      attends &&
      (bases === undefined || bases[layer] !== 0) &&
      !settings?.isNull(layerType ?? 'full_attention') &&
      (flags?.(layer) ??
        ((isSliding && (window !== undefined || rule.rotates !== 'windowed')) ||
          dense?.rotates(layer) ||
          !slidingRotations.has(rule.rotates) ||
          (isWindowless && rule.rotates === 'sliding-or-all')));
    return {
      ...(layerType !== undefined && { layerType }),
      rotates,
      ...(isSliding && window !== undefined && { window }),
      ...(layerType === 'chunked_attention' && chunk !== undefined && { chunk }),
      ...(!rotates && attends && temperature && { temperature }),
    };
  };
}

/** Names of keys by which the layers of a model may differ. */
const layerKeys =
  /layer.*(pattern|type|group|period|offset|idx|indic|freq)|hybrid|linear_attn|_layout$/;

/** Notes such keys of a model type that is not known, where nothing has read them. */
function noteUnreadLayers(config: ConfigSection): void {
  const unread = config
    .names()
    .filter((name) => layerKeys.test(name) && !/moe|mlp|ffn/.test(name))
    .filter((name) => config.has(name) && !config.wasRead(name));
  for (const name of unread.slice(0, 20))
    config.contradict(name.slice(0, 100), null, { code: 'unread-layers' });
}

/**
 * What each layer of a model does with positions: whether it rotates, with which base, and how far
 * it sees.
 * @param config the text of a Hugging Face config.json, or the object it holds
 * @returns the layers, and an account; where the model type is not known, the account says so
 * @throws TypeError, RangeError naming the key, the rule and the value
 * @see transformers, the configuration and modeling files of the model
 */
export function layerPlanFromConfig(config: string | object): LayerPlan {
  const section = textSection(ConfigSection.root(config));
  const isRotary = textSchemeOf(section) === 'rotary';
  const type = section.text('model_type', 'architecture') ?? 'absent';
  if (!section.family) section.assume('model_type', type, { code: 'unknown-layers' });
  const rule = section.family?.layers ?? {};
  const list = section.spelling(layerCounts) ? undefined : kindList(section, rule);
  const pairs = rule.doubled && section.number(rule.doubled, rules.width, 'layer-count');
  const count = Array.isArray(list?.given)
    ? list.given.length
    : pairs
      ? 2 * pairs
      : section.needed(layerCounts, rules.width, 'layer-count');
  const traitsOf = layerTraits(section, count);
  const layers = Array.from({ length: count }, (_, layer): LayerPosition => {
    const { layerType, ...traits } = traitsOf(layer);
    const kind = layerType ?? 'full_attention';
    if (!traits.rotates || !isRotary) return { kind, ...traits, rotates: false, isScaled: false };
    const { base, type, block } = ropeSettings(section, layerType, layer);
    const isScaled =
      type === 'proportional' ? (block?.value('factor') ?? 1) !== 1 : !unscaledTypes.includes(type);
    return { kind, ...traits, base, isScaled };
  });
  if (!section.family) noteUnreadLayers(section);
  return { layers, account: section.account };
}
