// Suites attention and attention_edge: inputs as PyTorch's scaled_dot_product_attention takes them.
import { asTensor } from '../adapting.mjs';

const alignments = { topleft: 'top-left', bottomright: 'bottom-right' };

/**
 * Biases by distance that attrs name are passed by name, so that they are fused; others as tensors.
 * @returns {import('ropewalk').AttentionPosition | undefined}
 */
function positionOf({ attrs, inputs }) {
  if (attrs.alibi) {
    const direction = /** @type {const} */ ({ press_causal: 'causal', symmetric: 'symmetric' })[
      attrs.alibi
    ];
    return { type: 'alibi', direction };
  }
  if (attrs.t5) {
    const { bidirectional, num_buckets: buckets, max_distance: maxDistance } = attrs.t5;
    const table = asTensor(inputs.t5_table);
    if (table.shape[0] !== buckets)
      throw new Error(`the table has ${table.shape[0]} buckets, not ${buckets}`);
    return {
      type: 't5',
      table,
      direction: bidirectional ? 'bidirectional' : 'causal',
      maxDistance,
    };
  }
  if (attrs.sandwich) return { type: 'sandwich', dim: attrs.sandwich.d_bar };
  return undefined;
}

/** The pattern is also in inputs.mask; where attrs name it, the named options must give the same. */
function visibility({ causal, window, window_gym, window_sym }) {
  /** @type {import('ropewalk').AttentionOptions} */
  const options = {};
  if (causal) options.causal = alignments[causal];
  if (window != null) options.window = { size: window };
  if (window_gym != null) options.window = { lookback: window_gym, lookahead: 0 };
  if (window_sym != null) options.window = { lookback: window_sym, lookahead: window_sym };
  return options;
}

export function attentionOptions({ attrs, inputs }) {
  /** @type {import('ropewalk').AttentionOptions & { intermediates: 'logSumExp'[] }} */
  const options = { ...visibility(attrs), intermediates: ['logSumExp'] };
  if (attrs.scale != null) options.scale = attrs.scale;
  if (attrs.softcap) options.softcap = attrs.softcap;
  const position = positionOf({ attrs, inputs });
  if (position) options.position = position;
  else if (inputs.bias) options.bias = asTensor(inputs.bias);
  if (inputs.mask)
    options.mask = {
      data: Uint8Array.from(inputs.mask.num, Number),
      shape: inputs.mask.shape,
      whenTrue: 'attend',
    };
  if (inputs.sinks) options.sinks = inputs.sinks.num;
  if (inputs.qfactor) options.rowScale = inputs.qfactor.num;
  return options;
}

export default function (rw, c) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(c.inputs[name]));
  const options = attentionOptions(c);
  const fast = rw.attention(q, k, v, options);
  const stepped = c.outputs.includes('probs')
    ? rw.attention(q, k, v, { ...options, intermediates: ['weights'] })
    : undefined;
  return { out: fast.output.data, lse: fast.logSumExp.data, probs: stepped?.weights.data };
}
