/**
 * How byte-pair encodings of GPT-2's kind split a text into words before bytes are merged, by the
 * names of llama.cpp. Only those are here whose tokenizer.json is published and known exactly: a
 * text that is split in another way gives tokens that the model has not seen in training.
 */

/** The parts of a tokenizer.json that a name stands for. */
export interface WordSplitting {
  normalizer: object | null;
  preTokenizer: object;
  /** Whether a word that is a token is not put together by merges. */
  ignoresMerges: boolean;
  /** Whether texts begin with the token for it where a file does not say so. */
  addsBos: boolean;
}

const bytes = (usesPattern: boolean) => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: usesPattern,
});
const split = (pattern: string) => ({
  type: 'Split',
  pattern: { Regex: pattern },
  behavior: 'Isolated',
  invert: false,
});
const inOrder = (...pretokenizers: object[]) => ({ type: 'Sequence', pretokenizers });

/** Words with a sign before them, numbers of some digits, signs with line ends, and spaces. */
const words = (numbers: string) =>
  String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|${numbers}` +
  String.raw`| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

const plain = { normalizer: null, ignoresMerges: false, addsBos: false };

/** Radford et al. 2019, encoder.py, which is the pattern of ByteLevel. */
const gpt2 = { ...plain, preTokenizer: bytes(true) };
/** Meta 2024, llama3, tokenizer.py. */
const llama3 = {
  ...plain,
  preTokenizer: inOrder(split(words(String.raw`\p{N}{1,3}`)), bytes(false)),
  ignoresMerges: true,
  addsBos: true,
};
/** transformers, tokenization_qwen2.py; Qwen 3 has the same. */
const qwen2 = {
  ...plain,
  normalizer: { type: 'NFC' },
  preTokenizer: inOrder(split(words(String.raw`\p{N}`)), bytes(false)),
};
/** SmolLM and SmolLM2, tokenizer.json: every digit by itself, then as GPT-2. */
const smolLm = { ...plain, preTokenizer: inOrder(split(String.raw`\p{N}`), bytes(true)) };

/** By the values of `tokenizer.ggml.pre`. */
export const wordSplittings: Readonly<Record<string, WordSplitting>> = {
  'gpt-2': gpt2,
  'llama-bpe': llama3,
  llama3,
  'llama-v3': llama3,
  qwen2,
  smollm: smolLm,
};
