/**
 * The lab's request and its result: one forward pass of the toy model as written, one with the
 * tokens in another order, and what the order and the offset changed. Runs in the worker.
 */
import type { AttentionPosition, Ropewalk, Tensor } from 'ropewalk';
import { changeOfWeights, largestFinite, limitsOf, type Comparison } from './comparison.ts';
import type { Pass, TermName, Terms } from './pass.ts';
import { pictureOf } from './picture.ts';
import { schemeOf, type Scheme, type SchemeName, type Situation } from './schemes.ts';
import {
  embed,
  modelWidth,
  project,
  roles,
  shuffledOrder,
  takeRows,
  weightsOf,
  type Model,
} from './toy_model.ts';

export interface LabRequest extends Model {
  tokens: string[];
  scheme: SchemeName;
  /** Another scheme for the same sentence and weights, to be put beside it. */
  compare?: SchemeName | undefined;
  /** Which head the maps belong to, from 0. */
  head: number;
  causal: boolean;
  /** Position of the first token. */
  offset: number;
  /** 0 leaves the tokens in their order; any other number shuffles them its own way. */
  shuffle: number;
}

export interface LabResult {
  request: LabRequest;
  positions: number[];
  scale: number;
  written: Pass;
  /** The same as written where nothing is shuffled. */
  shown: Pass;
  /** The other scheme on the shown order. */
  compared: Comparison | undefined;
  /** C01, over all heads: max |output(shuffled) - output(written)| of each token, and of all. */
  outputChange: { perToken: Float64Array; largest: number };
  /** On the shown order, over all heads: max |weight(offset) - weight(0)|. */
  offsetChange: number;
}

export function runLab(rw: Ropewalk, request: LabRequest): LabResult {
  const { tokens, headDim, offset, seed, shuffle, scheme, compare } = request;
  const x = embed(tokens, seed);
  const weights = roles.map((role) => weightsOf(role, request));
  const layer = new Layer(rw, request, scheme, weights);
  const inOrder = shuffledOrder(tokens.length, 0);
  const positions = inOrder.map((place) => place + offset);

  const written = layer.attend(x, positions);
  const order = shuffledOrder(tokens.length, shuffle);
  const reordered = shuffle === 0 ? x : takeRows(x, order, modelWidth);
  const shown = shuffle === 0 ? written : layer.attend(reordered, positions);
  const perToken = changePerToken(written.output, shown.output, order);
  const writtenPass = layer.pass(written, x, inOrder);
  const shownPass = shuffle === 0 ? writtenPass : layer.pass(shown, reordered, order);
  const other = compare && new Layer(rw, request, compare, weights);
  return {
    request,
    positions,
    scale: 1 / Math.sqrt(headDim),
    written: writtenPass,
    shown: shownPass,
    compared: other && compareWith(other, shownPass, reordered, positions),
    outputChange: { perToken, largest: Math.max(...perToken) },
    offsetChange: layer.offsetChange(shown, reordered),
  };
}

function compareWith(layer: Layer, shown: Pass, x: Float32Array, positions: number[]): Comparison {
  const attended = layer.attend(x, positions);
  const pass = layer.pass(attended, x, shown.order);
  return { pass, offsetChange: layer.offsetChange(attended, x), ...changeOfWeights(shown, pass) };
}

const steps = ['scores', 'biased', 'weights', 'entropy'] as const;

/** What attention gives back for all heads, and what went into it. */
type Attended = Record<
  (typeof steps)[number] | 'queries' | 'keys' | 'values' | 'output',
  Tensor
> & {
  input: Float32Array;
  added: Float32Array | undefined;
  situation: Situation;
  temperature: Float64Array | undefined;
};

/** The layer with its weights drawn and one scheme, ready for any order and any positions. */
class Layer {
  #rw: Ropewalk;
  #request: LabRequest;
  #scheme: Scheme;
  #weights: Float32Array[];

  constructor(rw: Ropewalk, request: LabRequest, scheme: SchemeName, weights: Float32Array[]) {
    this.#rw = rw;
    this.#request = request;
    this.#scheme = schemeOf(scheme);
    this.#weights = weights;
  }

  attend(x: Float32Array, positions: number[]): Attended {
    const [rw, scheme] = [this.#rw, this.#scheme];
    const situation = { ...this.#request, positions };
    const added = scheme.input?.(rw, situation).data;
    const input = added ? x.map((value, i) => value + added[i]!) : x;
    const [q, k, v] = this.#weights.map((weights) => projected(input, weights, situation));
    const queries = scheme.rotate?.(rw, q!, 'query', situation) ?? q!;
    const keys = scheme.rotate?.(rw, k!, 'key', situation) ?? k!;
    const temperature = scheme.temperature?.(rw, situation);
    const { scores, biased, weights, entropy, output } = rw.attention(queries, keys, v!, {
      causal: situation.causal && 'top-left',
      position: scheme.position?.(rw, situation) ?? { type: 'none' },
      ...(temperature && { rowScale: temperature }),
      intermediates: steps,
    });
    const made = { scores: scores!, biased: biased!, weights: weights!, entropy: entropy! };
    return { input, added, situation, temperature, queries, keys, values: v!, output, ...made };
  }

  /** Of all heads, the most that a weight changes because the text does not begin at 0. */
  offsetChange({ weights, situation: { positions } }: Attended, x: Float32Array): number {
    const { offset } = this.#request;
    if (offset === 0) return 0;
    const fromZero = positions.map((position) => position - offset);
    return largestDifference(weights, this.attend(x, fromZero).weights);
  }

  /** One head of what was attended; copies, so that each can move to the page on its own. */
  pass(attended: Attended, x: Float32Array, order: number[]): Pass {
    const { heads, head, headDim } = this.#request;
    const tokens = order.length;
    const bias = this.#scheme.bias?.(this.#rw, attended.situation);
    const map = (tensor: Tensor) => headOf(tensor.data, head, tokens * tokens);
    const vectors = (tensor: Tensor) => headOf(tensor.data, head, tokens * headDim);
    const maps = {
      input: attended.input,
      content: this.#content(x),
      scores: map(attended.scores),
      bias: bias && map(bias),
      biased: map(attended.biased),
      weights: map(attended.weights),
      output: vectors(attended.output),
    };
    const pictures = Array.from({ length: heads }, (_, at) =>
      pictureOf(headOf(attended.weights.data, at, tokens ** 2), tokens),
    );
    return {
      order,
      ...maps,
      values: vectors(attended.values),
      entropy: headOf(attended.entropy.data, head, tokens),
      temperature: attended.temperature,
      rotations: this.#rotations(attended),
      terms: attended.added && this.#terms(x, attended.added),
      limits: limitsOf(maps),
      pictures,
    };
  }

  /** scale q kT of the chosen head without any position. */
  #content(x: Float32Array): Float32Array {
    const one = { ...this.#request, heads: 1 };
    const [q, k] = this.#ofHead().map((weights) => projected(x, weights, one));
    return this.#scores(q!, k!, { type: 'none' });
  }

  #scores(q: Tensor, k: Tensor, position: AttentionPosition): Float32Array {
    return this.#rw.attention(q, k, k, { position, intermediates: ['scores'] }).scores!.data;
  }

  /** The chosen head of the query and key weights, [C, headDim]. */
  #ofHead(): Float32Array[] {
    const { head, headDim } = this.#request;
    return this.#weights.slice(0, 2).map((all) => headOf(all, head, modelWidth * headDim));
  }

  #rotations({ queries, keys, situation }: Attended): Pass['rotations'] {
    const two = this.#scheme.rotations?.(this.#rw, situation);
    if (!two) return undefined;
    const shape = [1, situation.positions.length, situation.headDim];
    const one = ({ data }: Tensor): Tensor => ({
      data: headOf(data, this.#request.head, shape[1]! * shape[2]!),
      shape,
    });
    const scores = (position: AttentionPosition) => this.#scores(one(queries), one(keys), position);
    return { window: two.window, near: scores(two.near), far: scores(two.far) };
  }

  #terms(x: Float32Array, p: Float32Array): Terms {
    const { headDim } = this.#request;
    const shape = [x.length / modelWidth, modelWidth];
    const [queryWeights, keyWeights] = this.#ofHead().map((data) => ({
      data,
      shape: [modelWidth, headDim],
    }));
    const four = this.#rw.fourTerms(
      { data: x, shape },
      { data: p, shape },
      { queryWeights: queryWeights!, keyWeights: keyWeights! },
    );
    const names = Object.keys(four) as TermName[];
    const entries = names.map((name) => [name, four[name].data] as const);
    const limit = Math.max(...entries.map(([, data]) => largestFinite(data)));
    return { maps: Object.fromEntries(entries) as Terms['maps'], limit };
  }
}

function projected(x: Float32Array, weights: Float32Array, model: Model): Tensor {
  const shape = [model.heads, x.length / modelWidth, model.headDim];
  return { data: project(x, weights, model), shape };
}

function headOf(all: Float32Array, head: number, size: number): Float32Array {
  return all.slice(head * size, (head + 1) * size);
}

/** For each token of the sentence, the largest change of its output in any head and dimension. */
function changePerToken(written: Tensor, shown: Tensor, order: readonly number[]): Float64Array {
  const [heads, tokens, dim] = written.shape as [number, number, number];
  const change = new Float64Array(tokens);
  order.forEach((token, place) => {
    for (let head = 0; head < heads; head++) {
      const was = (head * tokens + token) * dim;
      const is = (head * tokens + place) * dim;
      for (let d = 0; d < dim; d++) {
        const difference = Math.abs(shown.data[is + d]! - written.data[was + d]!);
        if (difference > change[token]!) change[token] = difference;
      }
    }
  });
  return change;
}

function largestDifference({ data: a }: Tensor, { data: b }: Tensor): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  return largest;
}
