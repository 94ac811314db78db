/** Faults of scores, masks and biases. */
import { fault, modelsOf, ofScores, type Fault, type World } from './fault.js';
import type { AlibiModel, Model, ScoreModel } from './model.js';

const hasScores = ({ dumps }: World) =>
  dumps.some((dump) => dump.get('scores') ?? dump.get('weights'));

/** A fault that only scores or weights show. */
function ofScore(
  id: string,
  part: Fault['part'],
  change: (scores: ScoreModel, model: Model) => Partial<ScoreModel> | undefined,
  parameters: object,
  text: string,
  fix: string,
): Fault {
  return fault({
    id,
    part,
    variants: (world) =>
      hasScores(world) ? [{ parameters: { ...parameters }, cost: 1, apply: ofScores(change) }] : [],
    says: () => text,
    fix,
  });
}

const scaleFaults = [
  ofScore(
    'scale_missing',
    'scale',
    ({ scale }) => (scale === 1 ? undefined : { scaleApplied: 0 }),
    { scale: 'missing' },
    'Scores are q · k without the softmax scale.',
    'Multiply by the softmax scale: scaling (Hugging Face), scale (vLLM, MLX, ONNX), kq_scale (llama.cpp).',
  ),
  ofScore(
    'scale_doubled',
    'scale',
    ({ scale }) => (scale === 1 ? undefined : { scaleApplied: 2 }),
    { scale: 'doubled' },
    'Scores have the softmax scale twice.',
    'Apply the scale once: to q or to the scores, not to both.',
  ),
  ofScore(
    't5_scaled',
    'scale',
    (_, { t5, scores }) => (t5 && scores.scale === 1 ? { scale: t5.scale } : undefined),
    { scaled: true },
    'q · k is multiplied by 1/√d_kv, which T5 does not do.',
    'Use scale 1 for T5: scaled_dot_product_attention(scale=1.0), scale=1 (vLLM, MLX, ONNX).',
  ),
];

const otherFaults = [
  ofScore(
    'gqa_repeat_order',
    'heads',
    () => ({ keyHeads: 'tiled' }),
    { gqa: 'tile' },
    'Query head h reads key head h mod H_kv.',
    'Repeat each key head for its group, head h // (H / H_kv): repeat_interleave, repeat_kv (Hugging Face), not repeat or tile; num_kv_heads (vLLM), kv_num_heads (ONNX).',
  ),
  ofScore(
    'causal_alignment',
    'mask',
    ({ causal }) => (causal === 'bottom-right' ? { causal: 'top-left' } : undefined),
    { causal: 'top-left' },
    'The causal mask is aligned top-left: query i sees the keys 0 … i, not those of the cache.',
    "Align bottom-right when queries are the last of the keys: key ≤ query + (keys − queries). is_causal=True of PyTorch is top-left; use causal_lower_right, or a mask; mask='causal' (MLX), past_key (ONNX).",
  ),
  fault({
    id: 'mask_inverted',
    part: 'mask',
    variants: (world) =>
      hasScores(world)
        ? (['padding', 'causal', 'all'] as const).map((inverted, i) => ({
            parameters: { mask: inverted === 'all' ? 'inverted' : `${inverted}_inverted` },
            cost: 1 + 0.01 * i,
            apply: ofScores(({ causal }) =>
              causal || inverted === 'padding' ? { inverted } : undefined,
            ),
          }))
        : [],
    says: ({ mask }) =>
      mask === 'padding_inverted'
        ? 'Weights fall on the padding: the padding mask is inverted.'
        : 'Kept and masked keys are exchanged.',
    fix: 'Invert the mask: attention_mask has 1 for tokens to attend (Hugging Face, ONNX); a boolean attn_mask of scaled_dot_product_attention is true where a key takes part, key_padding_mask where it does not.',
  }),
  ofScore(
    'softcap_after_mask',
    'softcap',
    ({ softcap }) => (softcap === undefined ? undefined : { softcapAfterMask: true }),
    { softcap: 'after_mask' },
    'Masked scores are −softcap: the softcap was applied after the mask.',
    'Apply cap · tanh(score / cap) first and the mask afterwards (Hugging Face eager attention, logits_soft_cap of vLLM, softcap of ONNX).',
  ),
  fault({
    id: 'window_off_by_one',
    part: 'window',
    variants: (world) =>
      hasScores(world)
        ? [1, -1].map((window) => ({
            parameters: { window },
            cost: 1,
            apply: ofScores((scores) =>
              scores.window !== undefined && scores.window + window > 0
                ? { window: scores.window + window }
                : undefined,
            ),
          }))
        : [],
    says: ({ window }) =>
      `Each query sees one key ${window > 0 ? 'more' : 'less'} than the window.`,
    fix: 'sliding_window W means W keys with the own one (Hugging Face, vLLM), window_size = (W − 1, 0) of FlashAttention, W − 1 before the query in ONNX, n_swa (llama.cpp).',
  }),
];

const conventions: [AlibiModel['convention'], string, number][] = [
  ['naive', 'naive', 1],
  ['sorted', 'sorted', 1.01],
  ['zero-based', 'zero_based', 1.02],
  ['zero-based-published', 'zero_based', 1.03],
];

const hasAlibi = (world: World) => modelsOf(world).some(({ alibi }) => alibi);

const biasFaults: Fault[] = [
  fault({
    id: 'alibi_slopes_convention',
    part: 'bias',
    variants: (world) =>
      hasAlibi(world)
        ? conventions.map(([convention, slopes, cost]) => ({
            parameters: { slopes },
            cost,
            apply: (model: Model) =>
              model.alibi && { ...model, alibi: { ...model.alibi, convention } },
          }))
        : [],
    says: ({ slopes }) =>
      ({
        naive: 'Slopes are 2^(−8h/H) for all heads.',
        sorted: "The authors' slopes are sorted.",
        zero_based: 'Slopes begin at 2^0 = 1: heads are counted from 0.',
      })[slopes as 'naive'],
    fix: "Use the authors' rule in its order (get_slopes): the slopes of the power of two below H, then every other one of the power above (Hugging Face BLOOM, vLLM, alibi_bias_max of MPT; f_max_alibi_bias of llama.cpp).",
  }),
  fault({
    id: 'alibi_direction',
    part: 'bias',
    variants: (world) =>
      hasAlibi(world)
        ? [
            {
              parameters: { sign: -1 },
              cost: 1,
              apply: (model: Model) =>
                model.alibi && { ...model, alibi: { ...model.alibi, reversed: true } },
            },
          ]
        : [],
    says: () => 'The bias grows with the distance: its sign is reversed, far keys are favored.',
    fix: 'Add −slope · (query − key), or slope · key, which differs by a constant per row.',
  }),
  fault({
    id: 't5_bidirectional_vs_causal',
    part: 'bias',
    variants: (world) =>
      modelsOf(world).some(({ t5 }) => t5)
        ? [
            {
              parameters: {
                bidirectional: modelsOf(world)[0]?.t5?.direction === 'causal',
              },
              cost: 1,
              apply: (model: Model) => {
                if (!model.t5) return undefined;
                const direction = model.t5.direction === 'causal' ? 'bidirectional' : 'causal';
                return { ...model, t5: { ...model.t5, direction } };
              },
            },
          ]
        : [],
    says: ({ bidirectional }) =>
      bidirectional
        ? 'The decoder has bidirectional buckets.'
        : 'The encoder has causal buckets: all later keys share bucket 0.',
    fix: 'Set bidirectional = not is_decoder in _relative_position_bucket.',
  }),
];

export const scoreFaults: Fault[] = [...scaleFaults, ...otherFaults, ...biasFaults];
