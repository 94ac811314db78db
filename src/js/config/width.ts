/** Reads the width of a head and of its rotated part from a configuration. */
import { numberOfEither, rules, type ConfigSection } from './reader.js';
import { withParameter, wrongValue } from '../runtime/errors.js';

export const headNames = [
  'num_attention_heads',
  'decoder_num_attention_heads',
  'decoder_attention_heads',
  'n_head',
  'n_heads',
  'num_heads',
  'encoder_attention_heads',
  'attention_heads',
];

/** The width of a head in the full layers, where it differs from the others: Gemma 4. */
function fullHeadWidth(config: ConfigSection): number | undefined {
  const perLayer = config.section('per_layer_config');
  const kinds = config.value('layer_types');
  const isFull = (name: string) =>
    !Array.isArray(kinds) || kinds[Number(name)] === 'full_attention';
  const name = perLayer?.names().find((layer) => isFull(layer));
  const own = name === undefined ? undefined : perLayer!.section(name);
  return (
    own?.number('head_dim', rules.width, 'head-width') ??
    config.number('global_head_dim', rules.width, 'head-width')
  );
}

export function headWidth(config: ConfigSection, layerType: string | undefined): number {
  const code = 'head-width';
  const full = layerType === 'full_attention' ? fullHeadWidth(config) : undefined;
  if (full !== undefined) return full;
  const names = ['head_dim', 'attention_head_dim', 'attention_head_size'];
  // Zamba's kv_channels is half the width of a head.
  if (config.family?.headFactor === undefined) names.push('kv_channels');
  const stated = config.anyNumber(names, rules.width, code);
  if (stated !== undefined) return stated;
  const width = config.needed(
    ['hidden_size', 'n_embd', 'd_model', 'dim'],
    rules.width,
    'model-width',
  );
  const hidden = width * (config.family?.headFactor ?? 1);
  const heads = config.needed(headNames, rules.width, 'heads');
  const quotient = Math.floor(hidden / heads);
  if (hidden % heads !== 0) {
    const values = { heads, width: quotient };
    config.contradict('hidden_size', width, { code: 'indivisible', values });
  }
  const values = { dividend: hidden, divisor: heads };
  return config.assume('head_dim', quotient, { code: 'quotient', values });
}

/** DeepSeek's heads have a rotated and an unrotated part, each with its own width. */
export function separateParts(config: ConfigSection) {
  const { family } = config;
  if (config.value('use_mla') === false) return undefined;
  const dim = config.number('qk_rope_head_dim', rules.width, 'rotated-width');
  if (dim === undefined) return undefined;
  const others = config.number('qk_nope_head_dim', rules.part, 'unrotated-width') ?? 0;
  const headDim = family?.end ? headWidth(config, undefined) : dim + others;
  const part = others > 0 || family?.end ? ({ part: 'trailing' } as const) : {};
  return { headDim, dim, rotaryFraction: 1, ...part };
}

/** The rotated part of a head: a width, or a fraction of the head. */
export function rotatedPart(
  config: ConfigSection,
  block: ConfigSection | undefined,
  headDim: number,
  layer: number | undefined,
) {
  const names = ['partial_rotary_factor', 'rotary_pct', 'rope_pct', 'rotary_emb_fraction'];
  const name = config.spelling(names) ?? 'partial_rotary_factor';
  const statesShare = block?.owns('partial_rotary_factor') || config.owns(name);
  const isExact = config.owns('rotary_dim') || !statesShare;
  const exact = isExact ? config.number('rotary_dim', rules.width, 'rotated-width') : undefined;
  if (exact !== undefined) {
    if (exact <= headDim) return { headDim, dim: exact, rotaryFraction: 1 };
    const key = config.key('rotary_dim');
    throw wrongValue(key, `must be at most the width of a head, ${headDim}`, exact);
  }
  const code = 'rotated-share';
  const shares = config.numbers('partial_rotary_factors', rules.fraction, code);
  const ofLayer = shares?.[layer ?? 0];
  if (ofLayer !== undefined) return { headDim, dim: headDim, rotaryFraction: ofLayer };
  const share = numberOfEither(
    [block, 'partial_rotary_factor'],
    [config, name],
    rules.fraction,
    code,
  );
  return { headDim, dim: headDim, rotaryFraction: share ?? 1 };
}

/** The number of rotated values of a head, which must be even. */
export function rotatedValues(
  config: ConfigSection,
  { dim, rotaryFraction }: { dim: number; rotaryFraction: number },
  type: string,
) {
  const rotated = type === 'proportional' ? dim : Math.floor(dim * rotaryFraction);
  if (rotated >= 2 && rotated % 2 === 0) return rotated;
  const share = rotaryFraction < 1 ? `, ${rotaryFraction} of ${dim}` : '';
  const rule = 'must have an even number of values';
  const text = `${config.path}: the rotated part of a head ${rule}, got ${rotated}${share}`;
  throw withParameter(new RangeError(text), config.path, rule, rotated);
}
