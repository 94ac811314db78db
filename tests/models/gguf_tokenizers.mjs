/**
 * Tokenizers as keys of .gguf files: that of llama2.c by SentencePiece's pieces, and a tokenizer.json
 * of byte pairs. Shares nothing with the package.
 */
import { typed } from '../dumps/gguf_writer.mjs';
import { bytesOf } from './llama2c_file.mjs';

export const kinds = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 };
const spaceSign = '\u2581';
const list = (type, values) =>
  typed(
    'list',
    values.map((value) => typed(type, value)),
  );
const hex = (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

/**
 * The pieces of tok512.bin as SentencePiece has them.
 * @returns {{ texts: string[], scores: number[], kinds: number[] }}
 */
export function storyPieces() {
  const bytes = Buffer.from(bytesOf('tok512.bin'));
  const [texts, scores] = [[], []];
  for (let at = 4; at < bytes.length;) {
    const length = bytes.readInt32LE(at + 4);
    scores.push(bytes.readFloatLE(at));
    const text = bytes.toString('utf8', at + 8, at + 8 + length);
    texts.push(text.replaceAll(' ', spaceSign));
    at += 8 + length;
  }
  texts.splice(0, 3, '<unk>', '<s>', '</s>');
  for (let byte = 0; byte < 256; byte++) texts[3 + byte] = hex(byte);
  const { normal, unknown, control, byte } = kinds;
  const first = [unknown, control, control, ...new Array(256).fill(byte)];
  return { texts, scores, kinds: texts.map((_, token) => first[token] ?? normal) };
}

/**
 * Keys of a tokenizer of pieces.
 * @param {ReturnType<typeof storyPieces>} [pieces]
 */
export const pieceKeys = ({ texts, scores, kinds: kindOf } = storyPieces()) => ({
  'tokenizer.ggml.model': 'llama',
  'tokenizer.ggml.tokens': list('text', texts),
  'tokenizer.ggml.scores': list('f32', scores),
  'tokenizer.ggml.token_type': list('i32', kindOf),
  'tokenizer.ggml.bos_token_id': 1,
  'tokenizer.ggml.eos_token_id': 2,
});

/** The same pieces as a tokenizer.json: merges are all pairs of pieces whose text is a piece. */
export function pieceTokenizerJson() {
  const { texts, scores, kinds: kindOf } = storyPieces();
  const tokenOf = new Map(texts.map((text, token) => [text, token]));
  const isPiece = (text) => kindOf[tokenOf.get(text)] === kinds.normal;
  const merges = texts.flatMap((text, token) => {
    if (kindOf[token] !== kinds.normal) return [];
    const letters = [...text];
    return letters
      .slice(1)
      .map((_, i) => [letters.slice(0, i + 1).join(''), letters.slice(i + 1).join('')])
      .filter((pair) => pair.every(isPiece))
      .map((pair) => ({ pair, score: scores[token] }));
  });
  merges.sort((a, b) => b.score - a.score);
  const special = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return {
    added_tokens: [0, 1, 2].map((id) => ({ id, content: texts[id], ...special, special: true })),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Prepend', prepend: spaceSign },
        { type: 'Replace', pattern: { String: ' ' }, content: spaceSign },
      ],
    },
    pre_tokenizer: null,
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
      pair: [],
      special_tokens: { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] } },
    },
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: spaceSign }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
    model: {
      type: 'BPE',
      unk_token: '<unk>',
      fuse_unk: true,
      byte_fallback: true,
      vocab: Object.fromEntries(tokenOf),
      merges: merges.map(({ pair }) => pair.join(' ')),
    },
  };
}

/** Keys of a tokenizer.json of byte pairs, with `more` in place of or besides those. */
export function byteKeys({ model, added_tokens: added }, pre, more = {}) {
  const texts = [];
  const kindOf = [];
  for (const [text, token] of Object.entries(model.vocab)) {
    texts[token] = text;
    kindOf[token] = kinds.normal;
  }
  for (const { id, content, special } of added) {
    texts[id] = content;
    kindOf[id] = special ? kinds.control : kinds.userDefined;
  }
  for (let token = 0; token < texts.length; token++) {
    texts[token] ??= `[PAD${token}]`;
    kindOf[token] ??= kinds.unused;
  }
  return {
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': pre,
    'tokenizer.ggml.tokens': list('text', texts),
    'tokenizer.ggml.token_type': list('i32', kindOf),
    'tokenizer.ggml.merges': list('text', model.merges),
    'tokenizer.ggml.bos_token_id': 0,
    'tokenizer.ggml.eos_token_id': 1,
    'tokenizer.ggml.add_bos_token': true,
    ...more,
  };
}

/** Parts of drawn texts. */
const parts =
  `Once upon a time there was Lily She loved to play the They the end THE 's 'll don't we'LL 12
345 67890 3.14 2023 x2 球 你好 红色的 公园 。 ， ！ é ü naïve e\u0301 A\u030a 😀 👩‍👩‍👧 🇨🇳 , . ! ? ... -- (a) "b" & = { } ; // \\ קו مرحبا`
    .split(/[ \n]/)
    .concat('\u00a0', '\u3000', '\t');
const spaces = [
  '',
  '',
  ' ',
  ' ',
  ' ',
  ' ',
  '  ',
  '    ',
  '\n',
  '\n\n',
  ' \n',
  '\n  ',
  '\t',
  '\r\n',
];

/** Texts of a seed: Chinese, emoji, spaces and line ends at either end and within. */
export function drawnTexts(seed, count) {
  let state = seed;
  const draw = (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const one = (all) => all[draw(all.length)];
  const text = () =>
    Array.from({ length: draw(16) }, () => one(spaces) + one(parts)).join('') + one(spaces);
  return Array.from({ length: count }, text);
}
