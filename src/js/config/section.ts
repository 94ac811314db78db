/** Where a configuration holds what is read. */
import type { ConfigSection } from './reader.js';

/** Multimodal models keep the configuration of the text part in its own section. */
export function textPart(config: ConfigSection): ConfigSection {
  const outer = config.section('thinker_config') ?? config;
  const name = outer.spelling(['text_config', 'llm_config', 'language_config']);
  return name === undefined ? outer : outer.section(name)!;
}
