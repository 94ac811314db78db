// A model of one RotaryEmbedding node (opset 23), encoded by hand: protocol buffers are tags,
// lengths and bytes.

const varint = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))]);
const number = (field, value) => [...varint(field * 8), ...varint(value)];
const bytes = (field, content) => [...varint(field * 8 + 2), ...varint(content.length), ...content];
const text = (field, value) => bytes(field, [...Buffer.from(value)]);

const float = 1, int64 = 7, intAttribute = 2;

/** A named tensor of `rank` free dimensions. */
function value(name, type, rank) {
  const dimensions = Array.from({ length: rank }, (_, axis) => bytes(1, text(2, `${name}${axis}`))).flat();
  const tensorType = [...number(1, type), ...bytes(2, dimensions)];
  return [...text(1, name), ...bytes(2, bytes(1, tensorType))];
}

export function onnxRotary({ interleaved }) {
  const inputs = ['X', 'cos_cache', 'sin_cache', 'position_ids'];
  const attribute = [...text(1, 'interleaved'), ...number(3, interleaved ? 1 : 0), ...number(20, intAttribute)];
  const node = [
    ...inputs.flatMap((name) => text(1, name)),
    ...text(2, 'Y'),
    ...text(4, 'RotaryEmbedding'),
    ...bytes(5, attribute),
  ];
  const graph = [
    ...bytes(1, node),
    ...text(2, 'rotary'),
    ...bytes(11, value('X', float, 4)),
    ...bytes(11, value('cos_cache', float, 2)),
    ...bytes(11, value('sin_cache', float, 2)),
    ...bytes(11, value('position_ids', int64, 2)),
    ...bytes(12, value('Y', float, 4)),
  ];
  const opset = [...text(1, ''), ...number(2, 23)];
  return Uint8Array.from([...number(1, 10), ...bytes(7, graph), ...bytes(8, opset)]);
}
