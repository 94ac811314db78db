/** A tokenizer.json of byte pairs: the bytes, a few merges, three special tokens. */

/** The letters that a byte-level tokenizer writes for the bytes 0 … 255. */
function byteLetters() {
  const isOwn = (byte) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let others = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(isOwn(byte) ? byte : others++),
  );
}

const special = ['<s>', '</s>', '<|end|>'];
export const merges = ['t h', 'th e', 'Ġ the', 'Ã ©'];
const pieces = [...byteLetters(), ...merges.map((pair) => pair.replace(' ', ''))];
/** The token of a byte, or of a piece. */
export const tokenOf = (piece) =>
  special.length + (typeof piece === 'number' ? piece : pieces.indexOf(piece));

/** The first special token comes before each text. */
export const byteTokenizer = () => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: special.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
  post_processor: {
    type: 'TemplateProcessing',
    single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
    pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: { '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] } },
  },
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true },
  model: {
    type: 'BPE',
    vocab: Object.fromEntries(pieces.map((piece, i) => [piece, special.length + i])),
    merges,
  },
});
