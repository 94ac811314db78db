// ONNX models of one node, encoded by hand: protocol buffers are tags, lengths and bytes.

const varint = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))]);
const number = (field, value) => [...varint(field * 8), ...varint(value)];
const bytes = (field, content) => [...varint(field * 8 + 2), ...varint(content.length), ...content];
const text = (field, value) => bytes(field, [...new TextEncoder().encode(value)]);

const elementTypes = { float: 1, int64: 7 };
const attributeTypes = { integer: 2 };

/** A tensor of any size: { name, type = 'float', rank }. */
function value({ name, type = 'float', rank }) {
  const axis = (i) => bytes(1, text(2, `${name}${i}`));
  const shape = Array.from({ length: rank }, (_, i) => axis(i)).flat();
  const tensorType = [...number(1, elementTypes[type]), ...bytes(2, shape)];
  return [...text(1, name), ...bytes(2, bytes(1, tensorType))];
}

const integer = ([name, of]) =>
  bytes(5, [...text(1, name), ...number(3, of), ...number(20, attributeTypes.integer)]);

/**
 * The model of one operator, of ONNX's own set or of another domain. Names of inputs and outputs
 * are its own; attributes are integers.
 */
export function onnxModel({ operator, opset, domain = '', inputs, outputs, attributes = {} }) {
  const node = [
    ...inputs.flatMap(({ name }) => text(1, name)),
    ...outputs.flatMap(({ name }) => text(2, name)),
    ...text(4, operator),
    ...Object.entries(attributes).flatMap(integer),
    ...text(7, domain),
  ];
  const graph = [
    ...bytes(1, node),
    ...text(2, operator),
    ...inputs.flatMap((input) => bytes(11, value(input))),
    ...outputs.flatMap((output) => bytes(12, value(output))),
  ];
  const versions =
    domain === ''
      ? [['', opset]]
      : [
          ['', 17],
          [domain, opset],
        ];
  const opsets = versions.flatMap(([of, n]) => bytes(8, [...text(1, of), ...number(2, n)]));
  return Uint8Array.from([...number(1, 10), ...bytes(7, graph), ...opsets]);
}
