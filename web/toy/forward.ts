/**
 * The lab's request and its result: one forward pass of the toy model as written, one with the
 * tokens in another order, and what the order and the offset changed. Runs in the worker.
 */
import type { AttentionPosition, Ropewalk, Tensor } from 'ropewalk';
import { changeOfWeights, largestFinite, limitsOf, type Comparison } from './comparison.ts';
import type { Pass, TermName, Terms } from './pass.ts';
import { pictureOf } from './picture.ts';
import { schemeOf, type Scheme, type SchemeName, type Situation } from './schemes.ts';
import { attend, projected, randomLayer, type Attended, type ShownLayer } from './shown_layer.ts';
import { shuffledOrder, takeRows, type Model } from './toy_model.ts';

export interface LabRequest extends Model {
  tokens: string[];
  scheme: SchemeName;
  /** Another scheme for the same sentence and weights, to be put beside it. */
  compare?: SchemeName | undefined;
  /** Which head the maps belong to, from 0. */
  head: number;
  /** Layer of a trained model, from 0. Absent: the layer with random weights. */
  layer?: number;
  causal: boolean;
  /** Position of the first token. */
  offset: number;
  /** 0 leaves the tokens in their order; any other number shuffles them its own way. */
  shuffle: number;
  /** Logits of gates by place, instead of those that the model's weights give. */
  gateLogits?: Readonly<Record<number, number>> | undefined;
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

export function runLab(
  rw: Ropewalk,
  wanted: LabRequest,
  own: ShownLayer = randomLayer(rw, wanted),
): LabResult {
  const { heads, headDim, width, vectors: x } = own;
  const request = { ...wanted, heads, headDim };
  const { tokens, offset, shuffle, scheme, compare } = request;
  const layer = new Layer(rw, request, scheme, own);
  const inOrder = shuffledOrder(tokens.length, 0);
  const positions = inOrder.map((place) => place + offset);

  const written = layer.attend(x, positions);
  const order = shuffledOrder(tokens.length, shuffle);
  const reordered = shuffle === 0 ? x : takeRows(x, order, width);
  const shown = shuffle === 0 ? written : layer.attend(reordered, positions);
  const perToken = changePerToken(written.output, shown.output, order);
  const writtenPass = layer.pass(written, x, inOrder);
  const shownPass = shuffle === 0 ? writtenPass : layer.pass(shown, reordered, order);
  const other = compare && new Layer(rw, request, compare, own);
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

/** One pass, what went into it, and where. */
type LayerPass = Attended & {
  input: Float32Array;
  added: Float32Array | undefined;
  situation: Situation;
};

/** The layer with one scheme, ready for any order and any positions. */
class Layer {
  #rw: Ropewalk;
  #request: LabRequest;
  #scheme: Scheme;
  #own: ShownLayer;
  #weights: readonly Float32Array[];

  constructor(rw: Ropewalk, request: LabRequest, scheme: SchemeName, own: ShownLayer) {
    this.#rw = rw;
    this.#request = request;
    this.#scheme = schemeOf(scheme);
    this.#own = own;
    this.#weights = own.weightsFor(this.#scheme);
  }

  attend(x: Float32Array, positions: number[]): LayerPass {
    const { width, sinusoidLayout } = this.#own;
    const situation = { ...this.#request, x, positions, width, sinusoidLayout };
    const { input, added } = this.#own.enter(x, this.#scheme, situation);
    const attended = attend(this.#rw, input, this.#weights, this.#scheme, situation);
    return { ...attended, input, added, situation };
  }

  /** Returns the largest change of any weight of any head if the text began at position 0. */
  offsetChange({ weights, situation: { positions } }: LayerPass, x: Float32Array): number {
    const { offset } = this.#request;
    if (offset === 0) return 0;
    const fromZero = positions.map((position) => position - offset);
    return largestDifference(weights, this.attend(x, fromZero).weights);
  }

  /** Returns one head of the layer. Arrays are copies: each can be transferred to the page. */
  pass(attended: LayerPass, x: Float32Array, order: number[]): Pass {
    const { heads, head, headDim } = this.#request;
    const tokens = order.length;
    const bias = attended.scoreBias ?? this.#scheme.bias?.(this.#rw, attended.situation);
    const map = (tensor: Tensor) => headOf(tensor.data, head, tokens * tokens);
    const vectors = (tensor: Tensor) => headOf(tensor.data, head, tokens * headDim);
    const maps = {
      input: attended.input,
      content: this.#content(x, attended.situation),
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
      temperature: rowsOfHead(attended.temperature, head, tokens),
      rotations: this.#rotations(attended),
      terms: attended.added && this.#terms(x, attended.added),
      limits: limitsOf(maps),
      pictures,
    };
  }

  /** scale q kT of the chosen head without any position. */
  #content(x: Float32Array, situation: Situation): Float32Array {
    const { input } = this.#own.enter(x, schemeOf('none'), situation);
    const one = { ...situation, heads: 1 };
    const [q, k] = this.#ofHead().map((weights) => projected(input, weights, one));
    return this.#scores(q!, k!, { type: 'none' });
  }

  #scores(q: Tensor, k: Tensor, position: AttentionPosition): Float32Array {
    return this.#rw.attention(q, k, k, { position, intermediates: ['scores'] }).scores!.data;
  }

  /** The chosen head of the query and key weights, [C, headDim]. */
  #ofHead(): Float32Array[] {
    const { width, headDim } = this.#own;
    return this.#weights.slice(0, 2).map((all) => headOf(all, this.#request.head, width * headDim));
  }

  #rotations({ queries, keys, situation }: LayerPass): Pass['rotations'] {
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
    const { width, headDim } = this.#own;
    const shape = [x.length / width, width];
    const [queryWeights, keyWeights] = this.#ofHead().map((data) => ({
      data,
      shape: [width, headDim],
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

/** One factor per query may be the same for all heads. */
const rowsOfHead = (all: Float64Array | undefined, head: number, tokens: number) =>
  all && all.length > tokens ? all.slice(head * tokens, (head + 1) * tokens) : all;

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
