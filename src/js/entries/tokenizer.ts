/**
 * The entry `ropewalk/tokenizer`. It is not part of `ropewalk/model`, since a bundler that sees the
 * optional peers would need them for everyone who imports the module.
 */
export { createTokenizer } from '../model/hub_tokenizer.js';
export type { TokenizerFiles } from '../model/hub_tokenizer.js';
export type { ChatMessage, Tokenizer } from '../model/tokenizer.js';
