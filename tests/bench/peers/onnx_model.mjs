// Small ONNX models, encoded by hand: protocol buffers are tags, lengths and bytes. The numbers of the
// fields are those of onnx.proto.

const varint = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))]);
const number = (field, value) => [...varint(field * 8), ...varint(value)];
const bytes = (field, content) => [...varint(field * 8 + 2), ...varint(content.length), ...content];
const text = (field, value) => bytes(field, [...new TextEncoder().encode(value)]);

const elementTypes = { float: 1, int32: 6, int64: 7 };
const attributeTypes = { float: 1, integer: 2 };

/** A ValueInfoProto: a tensor whose axes may have any length. */
function value({ name, type = 'float', rank }) {
  const axis = (i) => bytes(1, text(2, `${name}${i}`));
  const shape = Array.from({ length: rank }, (_, i) => axis(i)).flat();
  const tensorType = [...number(1, elementTypes[type]), ...bytes(2, shape)];
  return [...text(1, name), ...bytes(2, bytes(1, tensorType))];
}

const float = (field, value) => [
  ...varint(field * 8 + 5),
  ...new Uint8Array(Float32Array.of(value).buffer),
];

/** A whole number is an integer, any other a float. */
function attribute([name, content]) {
  const isWhole = Number.isInteger(content);
  return bytes(5, [
    ...text(1, name),
    ...(isWhole ? number(3, content) : float(2, content)),
    ...number(20, isWhole ? attributeTypes.integer : attributeTypes.float),
  ]);
}

/** A NodeProto. Attributes are numbers; operators that are not ONNX's have a `domain`. */
function node({ operator, domain = '', inputs, outputs, attributes = {} }) {
  return bytes(1, [
    ...inputs.flatMap((name) => text(1, name)),
    ...outputs.flatMap((name) => text(2, name)),
    ...text(4, operator),
    ...Object.entries(attributes).flatMap(attribute),
    ...text(7, domain),
  ]);
}

/** A TensorProto of floats whose data are a file of their own, at `path`. */
function outside({ name, shape, path }) {
  const length = 4 * shape.reduce((product, axis) => product * axis, 1);
  const entry = (key, content) => bytes(13, [...text(1, key), ...text(2, content)]);
  return [
    ...shape.flatMap((axis) => number(1, axis)),
    ...number(2, elementTypes.float),
    ...text(8, name),
    ...entry('location', path),
    ...entry('offset', '0'),
    ...entry('length', String(length)),
    ...number(14, 1),
  ];
}

/**
 * Returns a ModelProto whose nodes run in their order: ONNX's operators of version `opset`, those of
 * other domains of version 1. `constants`: [{ name, shape, path }], tensors whose data are files.
 */
export function onnxModel({ opset, nodes, inputs, outputs, constants = [] }) {
  const graph = [
    ...nodes.flatMap(node),
    ...text(2, nodes[0].operator),
    ...constants.flatMap((constant) => bytes(5, outside(constant))),
    ...inputs.flatMap((input) => bytes(11, value(input))),
    ...outputs.flatMap((output) => bytes(12, value(output))),
  ];
  const domains = new Set(nodes.flatMap(({ domain }) => domain ?? []));
  const versions = [['', opset], ...[...domains].map((domain) => [domain, 1])];
  const opsets = versions.flatMap(([domain, version]) =>
    bytes(8, [...text(1, domain), ...number(2, version)]),
  );
  return Uint8Array.from([...number(1, 10), ...bytes(7, graph), ...opsets]);
}
