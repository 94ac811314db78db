/** The gradients of attention, and those of what position schemes learn. */
import { checkedAttention, type AttentionOptions } from '../attention/attention.js';
import { operandsOf, type AttentionCall } from '../attention/call.js';
import type { BiasInput, Sizes } from '../attention/operands.js';
import type { AttentionPosition } from '../attention/position.js';
import { isTextType, type TextPosition } from '../attention/text_schemes.js';
import { lengthOf } from '../bias/distance_table.js';
import { checkedNetwork, network, type BiasNetwork } from '../bias/network.js';
import { tensor } from '../runtime/checks.js';
import { wrongKind, wrongShape, wrongValue } from '../runtime/errors.js';
import { learnedByDistance } from '../runtime/fields.js';
import * as option from '../runtime/option.js';
import { read, type Checked, type Schema } from '../runtime/schema.js';
import { elementCount, shapeText, type Tensor } from '../runtime/tensor.js';
import type { TrainingCore } from '../runtime/train_module.js';

/** FIRE inside attention: a network of the distance divided by the query's position. */
interface FirePosition {
  type: 'fire';
  /** One input, one output per head. */
  network: BiasNetwork;
  /** Default 0.1. */
  c?: number;
  /** Distances of queries before this position are divided by it. Default 512. */
  threshold?: number;
  /** Default 1e-6. */
  epsilon?: number;
}

/** Shaw's relative keys inside attention: scale · q_m · table[clip(n − m) + clip]. */
interface ShawPosition {
  type: 'shaw';
  /** [2 clip + 1, dim] for all heads, or [heads, 2 clip + 1, dim]. */
  table: Tensor;
}

/** CoPE inside attention; its gates read the scaled scores. */
interface CopePosition {
  type: 'cope';
  /** [rows, dim], shared by the heads. */
  table: Tensor;
}

/** A scheme whose gradients can be computed: those of attention, FIRE, Shaw and CoPE. */
export type GradientPosition =
  Exclude<AttentionPosition, TextPosition> | FirePosition | ShawPosition | CopePosition;

/**
 * Options of attention that have no gradient, or say how operands and results are laid out.
 * @internal
 */
export const forwardOnly = [
  'past',
  'intermediates',
  'fullyMasked',
  'heads',
  'keyHeads',
  'into',
  'onProgress',
] as const;

/** The options of attention through which gradients pass. */
export interface GradientOptions extends Omit<
  AttentionOptions,
  (typeof forwardOnly)[number] | 'position'
> {
  /** Position scheme. Default: none. */
  position?: GradientPosition;
}

/** Gradients of a scalar; each has the name and shape of its argument. */
export interface AttentionGradients {
  /** What attention() returns for the same arguments. */
  output: Tensor;
  /** The gradient of q, in its shape. */
  q: Tensor;
  /** The gradient of k, in its shape. */
  k: Tensor;
  /** The gradient of v, in its shape. */
  v: Tensor;
  /** With `bias`. */
  bias?: Tensor;
  /** With `sinks`: one per head. */
  sinks?: Float32Array;
  /** With `rowScale`: in its order. */
  rowScale?: Float32Array;
  /**
   * Gradients of the parameters of the position scheme: t5, shaw and cope `table`, kerple `r1` and
   * `r2`, fox and cable `gates` and `laterGates`, prefix-sum `terms` and `later`, fire
   * `hiddenWeights`, `hiddenBias`, `headWeights`, `headBias`, `c` and `threshold`.
   */
  position?: Record<string, Float32Array>;
}

const fireSchema = {
  type: option.type,
  network,
  c: option.positive.default(0.1),
  threshold: option.finite.default(512),
  epsilon: option.finite.default(1e-6),
} satisfies Schema<FirePosition>;
const shawSchema = { type: option.type, table: option.tensor } satisfies Schema<ShawPosition>;
const copeSchema = { type: option.type, table: option.tensor } satisfies Schema<CopePosition>;

/** The options of the schemes that attention() does not have. @internal */
export const ownPositionSchemas = { fire: fireSchema, shaw: shawSchema, cope: copeSchema };

/** Parts of one array, in order. */
class Parts {
  #at = 0;
  constructor(readonly data: Float32Array) {}

  take(count: number): Float32Array {
    return this.data.slice(this.#at, (this.#at += count));
  }
}

/**
 * The data that a scheme adds to a call, and the gradients that it computes from that of its bias.
 */
interface Learned {
  /** A bias that only the gradient's call has, and its batches: [batches, heads, queries, keys]. */
  bias?: Float32Array;
  batches?: number;
  /** One table or one per head, and how many rows each has. */
  table?: { data: Float32Array; rows: number; count: number };
  /** Lengths of the learned lists of a bias by distance. */
  parameters?: number[];
  gradients(of: {
    bias: Float32Array;
    parameters: Float32Array[];
    prefix: Float32Array[];
    table: Float32Array;
  }): Record<string, Float32Array> | undefined;
}

/** [outer, inner, …] as [inner, outer, …]. */
function exchanged(data: Float32Array, outer: number, inner: number): Float32Array {
  const size = data.length / (outer * inner);
  const result = new Float32Array(data.length);
  for (let i = 0; i < inner; i++)
    for (let o = 0; o < outer; o++) {
      const from = (o * inner + i) * size;
      result.set(data.subarray(from, from + size), (i * outer + o) * size);
    }
  return result;
}

function fire(core: TrainingCore, position: FirePosition, call: AttentionCall): Learned {
  const given: Checked<FirePosition, typeof fireSchema> = read(
    'position',
    position,
    fireSchema,
    'position.',
  );
  const { sizes } = call;
  if (call.bias)
    throw wrongKind(
      'bias',
      'and FIRE cannot be combined: add the two and give bias',
      call.bias,
      '',
    );
  const network = checkedNetwork('position.network', given.network, 1);
  if (network.heads !== sizes.heads)
    throw wrongValue(
      'position.network',
      `must have ${sizes.heads} outputs, one per head`,
      network.heads,
    );
  const { alignsLast, offset } = call.band;
  // Where the last query stands at the last real key, each batch has distances of its own.
  const ends = (alignsLast && call.keyLengths[0]) || [sizes.keys];
  const batches = ends.length;
  const queries = Float64Array.from({ length: batches * sizes.queries }, (_, row) => {
    const end = ends[Math.floor(row / sizes.queries)]!;
    return (alignsLast ? end - sizes.queries : offset) + (row % sizes.queries);
  });
  const keys = Float64Array.from({ length: sizes.keys }, (_, i) => i);
  const options = [
    network.heads,
    queries.length,
    sizes.keys,
    network.hidden,
    network.hasHeadBias,
    given.c,
    given.threshold,
    1,
    given.epsilon,
  ] as const;
  core.send(network.data);
  core.sendDoubles([queries, keys]);
  return {
    bias: exchanged(core.floats(core.training.fire(...options)), network.heads, batches),
    batches,
    gradients({ bias }) {
      core.send([...network.data, exchanged(bias, batches, network.heads)]);
      core.sendDoubles([queries, keys]);
      const parts = new Parts(core.floats(core.training.fireBackward(...options)));
      return {
        hiddenWeights: parts.take(network.hidden),
        hiddenBias: parts.take(network.hidden),
        headWeights: parts.take(network.hidden * network.heads),
        ...(network.hasHeadBias && { headBias: parts.take(network.heads) }),
        c: parts.take(1),
        threshold: parts.take(1),
      };
    },
  };
}

function cope(_: TrainingCore, position: CopePosition, { sizes }: AttentionCall): Learned {
  const { table } = read('position', position, copeSchema, 'position.');
  if (table.shape.length !== 2 || table.shape[1] !== sizes.dim)
    throw wrongShape('position.table', `must be [rows, ${sizes.dim}]`, table.shape);
  return {
    table: { data: table.data, rows: table.shape[0]!, count: 1 },
    gradients: ({ table }) => ({ table }),
  };
}

function shaw(_: TrainingCore, position: ShawPosition, { sizes }: AttentionCall): Learned {
  const { table } = read('position', position, shawSchema, 'position.');
  const [dim, rows, heads = 1] = table.shape.toReversed();
  const fits = table.shape.length === 2 || (table.shape.length === 3 && heads === sizes.heads);
  if (!fits || dim !== sizes.dim || rows! % 2 === 0)
    throw wrongShape(
      'position.table',
      `must be [2 clip + 1, ${sizes.dim}] or [${sizes.heads}, 2 clip + 1, ${sizes.dim}]`,
      table.shape,
    );
  return {
    table: { data: table.data, rows: rows!, count: heads },
    gradients: ({ table }) => ({ table }),
  };
}

/** Values alone are [queries, keys]. */
const shapeOfBias = (bias: BiasInput, { queries, keys }: Sizes): readonly number[] =>
  'shape' in bias ? bias.shape : [queries, keys];

/** The schemes that attention() does not have. */
const ownSchemes = { fire, shaw, cope };
type OwnType = keyof typeof ownSchemes;

/** The learned lists of each bias by distance. */
const learnedLists: Readonly<Record<string, readonly string[]>> = learnedByDistance;

/** Gradients of the schemes of attention itself. */
function learnedInside(
  position: AttentionPosition | undefined,
  { position: { distance } }: AttentionCall,
): Learned {
  const type = position?.type ?? 'none';
  const names = learnedLists[type] ?? [];
  return {
    parameters: names.map((name) => lengthOf(distance!.parameters, name)),
    gradients({ parameters, prefix }) {
      if (parameters.length > 0)
        return Object.fromEntries(parameters.map((data, i) => [names[i], data]));
      const [first, later] = prefix;
      if (!first) return undefined;
      const [name, laterName] =
        type === 'prefix-sum' ? ['terms', 'later'] : ['gates', 'laterGates'];
      return { [name!]: first, ...(later && { [laterName!]: later }) };
    },
  };
}

export const gradients = (core: TrainingCore) => ({
  /**
   * Gradients of a scalar with respect to the arguments of attention(), from that of its output.
   *
   * Weights are computed again tile by tile from each row's log-sum-exp, so that memory grows with
   * the lengths and not with their product; FIRE's bias is the exception. Rows that see no key
   * contribute nothing. Operands must be finite.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]
   * @param k the same with its own length, and heads that divide q's
   * @param v k's shape with its own dim
   * @param dOutput the gradient of the output, in its shape
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Dao et al. 2022, algorithm 4
   */
  attentionBackward(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    dOutput: Tensor,
    options: GradientOptions = {},
  ): AttentionGradients {
    if (typeof options !== 'object' || options === null)
      throw wrongKind('attentionBackward options', 'must be an object', options);
    const { position, ...others } = options;
    const stray = forwardOnly.find((name) => name in others);
    if (stray)
      throw wrongKind(
        stray,
        'must be left out of attentionBackward',
        others[stray as keyof typeof others],
        '',
      );
    for (const [name, value] of Object.entries({ q, k, v })) tensor(name, value);
    const type: unknown = (position as { type?: unknown } | undefined)?.type;
    if (isTextType(type))
      throw wrongKind(
        'position.type',
        'must be a scheme that attentionBackward differentiates',
        type,
        `'${type}', which createTrainer() trains`,
      );
    const isOwn = position && Object.hasOwn(ownSchemes, position.type);
    const attended: AttentionOptions =
      position !== undefined && !isOwn
        ? { ...others, position: position as AttentionPosition }
        : others;
    const { call, leading } = checkedAttention(core, q, k, v, attended);
    const learned = isOwn
      ? ownSchemes[position.type as OwnType](core, position as never, call)
      : learnedInside(position as AttentionPosition | undefined, call);
    const { sizes } = call;
    const upstream = tensor('dOutput', dOutput);
    const shape = [...leading, sizes.queries, sizes.valueDim];
    if (shapeText(upstream.shape) !== shapeText(shape))
      throw wrongShape('dOutput', `must be ${shapeText(shape)}`, upstream.shape);
    const biased: AttentionCall = learned.bias
      ? {
          ...call,
          bias: {
            data: learned.bias,
            extents: [learned.batches ?? 1, sizes.heads, sizes.queries, sizes.keys],
          },
        }
      : call;
    const { bytes, floats, doubles } = operandsOf(core, biased);
    const { table = { data: new Float32Array(0), rows: 0, count: 0 } } = learned;
    if (bytes.length > 0) core.sendBytes(bytes);
    core.send([...floats, upstream.data, table.data]);
    core.sendDoubles([...doubles, [table.rows, table.count, Number(position?.type === 'cope')]]);
    const parts = new Parts(core.view(core.training.attentionBackward()));
    const like = (given: Tensor) => ({
      data: parts.take(elementCount(given.shape)),
      shape: [...given.shape],
    });
    const output = { data: parts.take(elementCount(shape)), shape };
    const [dQ, dK, dV] = [like(q), like(k), like(v)];
    const sinks = parts.take(call.sinks.length * sizes.heads);
    const bias = parts.take(biased.bias?.data.length ?? 0);
    const parameters = (learned.parameters ?? []).map((count) => parts.take(count));
    const { softmaxScale } = call.position;
    const rowScale = parts
      .take(call.rowScale[0]?.length ?? 0)
      .map((gradient) => gradient * softmaxScale);
    const prefix = call.position.prefixNumbers.map(({ length }) => parts.take(length));
    const ofPosition = learned.gradients({
      bias,
      parameters,
      prefix,
      table: parts.take(table.data.length),
    });
    return {
      output,
      q: dQ,
      k: dK,
      v: dV,
      ...(options.bias && {
        bias: { data: bias, shape: [...shapeOfBias(options.bias, sizes)] },
      }),
      ...(options.sinks && { sinks }),
      ...(options.rowScale && { rowScale }),
      ...(ofPosition && { position: ofPosition }),
    };
  },
});
