/** Exact attention, with position fused where the scheme allows it. */
import { finiteNumber, fitting, oneOf, options, positionList, tensor } from './checks.js';
import { alibiByOffset, alibiDirections, slopeConventions } from './biases.js';
import type { AlibiDirection, SlopeConvention } from './biases.js';
import { copied, type Core } from './core.js';
import { rotaryLayouts, type RotaryLayout } from './rotary.js';
import { checkedFrequencies, requireOneAxis, requireWidth, type RotaryFrequencies } from './rotary_frequencies.js';
import { elementCount, shapeText, type Positions, type Tensor } from './tensor.js';

/** A scheme that acts inside attention. Schemes that act at the input are added to the tokens before. */
export type AttentionPosition =
  | { type: 'none' }
  | {
      type: 'rope';
      frequencies: RotaryFrequencies;
      layout: RotaryLayout;
      /** Positions of the queries, and of the keys unless those have their own. Default 0, 1, … */
      positions?: Positions;
      keyPositions?: Positions;
    }
  | { type: 'alibi'; direction?: AlibiDirection; convention?: SlopeConvention };

/** The steps on the way to the output; each costs queries × keys values per head. */
export type AttentionStep = 'scores' | 'biased' | 'weights' | 'entropy';

export interface AttentionOptions {
  /** Multiplies q · k. Default 1/√dim. */
  scale?: number;
  /**
   * Which keys a query sees. 'top-left': query i sees keys 0 … i (PyTorch's is_causal).
   * 'bottom-right': the last query sees every key (decoding with a cache). Default false.
   */
  causal?: false | 'top-left' | 'bottom-right';
  /** Added to the scaled scores; broadcast to [batch, heads, queries, keys]. −Infinity hides a key. */
  bias?: Tensor;
  position?: AttentionPosition;
  return?: readonly AttentionStep[];
}

export interface AttentionResult {
  /** softmax(scale · q kᵀ + bias) v, of q's leading shape. A row that sees no key is zero. */
  output: Tensor;
  /** scale · q kᵀ, after any rotation. */
  scores?: Tensor;
  /** Scores with every bias; −Infinity where masked. */
  biased?: Tensor;
  /** softmax of biased: each row sums to 1. */
  weights?: Tensor;
  /** −Σ w ln w of each row of weights, in nats. */
  entropy?: Tensor;
}

const steps = ['scores', 'biased', 'weights', 'entropy'] as const;

/** [length, dim], [heads, length, dim] and [batch, heads, length, dim] as the last of them. */
function fourAxes(name: string, value: Tensor): { data: Float32Array; shape: [number, number, number, number] } {
  const { data, shape } = tensor(name, value);
  if (shape.length < 2 || shape.length > 4) {
    throw new RangeError(
      `${name}.shape must be [length, dim], [heads, length, dim] or [batch, heads, length, dim], got ${shapeText(shape)}`,
    );
  }
  const padded = [...Array<number>(4 - shape.length).fill(1), ...shape];
  return { data, shape: padded as [number, number, number, number] };
}

interface Sizes {
  batch: number;
  heads: number;
  keyHeads: number;
  queries: number;
  keys: number;
  dim: number;
  valueDim: number;
}

function equal(what: string, a: number, b: number): void {
  if (a !== b) throw new RangeError(`${what} must be equal, got ${a} and ${b}`);
}

function sizesOf(q: number[], k: number[], v: number[]): Sizes {
  const [batch, heads, queries, dim] = q as [number, number, number, number];
  const [keyBatch, keyHeads, keys, keyDim] = k as [number, number, number, number];
  const [valueBatch, valueHeads, values, valueDim] = v as [number, number, number, number];
  equal('dim of q and k', dim, keyDim);
  equal('length of k and v', keys, values);
  equal('heads of k and v', keyHeads, valueHeads);
  equal('batch of q and k', batch, keyBatch);
  equal('batch of k and v', keyBatch, valueBatch);
  if (heads % keyHeads !== 0) {
    throw new RangeError(`heads of q must be a multiple of the heads of k, got ${heads} and ${keyHeads}`);
  }
  return { batch, heads, keyHeads, queries, keys, dim, valueDim };
}

/** A bias of any broadcastable shape, with its steps per batch, head and query (0 repeats). */
function biasOperand(bias: Tensor | undefined, sizes: Sizes) {
  if (bias === undefined) {
    return { data: [], biasSize: 0, biasBatchStep: 0, biasHeadStep: 0, biasRowStep: 0 };
  }
  const { data, shape } = fourAxes('bias', bias);
  const full = [sizes.batch, sizes.heads, sizes.queries, sizes.keys];
  shape.forEach((extent, axis) => {
    if (extent !== full[axis] && (extent !== 1 || axis === 3)) {
      throw new RangeError(`bias.shape must broadcast to ${shapeText(full)}, got ${shapeText(bias.shape)}`);
    }
  });
  const step = (axis: number) => (shape[axis] === 1 ? 0 : elementCount(shape.slice(axis + 1)));
  return {
    data: [data],
    biasSize: data.length,
    biasBatchStep: step(0),
    biasHeadStep: step(1),
    biasRowStep: step(2),
  };
}

const noPosition = {
  floats: [] as Float32Array[],
  doubles: [] as Float64Array[],
  hasDistanceBias: false,
  rotaryPairs: 0,
  attentionFactor: 1,
  layout: 'interleaved' as RotaryLayout,
};

/** Where a scheme acts: what it sends along, and the numbers that say so. */
function positionOperand(core: Core, position: AttentionPosition, sizes: Sizes): typeof noPosition {
  const type = oneOf('position.type', position?.type, ['none', 'rope', 'alibi'] as const);
  if (type === 'alibi') {
    const given = options('position', position as AttentionPosition & { type: 'alibi' }, ['type', 'direction', 'convention']);
    const direction = oneOf('position.direction', given.direction ?? 'causal', alibiDirections);
    const convention = oneOf('position.convention', given.convention ?? 'published', slopeConventions);
    const { heads, queries, keys } = sizes;
    const table = alibiByOffset(core, { heads, queries, keys, direction, convention });
    return { ...noPosition, floats: [table], hasDistanceBias: true };
  }
  if (type === 'rope') {
    const given = options('position', position as AttentionPosition & { type: 'rope' }, [
      'type', 'frequencies', 'layout', 'positions', 'keyPositions',
    ]);
    const frequencies = checkedFrequencies('position.frequencies', given.frequencies);
    requireOneAxis('position.frequencies', frequencies);
    requireWidth('position.frequencies', frequencies, sizes.dim);
    const { inverse, attentionFactor } = frequencies;
    const layout = oneOf('position.layout', given.layout, rotaryLayouts);
    const queries = positionList('position.positions', given.positions ?? sizes.queries, sizes.queries);
    const ofKeys = given.keyPositions ?? given.positions ?? sizes.keys;
    const keys = positionList('position.keyPositions', ofKeys, sizes.keys);
    return { ...noPosition, doubles: [queries, keys, inverse], rotaryPairs: inverse.length, attentionFactor, layout };
  }
  options('position', position, ['type']);
  return noPosition;
}

export const attention = (core: Core) => ({
  /**
   * Exact softmax attention, softmax(scale · q kᵀ + bias) v, for every batch and head.
   *
   * Tiled with an online softmax: without `return`, memory grows with the lengths, not with their
   * product. Fewer key heads than query heads share (query head h reads key head
   * ⌊h · keyHeads / heads⌋). NaN reaches only the rows that see it.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]
   * @param k the same with its own length, and heads that divide q's
   * @param v k's shape with its own dim
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Vaswani et al. 2017, equation 1; Milakov and Gimelshein 2018 (online softmax)
   */
  attention(q: Tensor, k: Tensor, v: Tensor, settings: AttentionOptions = {}): AttentionResult {
    const given = options('attention options', settings, ['scale', 'causal', 'bias', 'position', 'return']);
    const [queries, keys, values] = [fourAxes('q', q), fourAxes('k', k), fourAxes('v', v)];
    const sizes = sizesOf(queries.shape, keys.shape, values.shape);
    const scale = finiteNumber('scale', given.scale ?? 1 / Math.sqrt(sizes.dim));
    const causal = oneOf('causal', given.causal ?? false, [false, 'top-left', 'bottom-right'] as const);
    const wanted = new Set((given.return ?? []).map((step) => oneOf('return', step, steps)));
    const { data: biasData, ...biasSteps } = biasOperand(given.bias, sizes);
    const rows = sizes.batch * sizes.heads * sizes.queries;
    fitting('the output and the steps asked for', rows * (sizes.valueDim + wanted.size * sizes.keys));

    const { floats, doubles, ...placed } = positionOperand(core, given.position ?? { type: 'none' }, sizes);
    core.send([queries.data, keys.data, values.data, ...biasData, ...floats]);
    core.sendDoubles(doubles);
    const all = copied(
      core.raw.attention({
        ...sizes,
        ...biasSteps,
        ...placed,
        scale,
        causal: causal || 'none',
        wantScores: wanted.has('scores'),
        wantBiased: wanted.has('biased'),
        wantWeights: wanted.has('weights'),
        wantEntropy: wanted.has('entropy'),
      }),
    );
    return dealt(all, q.shape, sizes, wanted);
  },
});

/** Cuts what came back into output and steps, each of q's own rank. */
function dealt(all: Float32Array, qShape: readonly number[], sizes: Sizes, wanted: Set<AttentionStep>): AttentionResult {
  let at = 0;
  const next = (...shape: number[]): Tensor => {
    const count = elementCount(shape);
    const data = wanted.size === 0 ? all : all.slice(at, at + count);
    at += count;
    return { data, shape };
  };
  const leading = qShape.slice(0, -2);
  const result: AttentionResult = { output: next(...leading, sizes.queries, sizes.valueDim) };
  for (const step of steps) {
    if (!wanted.has(step)) continue;
    result[step] = step === 'entropy' ? next(...leading, sizes.queries) : next(...leading, sizes.queries, sizes.keys);
  }
  return result;
}
