/** Finds the part of a configuration that describes the text model. */
import { familyOf } from './families.js';
import type { Family } from './family.js';
import { quoted, rules, type ConfigSection } from './reader.js';
import { wrongValue } from '../runtime/errors.js';

/** Keys under which multimodal models have a section about text, or a section that contains it. */
const sectionNames = [
  'thinker_config',
  'vlm_config',
  'text_config',
  'llm_config',
  'language_config',
  'decoder_config',
];

/** Whether this is the params.json beside weights as Meta and Mistral publish them. */
const isOriginal = (config: ConfigSection) =>
  ['dim', 'n_layers', 'n_heads', 'norm_eps'].every((name) => config.has(name));

/** What the models of such files do, which name no model type. */
const originalFamily: Family = { scheme: 'rotary', layout: 'interleaved' };

/** Keys of such files about positions, which are not described here. */
const otherOriginals = ['nope_layer_interval', 'qk_rope_head_dim', 'yarn'];

/** Windows of a group of layers, which repeats; null is a layer without one (Ministral 8B). */
function originalWindows(config: ConfigSection) {
  const key = '_sliding_window';
  const given = config.value(key);
  if (given === undefined) return {};
  const group: unknown[] = Array.isArray(given) ? given : [given];
  const [window, ...others] = new Set(group.filter((one) => one !== null));
  const layers = config.needed(['n_layers'], rules.width, 'layer-count');
  const isGroup = typeof window === 'number' && others.length === 0;
  if (!isGroup || layers % group.length !== 0)
    throw wrongValue(
      config.key(key),
      `must be a window, or a list with null and one window whose length divides ${layers}`,
      given,
      quoted(given),
    );
  config.noted(
    key,
    group.map((one) => (one === null ? 0 : window)),
    'window',
  );
  const kinds = group.map((one) => (one === null ? 'full_attention' : 'sliding_attention'));
  const layer_types = Array.from({ length: layers }, (_, layer) => kinds[layer % kinds.length]);
  return { sliding_window: window, layer_types };
}

/** The keys that such a file has by other names, or that its code has as constants. */
function originalSection(config: ConfigSection): ConfigSection {
  const other = otherOriginals.find((name) => config.has(name));
  if (other !== undefined)
    throw wrongValue(
      config.key(other),
      'must be null in a params.json: it is not described here, and the config.json of the same model is',
      config.value(other),
      quoted(config.value(other)),
    );
  const windows = originalWindows(config);
  config.assume('model_type', null, { code: 'original-params' });
  const isScaled = config.boolean('use_scaled_rope', 'llama3-on') ?? false;
  if (!isScaled) return config.withDefaults(windows, originalFamily);
  const name = 'rope_scaling_factor';
  const factor =
    config.number(name, rules.factor, 'factor') ?? config.assume(name, 8, { code: 'meta-factor' });
  const high = config.number('rope_high_freq_factor', rules.factor, 'kept-from') ?? 4;
  const rope_scaling = {
    rope_type: 'llama3',
    factor,
    low_freq_factor: 1,
    high_freq_factor: high,
    original_max_position_embeddings: 8192,
  };
  return config.withDefaults({ ...windows, rope_scaling }, originalFamily);
}

/** The largest depth at which the section about text is found; 1: at the top of the file. */
const maxDepth = 3;

const stringOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/**
 * Returns the section about text with the defaults of its model type, or the whole configuration
 * where it has no such section.
 */
export function textSection(config: ConfigSection): ConfigSection {
  let section = config;
  let type = stringOf(config.value('model_type'));
  if (type === undefined && isOriginal(config)) return originalSection(config);
  let whole: Family['defaults'];
  const parts: string[] = [];
  for (let depth = 0; depth < maxDepth; ++depth) {
    const { part, partType, fillsPart, fixesPart, defaults } = familyOf(type) ?? {};
    const key = section.spelling(part === undefined ? sectionNames : [part, ...sectionNames]);
    if (key === undefined) {
      // Files of transformers 4 have the type of the whole model, but the keys of its text part.
      if (partType !== undefined) whole = defaults;
      if (partType !== undefined && part !== undefined) parts.push(part);
      for (let own = partType; own !== undefined; own = familyOf(own)?.partType) type = own;
      break;
    }
    if (fillsPart) whole = defaults;
    parts.push(key);
    section = section.section(key)!;
    const own = stringOf(section.value('model_type'));
    const isFixed = partType !== undefined && (fixesPart || !familyOf(own));
    if (isFixed && own !== undefined && own !== partType)
      section.assume('model_type', partType, {
        code: 'part-type',
        values: { stated: own.slice(0, 100) },
      });
    type = isFixed ? partType : (own ?? partType ?? type);
  }
  const family = familyOf(type);
  const defaults = {
    ...(type !== undefined && { model_type: type }),
    ...family?.defaults,
    ...whole,
  };
  return section.withDefaults(defaults, family, parts);
}
