/**
 * A checked call of attention: what crosses into the core, whole or some of its heads at a time.
 */
import { noBias, type BiasOperand, type Sizes } from './operands.js';
import type { PositionOperand } from './position.js';
import type { Core } from '../runtime/core.js';
import { elementCount, viewOf, type Tensor } from '../runtime/tensor.js';

/** The steps on the way to the output; all but the last two cost queries × keys values per head. */
export type AttentionStep = 'scores' | 'capped' | 'biased' | 'weights' | 'entropy' | 'logSumExp';

export const steps = ['scores', 'capped', 'biased', 'weights', 'entropy', 'logSumExp'] as const;

/**
 * Everything that the core needs, after every check and default. What is absent is an empty list.
 */
export interface AttentionCall {
  sizes: Sizes;
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  /** Where q, k and v are resident; 0 where their values come along. */
  addresses: [number, number, number];
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
  const [qAt, kAt, vAt] = call.addresses;
  const bias = call.bias ?? noBias;
  // In the order of AttentionCall in the core.
  const record = [
    sizes.batch,
    sizes.heads,
    sizes.keyHeads,
    sizes.queries,
    sizes.keys,
    sizes.dim,
    sizes.valueDim,
    call.scale,
    call.softcap,
    band.offset,
    Number(band.alignsLast),
    band.lookback,
    band.lookahead,
    bias.biasSize,
    bias.biasBatchStep,
    bias.biasHeadStep,
    bias.biasRowStep,
    position.distanceBias.length,
    rowScale.length,
    sinks.length,
    keyLengths.length,
    position.rotations,
    position.batches,
    position.rotaryPairs,
    position.attentionFactor,
    Number(position.layout === 'half-split'),
    qAt,
    kAt,
    vAt,
    Number(wanted.has('scores')),
    Number(wanted.has('capped')),
    Number(wanted.has('biased')),
    Number(wanted.has('weights')),
    Number(wanted.has('entropy')),
    Number(wanted.has('logSumExp')),
  ];
  const biases = call.bias ? [call.bias.data] : [];
  return {
    floats: [call.q, call.k, call.v, ...biases, ...position.distanceBias, ...rowScale, ...sinks],
    doubles: [record, ...keyLengths, ...position.frequencies, ...position.lists],
  };
}

/** Where the core has put the output of every head, then each wanted step of every head. */
function run(core: Core, { floats, doubles }: AttentionOperands): number {
  core.send(floats);
  core.sendDoubles(doubles);
  return core.raw.attention();
}

/** A copy of the same. */
export const attend = (core: Core, operands: AttentionOperands): Float32Array =>
  core.floats(run(core, operands));

/** Of q, k and v together: with the output they leave half of a second-level cache of 1 MiB. */
const floatsPerPart = 98304;

/**
 * In how many parts to make a call: what crosses into the core then stays in the cache, and memory
 * is that of one part. Rotations share their angles, and what is resident crosses nothing.
 */
function partCount({ sizes, q, k, v, addresses, position }: AttentionCall): number {
  if (position.rotations > 0 || addresses.some((at) => at !== 0)) return 1;
  const worth = Math.floor((q.length + k.length + v.length) / floatsPerPart);
  return Math.max(1, Math.min(sizes.batch * sizes.keyHeads, worth));
}

/** Makes a call in about `most` parts, one after another, and says how many are done. */
export function attendInParts(
  core: Core,
  call: AttentionCall,
  leading: readonly number[],
  most = partCount(call),
  progress: (done: number, of: number) => void = () => {},
): Dealt {
  if (most === 1) {
    const whole = dealt(call, leading, attend(core, operandsOf(call)));
    progress(1, 1);
    return whole;
  }
  const parts = partsOf(call, most);
  const whole = dealing(call, leading);
  parts.forEach(({ first, part }, i) => {
    whole.put(first, core.view(run(core, operandsOf(part))));
    progress(i + 1, parts.length);
  });
  return whole.dealt;
}

/**
 * Batches, or heads of one batch: whole groups of heads that share keys, or a part of one group.
 */
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

/**
 * About `most` runs, each contiguous in the result, that together are every head once and in order.
 */
function runsOf({ batch, heads, keyHeads }: Sizes, most: number): Run[] {
  if (batch >= most) {
    return runs(batch, most).map(([first, batches]) => ({ batch: first, batches, head: 0, heads }));
  }
  const perBatch = Math.ceil(most / batch);
  const sharing = heads / keyHeads;
  const perGroup = perBatch > keyHeads ? Math.ceil(perBatch / keyHeads) : 1;
  const ofBatch = runs(keyHeads, perBatch).flatMap(([group, groups]) =>
    runs(groups * sharing, perGroup).map(
      ([first, count]) => [group * sharing + first, count] as const,
    ),
  );
  return Array.from({ length: batch }, (_, at) => at).flatMap((at) =>
    ofBatch.map(([head, count]) => ({ batch: at, batches: 1, head, heads: count })),
  );
}

/** The part of a bias that a run reads, from its own first value. */
function biasOf(bias: BiasOperand, { batch, batches, head, heads }: Run): BiasOperand {
  const { data, biasBatchStep, biasHeadStep } = bias;
  const first = batch * biasBatchStep + head * biasHeadStep;
  const ofHead = biasHeadStep || biasBatchStep || data.length;
  const last = first + (batches - 1) * biasBatchStep + (heads - 1) * biasHeadStep;
  const part = viewOf(data, first, last + ofHead);
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
    return viewOf(data, at, at + run.batches * heads * perHead);
  };
  const ofHeads = (list: Float32Array) => {
    const perHead = list.length / sizes.heads;
    return list.subarray(perHead * run.head, perHead * (run.head + run.heads));
  };
  const ofBatches = (list: Float64Array, all: number) => {
    const perBatch = list.length / all;
    return all === 1
      ? list
      : list.slice(perBatch * run.batch, perBatch * (run.batch + run.batches));
  };
  return {
    ...call,
    sizes: { ...sizes, batch: run.batches, heads: run.heads, keyHeads },
    q: cut(call.q, sizes.heads, run.head, run.heads),
    k: cut(call.k, sizes.keyHeads, keyHead, keyHeads),
    v: cut(call.v, sizes.keyHeads, keyHead, keyHeads),
    bias: call.bias && biasOf(call.bias, run),
    position: {
      ...position,
      distanceBias: position.distanceBias.map(ofHeads),
      lists: position.lists.map((list) => ofBatches(list, position.batches)),
      batches: position.batches === 1 ? 1 : run.batches,
    },
    sinks: call.sinks.map(ofHeads),
    keyLengths: call.keyLengths.map((list) => ofBatches(list, sizes.batch)),
  };
}

/** About `most` calls that together are every head once, each with the first of its heads. */
export function partsOf(
  call: AttentionCall,
  most: number,
): { first: number; part: AttentionCall }[] {
  return runsOf(call.sizes, most).map((run) => ({
    first: run.batch * call.sizes.heads + run.head,
    part: partOf(call, run),
  }));
}

export type Dealt = { output: Tensor } & { [Step in AttentionStep]?: Tensor };

/** Output and steps with q's leading axes, into which the results of parts are put as they come. */
export function dealing({ sizes, wanted }: AttentionCall, leading: readonly number[]) {
  const own = steps.filter((step) => wanted.has(step));
  const isPerRow = (step: AttentionStep) => step === 'entropy' || step === 'logSumExp';
  const ofStep = (step: AttentionStep) =>
    isPerRow(step) ? [sizes.queries] : [sizes.queries, sizes.keys];
  const heads = sizes.batch * sizes.heads;
  const tensors = [[sizes.queries, sizes.valueDim], ...own.map(ofStep)].map((shape) => {
    const perHead = elementCount(shape);
    return {
      perHead,
      tensor: { data: new Float32Array(heads * perHead), shape: [...leading, ...shape] },
    };
  });
  const all = tensors.reduce((sum, { perHead }) => sum + perHead, 0);
  const named = own.map((step, i) => [step, tensors[i + 1]!.tensor] as const);
  return {
    dealt: { output: tensors[0]!.tensor, ...Object.fromEntries(named) } as Dealt,
    put(first: number, result: Float32Array): void {
      let at = 0;
      for (const { perHead, tensor } of tensors) {
        const end = at + (result.length / all) * perHead;
        tensor.data.set(result.subarray(at, end), first * perHead);
        at = end;
      }
    },
  };
}

/** The same of the result of all heads: where it is the output alone, itself. */
export function dealt(
  call: AttentionCall,
  leading: readonly number[],
  result: Float32Array,
): Dealt {
  if (call.wanted.size === 0) {
    return {
      output: { data: result, shape: [...leading, call.sizes.queries, call.sizes.valueDim] },
    };
  }
  const whole = dealing(call, leading);
  whole.put(0, result);
  return whole.dealt;
}
