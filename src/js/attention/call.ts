/** Passes a checked attention call to the core, whole or split by heads. */
import type { BroadcastOperand, Extents, MaskOperand, Sizes, TextTensor } from './operands.js';
import { noPosition, type PositionOperand } from './position.js';
import type { Core } from '../runtime/core.js';
import { attentionFields as field } from '../runtime/fields.js';
import { elementCount, viewOf, type Tensor } from '../runtime/tensor.js';

/** Intermediate results; all but the last two have queries × keys values per head. */
export type AttentionIntermediate =
  'scores' | 'capped' | 'biased' | 'weights' | 'entropy' | 'logSumExp';

export const intermediates = [
  'scores',
  'capped',
  'biased',
  'weights',
  'entropy',
  'logSumExp',
] as const;

/** What a call may return beside the output: stick-breaking also what no key takes. */
export type ResultName = AttentionIntermediate | 'remainder';

const allResults = [...intermediates, 'remainder'] as const;

/** All data that the core needs, after checks and defaults. An empty list: no such operand. */
export interface AttentionCall {
  sizes: Sizes;
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  /** Addresses of resident q, k and v; 0 where the values are sent with the call. */
  addresses: readonly [number, number, number];
  /** NaN: the default, 1/√dim. */
  scale: number;
  softcap: number;
  band: { offset: number; alignsLast: boolean; lookback: number; lookahead: number };
  bias: BroadcastOperand<Float32Array> | undefined;
  mask: MaskOperand | undefined;
  position: PositionOperand;
  rowScale: Float32Array[];
  sinks: Float32Array[];
  keyLengths: Float64Array[];
  /** Whether rows that see no key become NaN. */
  fullyMaskedIsNan: boolean;
  wanted: ReadonlySet<ResultName>;
  /** The caller's array that takes the output; undefined: a new array. */
  into: Float32Array | undefined;
  onProgress: ((done: number, of: number) => void) | undefined;
}

/** The numbers and arrays of a call, in the order of the transfer buffers. */
export interface AttentionOperands {
  bytes: Uint8Array[];
  floats: Float32Array[];
  doubles: (Float64Array | number[])[];
}

/**
 * A record of zeros, which stand for what a call does not have. fill() follows map() so that they
 * are kept as doubles: the engine would convert an array of small integers at each call.
 */
const blank: readonly number[] = Object.keys(field)
  .map(() => NaN)
  .fill(0);

/** Returns the numbers of a call, each in its place. */
function recordOf({ raw }: Core, call: AttentionCall): number[] {
  const { sizes, band, bias, mask, position, wanted } = call;
  const record = blank.slice();
  record[field.batches] = sizes.batch;
  record[field.heads] = sizes.heads;
  record[field.keyHeads] = sizes.keyHeads;
  record[field.queries] = sizes.queries;
  record[field.keys] = sizes.keys;
  record[field.dim] = sizes.dim;
  record[field.valueDim] = sizes.valueDim;
  record[field.scale] = call.scale;
  record[field.softcap] = call.softcap;
  record[field.offset] = band.offset;
  record[field.endsAtLastKey] = Number(band.alignsLast);
  record[field.lookback] = band.lookback;
  record[field.lookahead] = band.lookahead;
  record[field.fullyMaskedIsNan] = Number(call.fullyMaskedIsNan);
  record[field.rowFactors] = call.rowScale[0]?.length ?? 0;
  record[field.hasSinks] = call.sinks.length;
  record[field.hasKeyLengths] = call.keyLengths.length;
  if (bias) {
    const [batches, heads, queries, keys] = bias.extents;
    record[field.biasBatches] = batches;
    record[field.biasHeads] = heads;
    record[field.biasQueries] = queries;
    record[field.biasKeys] = keys;
  }
  if (mask) {
    const [batches, heads, queries, keys] = mask.extents;
    record[field.maskBatches] = batches;
    record[field.maskHeads] = heads;
    record[field.maskQueries] = queries;
    record[field.maskKeys] = keys;
    record[field.trueAttends] = Number(mask.trueAttends);
  }
  record[field.qAddress] = call.addresses[0];
  record[field.kAddress] = call.addresses[1];
  record[field.vAddress] = call.addresses[2];
  for (const name of wanted) record[field[name]] = 1;
  if (position === noPosition) return record;
  const { distance } = position;
  if (distance) {
    record[field.distances] = distance.count;
    record[field.firstDistance] = distance.first;
    record[field.distanceScheme] = distance.parameters.entry.place;
    record[field.firstHead] = distance.firstHead;
    record[field.allHeads] = distance.heads;
  }
  record[field.distancePositions] = position.distancePositions[0]?.length ?? 0;
  record[field.prefixSource] =
    position.prefixSums.length > 0 ? 2 : Number(position.prefixNumbers.length > 0);
  record[field.prefixTerm] = raw.PrefixTerm[position.prefixTerm];
  record[field.hasLaterSums] = Number(
    position.prefixSums.length + position.prefixNumbers.length > 1,
  );
  record[field.rotaryPairs] = position.frequencies[0]?.length ?? 0;
  record[field.anglePairs] = position.anglePairs;
  record[field.isHalfSplit] = Number(position.layout === 'half-split');
  record[field.attentionFactor] = position.attentionFactor;
  record[field.queryPositions] = position.queryPositions[0]?.length ?? 0;
  record[field.keyPositions] = position.keyPositions[0]?.length ?? 0;
  record[field.positionMap] = raw.PositionMapKind[position.map.type];
  record[field.mapWindow] = position.map.window;
  record[field.mapSecond] = position.map.second;
  if (position.text) {
    const [first, second, third] = position.text.own;
    record[field.contentScheme] = position.text.scheme;
    record[field.content1] = first!;
    record[field.content2] = second!;
    record[field.content3] = third!;
  }
  return record;
}

export function operandsOf(core: Core, call: AttentionCall): AttentionOperands {
  const { bias, mask, position, rowScale, sinks, keyLengths } = call;
  const biases = bias ? [bias.data] : [];
  const { distance, prefixNumbers, prefixSums, frequencies } = position;
  const { queryPositions, keyPositions } = position;
  const ofScheme = [...biases, ...(distance?.parameters.floats ?? []), ...prefixNumbers];
  const ofText = position.text?.tensors.map(({ data }) => data) ?? [];
  return {
    bytes: mask ? [mask.data] : [],
    floats: [call.q, call.k, call.v, ...ofScheme, ...rowScale, ...sinks, ...ofText],
    doubles: [
      recordOf(core, call),
      ...(distance?.parameters.doubles ?? []),
      ...position.distancePositions,
      ...prefixSums,
      ...keyLengths,
      ...frequencies,
      ...queryPositions,
      ...keyPositions,
    ],
  };
}

/** Runs the core. Returns the address of the output of all heads; the intermediates follow it. */
function run(core: Core, { bytes, floats, doubles }: AttentionOperands): number {
  if (bytes.length > 0) core.sendBytes(bytes);
  core.send(floats);
  core.sendDoubles(doubles);
  return core.raw.attention();
}

/** Computes a call and copies the result out of the wasm memory. */
export const attend = (
  core: Core,
  operands: AttentionOperands,
  into?: Float32Array,
): Float32Array => core.floats(run(core, operands), into);

/** Values of q, k and v in one part: with the output they take half of a 1 MiB level-2 cache. */
const floatsPerPart = 98304;

/** Largest number of parts of a call with `onProgress`. */
const maxReports = 100;

/** Whether a part's output may overwrite what a later part reads. */
const overwrites = ({ into, q, k, v, bias }: AttentionCall) =>
  into !== undefined && [q, k, v, bias?.data].some((data) => data?.buffer === into.buffer);

/**
 * Whether heads or batches share angles, or heads the work for a bias without parameters per
 * head, so that each part would compute the same again.
 */
function sharesWork({ sizes, position }: AttentionCall): boolean {
  const { distance, queryPositions, keyPositions, frequencies, anglePairs } = position;
  if (queryPositions.length + keyPositions.length + frequencies.length === 0)
    return distance?.parameters.entry.perHead.length === 0;
  const each = sizes.batch * Math.max(1, anglePairs);
  const [ofQueries] = queryPositions;
  const [ofKeys] = keyPositions;
  return (
    ofQueries?.length !== each * sizes.heads * sizes.queries ||
    (ofKeys !== undefined && ofKeys.length !== each * sizes.keyHeads * sizes.keys)
  );
}

/**
 * Returns the number of parts of a call. Data of one part fit in the cache, and wasm memory holds
 * one part at a time. Calls with resident tensors are not split: their data are in wasm memory.
 */
function partCount(call: AttentionCall): number {
  const { sizes, q, k, v, addresses } = call;
  if (overwrites(call)) return 1;
  if (call.onProgress && addresses.every((at) => at === 0))
    return Math.min(sizes.batch * sizes.heads, maxReports);
  if (sharesWork(call) || addresses.some((at) => at !== 0)) return 1;
  const worth = Math.floor((q.length + k.length + v.length) / floatsPerPart);
  return Math.max(1, Math.min(sizes.batch * sizes.keyHeads, worth));
}

/** Computes a call in parts, one after another; reports progress after each. */
export function attendInParts(
  core: Core,
  call: AttentionCall,
  leading: readonly number[],
): AttentionTensors {
  const most = partCount(call);
  if (most === 1) {
    const into = call.wanted.size === 0 ? call.into : undefined;
    const whole = splitResult(call, leading, attend(core, operandsOf(core, call), into));
    call.onProgress?.(1, 1);
    return whole;
  }
  const parts = partsOf(call, most);
  const whole = createResult(call, leading);
  parts.forEach(({ first, part }, i) => {
    whole.put(first, core.view(run(core, operandsOf(core, part))));
    call.onProgress?.(i + 1, parts.length);
  });
  return whole.tensors;
}

/**
 * Batches, or heads of one batch: whole groups of heads that share keys, or a part of one group.
 */
export interface Run {
  batch: number;
  batches: number;
  head: number;
  heads: number;
}

/** Splits `count` items into at most `most` runs of nearly equal length, as [first, length]. */
function runs(count: number, most: number): [number, number][] {
  const pieces = Math.min(count, most);
  const edge = (i: number) => Math.floor((i * count) / pieces);
  return Array.from({ length: pieces }, (_, i) => [edge(i), edge(i + 1) - edge(i)]);
}

/**
 * Splits all heads, in order, into about `most` runs; each is contiguous in the result.
 */
export function runsOf(
  { batch, heads, keyHeads }: Pick<Sizes, 'batch' | 'heads' | 'keyHeads'>,
  most: number,
): Run[] {
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

/** Returns the extents of the part of a bias or mask that a run reads, and its first index. */
function partOfExtents(
  [batches, heads, queries, keys]: Extents,
  run: Run,
): { extents: Extents; first: number } {
  const first = (batches === 1 ? 0 : run.batch) * heads + (heads === 1 ? 0 : run.head);
  const own: Extents = [
    batches === 1 ? 1 : run.batches,
    heads === 1 ? 1 : run.heads,
    queries,
    keys,
  ];
  return { extents: own, first: first * queries * keys };
}

function partOfBias(bias: BroadcastOperand<Float32Array>, run: Run) {
  const { extents, first } = partOfExtents(bias.extents, run);
  return { data: viewOf(bias.data, first, first + elementCount(extents)), extents };
}

function partOfMask(mask: MaskOperand, run: Run): MaskOperand {
  const { extents, first } = partOfExtents(mask.extents, run);
  return { ...mask, data: mask.data.subarray(first, first + elementCount(extents)), extents };
}

/** Returns the call for one run. Its arrays are views, not copies. */
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
  /** Part of a list that is shared by all batches, or has values per batch or per head. */
  const ofRun = (
    list: Float64Array,
    perHead: number,
    all: number,
    first: number,
    heads: number,
  ) => {
    if (list.length === perHead) return list;
    const isPerHead = list.length === sizes.batch * all * perHead;
    const [at, per] = isPerHead ? [run.batch * all + first, heads] : [run.batch, 1];
    return list.subarray(perHead * at, perHead * (at + run.batches * per));
  };
  const ofQueries = (list: Float64Array, perHead = sizes.queries) =>
    ofRun(list, perHead, sizes.heads, run.head, run.heads);
  const ofKeys = (list: Float64Array, perHead = sizes.keys) =>
    ofRun(list, perHead, sizes.keyHeads, keyHead, keyHeads);
  const each = Math.max(1, position.anglePairs);
  const ofText = ({ data, axes }: TextTensor): TextTensor => {
    if (axes[0] === 'heads') return { data: ofHeads(data), axes };
    const part = axes.includes('keyHeads')
      ? cut(data, sizes.keyHeads, keyHead, keyHeads)
      : cut(data, sizes.heads, run.head, run.heads);
    return { data: part, axes };
  };
  /** Part of a list [queries], [heads, queries] or [batch, heads, queries]. */
  const ofRowScale = (list: Float32Array) => {
    if (list.length === sizes.queries) return list;
    const isPerBatch = list.length === sizes.batch * sizes.heads * sizes.queries;
    if (isPerBatch) return cut(list, sizes.heads, run.head, run.heads);
    return list.subarray(run.head * sizes.queries, (run.head + run.heads) * sizes.queries);
  };
  return {
    ...call,
    sizes: { ...sizes, batch: run.batches, heads: run.heads, keyHeads },
    q: cut(call.q, sizes.heads, run.head, run.heads),
    k: cut(call.k, sizes.keyHeads, keyHead, keyHeads),
    v: cut(call.v, sizes.keyHeads, keyHead, keyHeads),
    bias: call.bias && partOfBias(call.bias, run),
    mask: call.mask && partOfMask(call.mask, run),
    position: {
      ...position,
      distance: position.distance && { ...position.distance, firstHead: run.head },
      prefixNumbers: position.prefixNumbers.map((list) =>
        cut(list, sizes.heads, run.head, run.heads),
      ),
      prefixSums: position.prefixSums.map((list) => ofQueries(list, sizes.keys)),
      queryPositions: position.queryPositions.map((list) => ofQueries(list, each * sizes.queries)),
      keyPositions: position.keyPositions.map((list) => ofKeys(list, each * sizes.keys)),
      text: position.text && { ...position.text, tensors: position.text.tensors.map(ofText) },
    },
    rowScale: call.rowScale.map((list) => ofRowScale(list)),
    sinks: call.sinks.map(ofHeads),
    keyLengths: call.keyLengths.map((list) => list.slice(run.batch, run.batch + run.batches)),
  };
}

/** Splits a call into about `most` calls over its heads, each with the index of its first head. */
export function partsOf(
  call: AttentionCall,
  most: number,
): { first: number; part: AttentionCall }[] {
  return runsOf(call.sizes, most).map((run) => ({
    first: run.batch * call.sizes.heads + run.head,
    part: partOf(call, run),
  }));
}

/** The output and the intermediates, by name. */
export type AttentionTensors = { output: Tensor } & { [Name in ResultName]?: Tensor };

/** Allocates the output and the intermediates; `put` copies the result of one part into them. */
export function createResult({ sizes, wanted, into }: AttentionCall, leading: readonly number[]) {
  const own = allResults.filter((name) => wanted.has(name));
  const perHeadOf = (name: ResultName) =>
    name === 'entropy' || name === 'logSumExp' || name === 'remainder'
      ? [sizes.queries]
      : [sizes.queries, sizes.keys];
  const heads = sizes.batch * sizes.heads;
  const tensors = [[sizes.queries, sizes.valueDim], ...own.map(perHeadOf)].map((shape, i) => {
    const perHead = elementCount(shape);
    const data = i === 0 && into ? into : new Float32Array(heads * perHead);
    return { perHead, tensor: { data, shape: [...leading, ...shape] } };
  });
  const all = tensors.reduce((sum, { perHead }) => sum + perHead, 0);
  const named = own.map((name, i) => [name, tensors[i + 1]!.tensor] as const);
  return {
    tensors: { output: tensors[0]!.tensor, ...Object.fromEntries(named) } as AttentionTensors,
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

/** Splits the core's result into tensors. Without intermediates, the output is not copied. */
export function splitResult(
  call: AttentionCall,
  leading: readonly number[],
  result: Float32Array,
): AttentionTensors {
  if (call.wanted.size === 0) {
    return {
      output: { data: result, shape: [...leading, call.sizes.queries, call.sizes.valueDim] },
    };
  }
  const whole = createResult(call, leading);
  whole.put(0, result);
  return whole.tensors;
}
