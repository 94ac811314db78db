/** Reads the width of a head and of its rotated part from a configuration. */
import type { Family } from './families.js';
import { numberOfEither, rules, type ConfigSection } from './reader.js';
import { withParameter, wrongValue } from '../runtime/errors.js';

export function headWidth(
  config: ConfigSection,
  type: string,
  layerType: string | undefined,
): number {
  const code = 'head-width';
  if (type === 'proportional' && layerType === 'full_attention' && config.has('global_head_dim')) {
    return config.number('global_head_dim', rules.width, code)!;
  }
  const stated = config.anyNumber(
    ['head_dim', 'kv_channels', 'attention_head_size'],
    rules.width,
    code,
  );
  if (stated !== undefined) return stated;
  const hidden = config.needed(['hidden_size', 'n_embd', 'd_model'], rules.width, 'model-width');
  const heads = config.needed(
    ['num_attention_heads', 'n_head', 'n_heads', 'num_heads'],
    rules.width,
    'heads',
  );
  const width = Math.floor(hidden / heads);
  if (hidden % heads !== 0) {
    config.contradict('hidden_size', hidden, { code: 'indivisible', values: { heads, width } });
  }
  const values = { dividend: hidden, divisor: heads };
  return config.assume('head_dim', width, { code: 'quotient', values });
}

/** DeepSeek's heads have a rotated and an unrotated part, each with its own width. */
export function separateParts(config: ConfigSection) {
  const dim = config.number('qk_rope_head_dim', rules.width, 'rotated-width');
  if (dim === undefined) return undefined;
  const others = config.number('qk_nope_head_dim', rules.width, 'unrotated-width') ?? 0;
  return {
    headDim: dim + others,
    dim,
    rotaryFraction: 1,
    ...(others > 0 && { rotatesLast: true }),
  };
}

/** The rotated part of a head: a width, or a fraction of the head. */
export function rotatedPart(
  config: ConfigSection,
  block: ConfigSection | undefined,
  headDim: number,
  family: Family | undefined,
) {
  const exact = config.number('rotary_dim', rules.width, 'rotated-width');
  if (exact !== undefined) {
    if (exact <= headDim) return { headDim, dim: exact, rotaryFraction: 1 };
    const key = config.key('rotary_dim');
    throw wrongValue(key, `must be at most the width of a head, ${headDim}`, exact);
  }
  const code = 'rotated-share';
  const share =
    numberOfEither(
      [block, 'partial_rotary_factor'],
      [config, 'partial_rotary_factor'],
      rules.fraction,
      code,
    ) ?? config.anyNumber(['rotary_pct', 'rope_pct', 'rotary_emb_fraction'], rules.fraction, code);
  const usual = family?.scheme === 'rotary' ? family.rotaryFraction : undefined;
  if (share !== undefined || usual === undefined)
    return { headDim, dim: headDim, rotaryFraction: share ?? 1 };
  const rotaryFraction = config.assume('partial_rotary_factor', usual, { code: 'model-default' });
  return { headDim, dim: headDim, rotaryFraction };
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
