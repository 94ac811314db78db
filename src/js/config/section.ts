/** Where a configuration holds what is read. */
import { familyOf } from './families.js';
import type { ConfigSection } from './reader.js';

/** Multimodal models have a section about text; some have it within another one. */
const partNames = ['thinker_config', 'vlm_config', 'text_config', 'llm_config', 'language_config'];

/** The deepest section about text, within so many others. */
const deepest = 3;

const nameOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Returns the section about text, with the defaults of its model type. */
export function textPart(config: ConfigSection): ConfigSection {
  let section = config;
  let type = nameOf(config.value('model_type'));
  for (let depth = 0; depth < deepest; ++depth) {
    const { part, partType } = familyOf(type) ?? {};
    const name = section.spelling(part === undefined ? partNames : [part, ...partNames]);
    if (name === undefined) {
      // Files of transformers 4 have the keys of the text part at the top.
      type = partType ?? type;
      break;
    }
    section = section.section(name)!;
    const own = nameOf(section.value('model_type'));
    type = partType !== undefined && !familyOf(own) ? partType : (own ?? partType);
  }
  const family = familyOf(type);
  const defaults = { ...(type !== undefined && { model_type: type }), ...family?.defaults };
  return section.withDefaults(defaults, family);
}
