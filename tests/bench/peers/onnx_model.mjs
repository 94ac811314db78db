// Small ONNX models, encoded by hand: protocol buffers are tags, lengths and bytes.

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

/** Inputs and outputs by name; attributes are integers; `domain` when the operator is not ONNX's. */
function node({ operator, domain = '', inputs, outputs, attributes = {} }) {
  return bytes(1, [
    ...inputs.flatMap((name) => text(1, name)),
    ...outputs.flatMap((name) => text(2, name)),
    ...text(4, operator),
    ...Object.entries(attributes).flatMap(integer),
    ...text(7, domain),
  ]);
}

/** The model of some nodes, in their order, of one version of ONNX and of other domains' first. */
export function onnxModel({ opset, nodes, inputs, outputs }) {
  const graph = [
    ...nodes.flatMap(node),
    ...text(2, nodes[0].operator),
    ...inputs.flatMap((input) => bytes(11, value(input))),
    ...outputs.flatMap((output) => bytes(12, value(output))),
  ];
  const domains = new Set(nodes.flatMap(({ domain }) => domain ?? []));
  const versions = [['', opset], ...[...domains].map((domain) => [domain, 1])];
  const opsets = versions.flatMap(([of, n]) => bytes(8, [...text(1, of), ...number(2, n)]));
  return Uint8Array.from([...number(1, 10), ...bytes(7, graph), ...opsets]);
}
