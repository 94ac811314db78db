/** Rotary positions with several axes: M-RoPE, and the 2-D rotary of vision encoders. */
const visionModels = {
  qwen2_vision: 'qwen2-vl',
  pixtral: 'pixtral',
  llama4_vision: 'llama4',
  dinov3: 'dinov3',
};
const sectionOrders = { qwen2_vl_mrope: 'consecutive', qwen3_vl_interleaved_mrope: 'interleaved' };

function textScheme(rw, attrs, inputs) {
  const plain = rw.rotaryFrequencies({ dim: attrs.head_dim, base: attrs.rope_theta });
  const sections = { sections: attrs.mrope_section, order: sectionOrders[attrs.scheme] };
  return {
    frequencies: rw.sectionedFrequencies(plain, sections),
    positions: inputs.position_ids.data,
    layout: 'half-split',
  };
}

function visionScheme(rw, attrs) {
  const [height, width] = attrs.side
    ? [attrs.side, attrs.side]
    : (attrs.grid_hw ?? attrs.grid_thw.slice(1));
  return rw.visionRotary({
    model: visionModels[attrs.scheme],
    dim: attrs.head_dim,
    base: attrs.rope_theta,
    height,
    width,
    ...(attrs.grid_thw && { frames: attrs.grid_thw[0], mergeSize: attrs.spatial_merge_size }),
    ...(attrs.prefix_tokens !== undefined && { prefixTokens: attrs.prefix_tokens }),
  });
}

/** Qwen2-VL's and Llama 4's encoders keep tokens before heads: [tokens, heads, dim]. */
function rotated(rw, scheme, { frequencies, positions, layout }, { data, shape }) {
  if (!scheme.startsWith('qwen2_vision') && scheme !== 'llama4_vision') {
    return rw.rotate({ data, shape }, frequencies, { positions, layout }).data;
  }
  const [heads, dim] = shape.slice(-2);
  const joined = [...shape.slice(0, -2), heads * dim];
  return rw.rotate({ data, shape: joined }, frequencies, { positions, layout, heads }).data;
}

export default function (rw, { attrs, inputs, outputs }) {
  const isVision = attrs.scheme in visionModels;
  if (!isVision && !(attrs.scheme in sectionOrders))
    throw new Error(`unknown scheme ${attrs.scheme}`);
  const { frequencies, positions, layout } = isVision
    ? visionScheme(rw, attrs)
    : textScheme(rw, attrs, inputs);
  const expectedLayout = { half: 'half-split', interleaved: 'interleaved' }[attrs.layout ?? 'half'];
  if (layout !== expectedLayout)
    throw new Error(`${attrs.scheme} has layout ${layout}, not ${attrs.layout}`);

  const result = {
    q_rot: rotated(rw, attrs.scheme, { frequencies, positions, layout }, inputs.q),
    k_rot: rotated(rw, attrs.scheme, { frequencies, positions, layout }, inputs.k),
  };
  if (outputs.includes('angles')) result.angles = rw.rotaryAngles(frequencies, { positions }).data;
  if (outputs.includes('cos')) {
    const { cos, sin, shape } = rw.rotaryTable(frequencies, { positions });
    const [rows, pairs] = shape;
    // DINOv3 keeps its table without the prefix, and twice over: once for each half.
    const first = attrs.prefix_tokens ?? 0,
      copies = attrs.scheme === 'dinov3' ? 2 : 1;
    const laidOut = (table) =>
      Float64Array.from({ length: (rows - first) * pairs * copies }, (_, at) => {
        const row = Math.floor(at / (pairs * copies));
        return table[(first + row) * pairs + (at % pairs)];
      });
    Object.assign(result, { cos: laidOut(cos), sin: laidOut(sin) });
  }
  return result;
}
