// Small models of LiteRT, written field by field after TensorFlow's schema.fbs (version 3).
/** Each operator: its code, and the kind and the fields of its options. */
const operators = {
  ADD: { code: 0, options: 11 },
  FULLY_CONNECTED: { code: 9, options: 8 },
  MUL: { code: 18, options: 21 },
  SOFTMAX: { code: 25, options: 9, fields: (builder) => builder.addFieldFloat32(0, 1, 0) },
  BATCH_MATMUL: {
    code: 126,
    options: 101,
    fields: (builder, { transposed = false }) => builder.addFieldInt8(1, Number(transposed), 0),
  },
};

/** A table whose fields `fill` adds. */
function table(builder, fieldCount, fill = (_builder) => {}) {
  builder.startObject(fieldCount);
  fill(builder);
  return builder.endObject();
}

function offsets(builder, list) {
  builder.startVector(4, list.length, 4);
  for (const offset of list.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

function integers(builder, list) {
  builder.startVector(4, list.length, 4);
  for (const value of list.toReversed()) builder.addInt32(value);
  return builder.endVector();
}

function bytes(builder, data) {
  builder.startVector(1, data.byteLength, 16);
  const view = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  for (let i = view.length - 1; i >= 0; i--) builder.addInt8(view[i]);
  return builder.endVector();
}

/**
 * The bytes of a model of float32, written by a `Builder` of flatbuffers.
 * @param {object} model
 * @param {Record<string, number[]>} model.tensors the shape of each tensor by its name
 * @param {Record<string, Float32Array>} [model.constants] the data of those that are part of the model
 * @param {string[]} model.inputs
 * @param {string[]} model.outputs
 * @param {{ operator: string, inputs: string[], outputs: string[], transposed?: boolean }[]} model.nodes
 *   in their order; `transposed`: BATCH_MATMUL takes the second matrix transposed
 */
export function litertModel(Builder, { tensors, constants = {}, inputs, outputs, nodes }) {
  const builder = new Builder(1024);
  const names = Object.keys(tensors);
  const indices = (list) => list.map((name) => names.indexOf(name));
  // The first buffer is empty: that of every tensor without data.
  const withData = Object.keys(constants);
  const buffers = [undefined, ...withData].map((name) => {
    const data = name && bytes(builder, constants[name]);
    return table(builder, 3, () => data && builder.addFieldOffset(0, data, 0));
  });
  const tensorTables = Object.entries(tensors).map(([name, shape]) => {
    const [text, axes] = [builder.createString(name), integers(builder, shape)];
    return table(builder, 10, () => {
      builder.addFieldOffset(0, axes, 0);
      builder.addFieldInt32(2, withData.indexOf(name) + 1, 0);
      builder.addFieldOffset(3, text, 0);
    });
  });
  const used = [...new Set(nodes.map(({ operator }) => operator))];
  const codes = used.map((operator) =>
    table(builder, 4, () => {
      builder.addFieldInt8(0, operators[operator].code, 0);
      builder.addFieldInt32(2, 1, 1);
      builder.addFieldInt32(3, operators[operator].code, 0);
    }),
  );
  const steps = nodes.map((node) => {
    const { options: kind, fields } = operators[node.operator];
    const options = table(builder, 4, () => fields?.(builder, node));
    const [from, to] = [node.inputs, node.outputs].map((list) => integers(builder, indices(list)));
    return table(builder, 9, () => {
      builder.addFieldInt32(0, used.indexOf(node.operator), 0);
      builder.addFieldOffset(1, from, 0);
      builder.addFieldOffset(2, to, 0);
      builder.addFieldInt8(3, kind, 0);
      builder.addFieldOffset(4, options, 0);
    });
  });
  const lists = [
    offsets(builder, tensorTables),
    integers(builder, indices(inputs)),
    integers(builder, indices(outputs)),
    offsets(builder, steps),
    builder.createString('main'),
  ];
  const graph = table(builder, 5, () =>
    lists.forEach((list, field) => builder.addFieldOffset(field, list, 0)),
  );
  const parts = [
    [1, offsets(builder, codes)],
    [2, offsets(builder, [graph])],
    [4, offsets(builder, buffers)],
  ];
  const model = table(builder, 8, () => {
    builder.addFieldInt32(0, 3, 0);
    for (const [field, part] of parts) builder.addFieldOffset(field, part, 0);
  });
  builder.finish(model, 'TFL3');
  return builder.asUint8Array();
}
