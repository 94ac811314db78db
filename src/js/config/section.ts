/** Finds the part of a configuration that describes the text model. */
import { familyOf } from './families.js';
import type { Family } from './family.js';
import type { ConfigSection } from './reader.js';

/** Keys under which multimodal models have a section about text, or a section that contains it. */
const sectionNames = [
  'thinker_config',
  'vlm_config',
  'text_config',
  'llm_config',
  'language_config',
  'decoder_config',
];

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
