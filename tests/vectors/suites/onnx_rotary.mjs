/** ONNX RotaryEmbedding-23. */
const known = ['opset', 'interleaved', 'num_heads', 'rotary_embedding_dim'];

export default function (rw, { attrs, inputs }) {
  const unknown = Object.keys(attrs).find((name) => !known.includes(name));
  if (unknown) throw new Error(`unknown attribute ${unknown}`);
  const { input, cos_cache, sin_cache, position_ids } = inputs;
  const pairs = cos_cache.shape.at(-1);
  if (attrs.rotary_embedding_dim && attrs.rotary_embedding_dim !== 2 * pairs) {
    throw new Error(
      `rotary_embedding_dim is ${attrs.rotary_embedding_dim}, but the caches have ${pairs} pairs`,
    );
  }
  const table = {
    cos: Float32Array.from(cos_cache.num),
    sin: Float32Array.from(sin_cache.num),
    shape: cos_cache.shape,
  };
  const x = { data: Float32Array.from(input.num), shape: input.shape };
  const { data } = rw.rotate(x, table, {
    layout: attrs.interleaved ? 'interleaved' : 'half-split',
    ...(position_ids && { positions: position_ids.data }),
    ...(input.shape.length === 3 && { heads: attrs.num_heads }),
  });
  return { output: data };
}
