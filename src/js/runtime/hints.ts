/**
 * The end of an error about an unknown name: what the name is called here. One table holds what
 * PyTorch, Hugging Face, ONNX, MLX and x-transformers call it; the guide "Coming from elsewhere" is
 * tested against it.
 */

const rope = (more = '') => `position: { type: 'rope', layout: 'half-split'${more} }`;
const unused = (why: string) => `leave it out: ${why}`;

/**
 * What to write, by the names of options and values elsewhere. A correction begins with the name of
 * an option here, or says to leave the option out. Of several the first fits whose name the call
 * knows.
 */
export const elsewhere: ReadonlyMap<string, readonly string[]> = new Map(
  (
    [
      // Attention.
      ['is_causal unidirectional', 'causal: true'],
      ['attn_mask attn_bias', 'mask, or bias for numbers that are added'],
      [
        'attention_mask',
        "keyLengths, or mask: { data, shape: [batch, 1, 1, keys], whenTrue: 'attend' }",
      ],
      ['key_padding_mask', "mask with whenTrue: 'ignore', or keyLengths"],
      ['need_weights output_attentions', "intermediates: ['weights']"],
      ['qk_matmul_output_mode', "intermediates: ['scores', 'capped', 'biased', 'weights']"],
      ['softmax_scale', 'scale'],
      ['logits_soft_cap attn_logit_softcapping', 'softcap'],
      ['sliding_window', 'window: { size }'],
      ['window_size left_window_size local_window_size', 'window: { lookback, lookahead }'],
      ['past_key_values past_key_value past_key past_value', 'past: { k, v }'],
      ['nonpad_kv_seqlen seqlens_k cache_seqlens', 'keyLengths'],
      ['num_heads num_attention_heads q_num_heads n_heads n_head', 'heads'],
      ['kv_num_heads num_key_value_heads num_kv_heads n_kv_heads', 'keyHeads'],
      ['enable_gqa', unused('fewer key heads are shared without a switch')],
      ['dropout_p dropout', unused('nothing is dropped')],
      ['dtype device', unused('results are 32-bit floats of the CPU')],
      ['alibi alibi_slopes alibi_pos_bias', "position: { type: 'alibi' }"],
      ['rel_pos_bias', "position: { type: 't5', table, direction: 'causal' }"],
      ['rope rotary rotary_emb rotary_pos_emb do_rotary', rope(), 'rope'],
      // A cache.
      ['kv_cache_dtype', 'dtype'],
      // Frequencies and rotations.
      [
        'head_dim head_size dim_head',
        'dim',
        unused('the last axis of the tensor is the width of a head'),
      ],
      ['dims d_model embed_dim embedding_dim hidden_size', 'dim'],
      ['theta rope_theta freq_base rope_freq_base', 'base', rope(', base')],
      ['rope_scaling rope_parameters', 'scaling', rope(', scaling')],
      ['rope_type', 'type', 'scaling: { type }'],
      ['interpolate_factor', "scaling: { type: 'linear', factor }", 'factor'],
      ['theta_rescale_factor', "scaling: { type: 'ntk', factor }", 'factor'],
      ['scale_factor scaling_factor', 'factor', 'scale', "scaling: { type: 'linear', factor }"],
      ['attn_factor attention_scaling', 'attentionFactor'],
      ['max_position_embeddings', 'positions', 'maxLength', 'originalLength'],
      ['seq_len seq_length sequence_length', 'positions', 'length'],
      ['original_max_position_embeddings yarn_orig_ctx', 'originalLength'],
      ['partial_rotary_factor rotary_pct rotary_percentage', 'rotaryFraction'],
      ['rotary_dim rotary_embedding_dim', 'rotaryDim', 'dim'],
      ['position_ids input_pos', 'positions', rope(', positions')],
      ['interleaved rotary_interleaved traditional', "layout: 'interleaved'"],
      ['is_neox_style', "layout: 'half-split'"],
      ['use_xpos', unused('rotate takes an xposTable in place of frequencies')],
      ['freqs_for', unused("pixelFrequencies are those of freqs_for='pixel'")],
      // Biases.
      ['num_buckets relative_attention_num_buckets', 'buckets'],
      ['relative_attention_max_distance', 'maxDistance'],
      ['bidirectional', "direction: 'bidirectional'"],
      ['query_length', 'queries'],
      ['key_length', 'keys'],
      // Values.
      ['neox gpt_neox rotate_half', 'half-split'],
      ['half', 'half-split', 'float16'],
      ['gptj gpt_j adjacent', 'interleaved'],
      ['upper_left', 'top-left'],
      ['lower_right', 'bottom-right'],
      ['default', 'none'],
      ['dynamic', 'dynamic-ntk'],
      ['su', 'longrope'],
      ['pi', 'linear'],
      ['fp16 f16', 'float16'],
    ] as const
  ).flatMap(([names, ...corrections]) =>
    names.split(' ').map((name) => [name, corrections] as const),
  ),
);

const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');

/** How many letters to insert, delete, replace or swap with the next. */
function differences(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const isSwapped = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = isSwapped ? before[j - 1]! + 1 : Infinity;
      const replaced = row[j]! + Number(a[i] !== b[j]);
      next.push(Math.min(replaced, swapped, row[j + 1]! + 1, next[j]! + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

/** The known name that differs in the fewest letters: in at most a third of them. */
export function nearest(name: string, known: readonly unknown[]): string | undefined {
  let least = Math.min(Math.floor(name.length / 3), 8) + 1;
  let found: string | undefined;
  for (const each of known) {
    if (typeof each !== 'string' || Math.abs(each.length - name.length) >= least) continue;
    const count = differences(name.toLowerCase(), each.toLowerCase());
    if (count < least) [found, least] = [each, count];
  }
  return found;
}

/** What a name of another library, another spelling or a typing error stands for here. */
function correctionOf(name: string, known: readonly unknown[]): string | undefined {
  const snake = snakeCase(name);
  const respelled = known.find((each) => typeof each === 'string' && snakeCase(each) === snake);
  if (respelled !== undefined) return respelled as string;
  const fitting = elsewhere
    .get(snake)
    ?.find((text) => text.startsWith('leave') || known.includes(/^[\w-]+/.exec(text)![0]));
  return fitting ?? nearest(name, known);
}

/**
 * Returns the end of an error about an unknown name: what to write, or nothing if no name is close.
 * @param written how a name is written, where it is no option of a call
 */
export function hintFor(
  name: unknown,
  known: readonly unknown[],
  written = (correct: string) => correct,
): string {
  if (typeof name !== 'string' || name.length > 100) return '';
  const correction = correctionOf(name, known);
  if (correction === undefined) return '';
  return correction.startsWith('leave')
    ? ` (${correction})`
    : ` (did you mean ${written(correction)}?)`;
}
