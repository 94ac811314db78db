/** What an instance of `ropewalk/content` offers. */
import { ContentCore } from './core.js';
import { polarFunctions } from './polar.js';
import { contentOperand, headsOf, isContentType, type ContentPosition } from './schemes.js';
import {
  checkedAttention,
  type AttentionOptions,
  type AttentionResult,
} from '../attention/attention.js';
import { attendInParts, operandsOf, splitResult } from '../attention/call.js';
import type { PositionInput } from '../attention/position.js';
import { tensor } from '../runtime/checks.js';
import { startedForContent } from '../runtime/content_module.js';
import { wrongKind, wrongShape, wrongValue } from '../runtime/errors.js';
import {
  compiled,
  loadSchema,
  type BinarySource,
  type LoadOptions,
  type Simd,
} from '../runtime/load.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { shapeText, type Tensor } from '../runtime/tensor.js';

const isContentPosition = (
  position: ContentAttentionOptions['position'],
): position is ContentPosition =>
  typeof position === 'object' &&
  position !== null &&
  'type' in position &&
  isContentType(position.type);

/** Attention's options, whose position may also be one of this entry's. */
export interface ContentAttentionOptions extends Omit<AttentionOptions, 'position'> {
  /** Position scheme. Default: none. */
  position?: PositionInput | ContentPosition;
}

/** Attention's result; with stick-breaking also what no key takes. */
export interface ContentAttentionResult extends AttentionResult {
  /** With stick-breaking: 1 minus the sum of each row's weights, [..., queries]. */
  remainder?: Tensor;
}

/** What masks in selective attention, and whom it spares. */
export interface SelectiveScoresOptions {
  /** The head whose scores mask. Default 0. */
  gateHead?: number;
  /** Whether no query masks the token of the first query. Default true. */
  spareFirst?: boolean;
}

const selectiveSchema = {
  gateHead: option.wholeFrom(0).default(0),
  spareFirst: option.truth.default(true),
} satisfies Schema<SelectiveScoresOptions>;

const functions = (core: ContentCore) => ({
  /**
   * Exact attention as that of the main entry, whose position may also be PaTH, Wall, GRAPE-A,
   * GRAPE-AP, gates per row or stick-breaking. Queries stand where `causal` aligns them.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]
   * @param k the same with its own length, and heads that divide q's
   * @param v k's shape with its own dim
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see the papers that each position names
   */
  attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    settings: ContentAttentionOptions = {},
  ): ContentAttentionResult {
    const { position, ...others } = settings;
    if (!isContentPosition(position)) {
      const { call, leading, finished } = checkedAttention(
        core,
        q,
        k,
        v,
        settings as AttentionOptions,
      );
      return finished(attendInParts(core, call, leading));
    }
    const scheme = position;
    const isStick = scheme.type === 'stick-breaking';
    if (!others.causal)
      throw wrongKind('causal', `must be given with the position '${scheme.type}'`, undefined, '');
    if (isStick && others.sinks)
      throw wrongKind('sinks', 'and stick-breaking cannot be combined', others.sinks, '');
    const { call, leading, finished } = checkedAttention(core, q, k, v, others);
    const { numbers, floats } = contentOperand(core, scheme, call.sizes);
    const wanted = isStick ? new Set([...call.wanted, 'logSumExp' as const]) : call.wanted;
    const operands = operandsOf({ ...call, wanted });
    if (operands.bytes.length > 0) core.sendBytes(operands.bytes);
    core.send([...operands.floats, ...floats]);
    core.sendDoubles([...operands.doubles, numbers]);
    const result = core.floats(core.content.contentAttention());
    const { logSumExp, ...tensors } = splitResult({ ...call, wanted }, leading, result);
    const all = finished(isStick ? tensors : { ...tensors, ...(logSumExp && { logSumExp }) });
    return isStick ? { ...all, remainder: logSumExp! } : all;
  },

  /**
   * Selective attention: each score less the sum of the positive scores that earlier queries gave
   * the key in one head. It needs the scores of whole heads, which attention's intermediates have,
   * and attention takes what it returns as `bias` with the scale 0.
   * @param scores [batch, heads, queries, keys], with −Infinity or large negative numbers where
   * masked; the queries are the last keys
   * @returns a tensor of the same shape
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Leviathan et al. 2024, Selective Attention, section 3.3; x-transformers
   */
  selectiveScores(scores: Tensor, settings: SelectiveScoresOptions = {}): Tensor {
    const given = read('selectiveScores options', settings, selectiveSchema);
    const { data, leading, own } = headsOf('scores', tensor('scores', scores), 3);
    const [heads, queries, keys] = own as [number, number, number];
    if (given.gateHead >= heads)
      throw wrongValue('gateHead', `must be less than ${heads}`, given.gateHead);
    core.send([data]);
    const batches = data.length / (heads * queries * keys);
    const { gateHead, spareFirst } = given;
    const less = core.content.selectiveScores(batches, heads, queries, keys, gateHead, spareFirst);
    return { data: core.floats(less), shape: [...leading, ...own] };
  },

  /**
   * PaTH's key cache after a new token: each key k becomes k − β (k · w) w. Attention without a
   * position between the token's query and these keys, its own after them, is then PaTH.
   * @param keys [..., length, dim]
   * @param w of the token, [..., dim]
   * @param beta of the token, [...]
   * @returns the new cache, in the shape of the keys
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Yang et al. 2025, PaTH Attention, section 3.3
   */
  updatePathKeys(keys: Tensor, w: Tensor, beta: ArrayLike<number>): Tensor {
    const { data, leading, heads, own } = headsOf('keys', tensor('keys', keys), 2);
    const [length, dim] = own as [number, number];
    const along = tensor('w', w);
    if (along.data.length !== heads * dim)
      throw wrongShape('w', `must be ${shapeText([...leading, dim])}`, along.shape);
    const betas = option.numbers.read('beta', beta);
    if (betas.length !== heads) throw wrongValue('beta', `must have ${heads} values`, betas.length);
    core.send([data, along.data, Float32Array.from(betas)]);
    const updated = core.floats(core.content.updatePathKeys(heads, length, dim));
    return { data: updated, shape: [...leading, length, dim] };
  },
});

/** Attention with positions from the text, and what goes with it. */
export interface Content extends ReturnType<typeof functions>, ReturnType<typeof polarFunctions> {
  /** Which binary runs. */
  readonly simd: Simd;
  /** Gives back the memory that calls keep for reuse. */
  release(): void;
}

/** What every entry starts. @internal */
export async function startContent(
  settings: LoadOptions | undefined,
  binary: BinarySource,
): Promise<Content> {
  const given = read('createContent options', settings, loadSchema);
  const { module, simd } = await compiled(given, binary, 'simd-content');
  const core = new ContentCore(await startedForContent(module));
  return {
    ...functions(core),
    ...polarFunctions(core),
    simd,
    release: () => core.content.releaseMemory(),
  };
}

export type { LoadOptions, Simd } from '../runtime/load.js';
export type { Positions, Tensor } from '../runtime/tensor.js';
export type { PolarOptions } from './polar.js';
export type {
  ContentPosition,
  GrapeAdditivePosition,
  PathIntegralPosition,
  PathPosition,
  RowGatePosition,
  StickBreakingPosition,
  WallPosition,
} from './schemes.js';
