/** A checked call of attention: what crosses into the core, whole or some of its heads at a time. */
import { noBias, type BiasOperand, type Sizes } from './attention_operands.js';
import type { PositionOperand } from './attention_position.js';
import type { Core } from './core.js';
import { elementCount, type Tensor } from './tensor.js';

/** The steps on the way to the output; all but the last two cost queries × keys values per head. */
export type AttentionStep = 'scores' | 'capped' | 'biased' | 'weights' | 'entropy' | 'logSumExp';

export const steps = ['scores', 'capped', 'biased', 'weights', 'entropy', 'logSumExp'] as const;

/** Everything that the core needs, after every check and default. What is absent is an empty list. */
export interface AttentionCall {
  sizes: Sizes;
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  scale: number;
  softcap: number;
  band: { offset: number; alignsLast: boolean; lookback: number; lookahead: number };
  bias: BiasOperand | undefined;
  position: PositionOperand;
  rowScale: Float32Array[];
  sinks: Float32Array[];
  keyLengths: Float64Array[];
  wanted: ReadonlySet<AttentionStep>;
}

/** A call as the inboxes take it. */
export interface AttentionOperands {
  floats: Float32Array[];
  doubles: (Float64Array | number[])[];
}

export function operandsOf(call: AttentionCall): AttentionOperands {
  const { sizes, band, position, rowScale, sinks, keyLengths, wanted } = call;
  const bias = call.bias ?? noBias;
  // In the order of AttentionCall in the core.
  const record = [
    sizes.batch, sizes.heads, sizes.keyHeads, sizes.queries, sizes.keys, sizes.dim, sizes.valueDim,
    call.scale, call.softcap,
    band.offset, Number(band.alignsLast), band.lookback, band.lookahead,
    bias.biasSize, bias.biasBatchStep, bias.biasHeadStep, bias.biasRowStep,
    position.distanceBias.length, rowScale.length, sinks.length, keyLengths.length,
    position.rotations, position.rotaryPairs, position.attentionFactor,
    Number(position.layout === 'half-split'),
    ...steps.map((step) => Number(wanted.has(step))),
  ];
  const biases = call.bias ? [call.bias.data] : [];
  return {
    floats: [call.q, call.k, call.v, ...biases, ...position.distanceBias, ...rowScale, ...sinks],
    doubles: [record, ...keyLengths, ...position.doubles],
  };
}

/** The output of every head, then each wanted step of every head. */
export function attend(core: Core, { floats, doubles }: AttentionOperands): Float32Array {
  core.send(floats);
  core.sendDoubles(doubles);
  return core.floats(core.raw.attention());
}

/** Batches, or heads of one batch: whole groups of heads that share keys, or a part of one group. */
interface Run {
  batch: number;
  batches: number;
  head: number;
  heads: number;
}

/** `count` things in at most `most` runs of nearly equal length, as [first, length]. */
function runs(count: number, most: number): [number, number][] {
  const pieces = Math.min(count, most);
  const edge = (i: number) => Math.floor((i * count) / pieces);
  return Array.from({ length: pieces }, (_, i) => [edge(i), edge(i + 1) - edge(i)]);
}

/** About `most` runs, each contiguous in the result, that together are every head once and in order. */
function runsOf({ batch, heads, keyHeads }: Sizes, most: number): Run[] {
  if (batch >= most) {
    return runs(batch, most).map(([first, batches]) => ({ batch: first, batches, head: 0, heads }));
  }
  const perBatch = Math.ceil(most / batch);
  const sharing = heads / keyHeads;
  const perGroup = perBatch > keyHeads ? Math.ceil(perBatch / keyHeads) : 1;
  const ofBatch = runs(keyHeads, perBatch).flatMap(([group, groups]) =>
    runs(groups * sharing, perGroup).map(([first, count]) => [group * sharing + first, count] as const));
  return Array.from({ length: batch }, (_, at) => at).flatMap((at) =>
    ofBatch.map(([head, count]) => ({ batch: at, batches: 1, head, heads: count })));
}

/** The part of a bias that a run reads, from its own first value. */
function biasOf(bias: BiasOperand, { batch, batches, head, heads }: Run): BiasOperand {
  const { data, biasBatchStep, biasHeadStep } = bias;
  const first = batch * biasBatchStep + head * biasHeadStep;
  const ofHead = biasHeadStep || biasBatchStep || data.length;
  const last = first + (batches - 1) * biasBatchStep + (heads - 1) * biasHeadStep;
  const part = data.subarray(first, last + ofHead);
  return { ...bias, data: part, biasSize: part.length };
}

/** The same call for one run: views of the arrays, no copies. */
function partOf(call: AttentionCall, run: Run): AttentionCall {
  const { sizes, position } = call;
  const sharing = sizes.heads / sizes.keyHeads;
  const keyHead = Math.floor(run.head / sharing);
  const keyHeads = Math.ceil(run.heads / sharing);
  const cut = (data: Float32Array, all: number, first: number, heads: number) => {
    const perHead = data.length / (sizes.batch * all);
    const at = (run.batch * all + first) * perHead;
    return data.subarray(at, at + run.batches * heads * perHead);
  };
  const ofHeads = (list: Float32Array) => {
    const perHead = list.length / sizes.heads;
    return list.subarray(perHead * run.head, perHead * (run.head + run.heads));
  };
  return {
    ...call,
    sizes: { ...sizes, batch: run.batches, heads: run.heads, keyHeads },
    q: cut(call.q, sizes.heads, run.head, run.heads),
    k: cut(call.k, sizes.keyHeads, keyHead, keyHeads),
    v: cut(call.v, sizes.keyHeads, keyHead, keyHeads),
    bias: call.bias && biasOf(call.bias, run),
    position: { ...position, distanceBias: position.distanceBias.map(ofHeads) },
    sinks: call.sinks.map(ofHeads),
    keyLengths: call.keyLengths.map((list) => list.slice(run.batch, run.batch + run.batches)),
  };
}

/** About `most` calls whose results, one after another, hold every head of this one in order. */
export function partsOf(call: AttentionCall, most: number): AttentionCall[] {
  return runsOf(call.sizes, most).map((run) => partOf(call, run));
}

/** Output and steps, each with q's leading axes, out of what came back for every part of the heads. */
export function dealt(
  { sizes, wanted }: AttentionCall,
  leading: readonly number[],
  parts: readonly Float32Array[],
): { output: Tensor } & { [Step in AttentionStep]?: Tensor } {
  const shape = [...leading, sizes.queries, sizes.valueDim];
  if (wanted.size === 0) {
    return { output: { data: parts.length === 1 ? parts[0]! : together(parts), shape } };
  }
  const own = steps.filter((step) => wanted.has(step));
  const isPerRow = (step: AttentionStep) => step === 'entropy' || step === 'logSumExp';
  const ofStep = (step: AttentionStep) => (isPerRow(step) ? [sizes.queries] : [sizes.queries, sizes.keys]);
  const shapes = [[sizes.queries, sizes.valueDim], ...own.map(ofStep)];
  const perHead = shapes.reduce((sum, shape) => sum + elementCount(shape), 0);
  let before = 0;
  const tensors = shapes.map((shape): Tensor => {
    const end = before + elementCount(shape);
    const pieces = parts.map((part) => {
      const heads = part.length / perHead;
      return part.subarray(heads * before, heads * end);
    });
    before = end;
    return { data: together(pieces), shape: [...leading, ...shape] };
  });
  const named = own.map((step, i) => [step, tensors[i + 1]!] as const);
  return { output: tensors[0]!, ...Object.fromEntries(named) };
}

function together(pieces: readonly Float32Array[]): Float32Array {
  if (pieces.length === 1) return new Float32Array(pieces[0]!);
  const all = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
