/**
 * A layer of a trained decoder, which the lab can show in place of its random one. The layers
 * before it are computed too, with the scheme that the lab shows. The decoder is that of
 * `ropewalk/train` or a Llama; each block computes x + Attention(RMSNorm(x)), then
 * x + GELU(RMSNorm(x) W1) W2, or in a Llama x + (SiLU(RMSNorm(x) Wg) RMSNorm(x) W1) W2.
 */
import type { Ropewalk, Tensor } from 'ropewalk';
import type { Scheme, Situation } from './schemes.ts';
import { attend, withAdded, type ShownLayer } from './shown_layer.ts';

export interface TrainedModel {
  /** Tensors by their names in a checkpoint. */
  parameters: Readonly<Record<string, Tensor>>;
  heads: number;
  /** Heads of keys and values, each for as many heads of queries. Default: as many as heads. */
  keyHeads?: number;
  /** Of its training. Default 'half-split'. */
  layout?: 'half-split' | 'interleaved';
  /** Of its norms. Default 1e-6. */
  epsilon?: number;
  /** Rows of the table that the tokens are. Default: symbolsOf(). */
  symbols?: readonly number[];
}

/**
 * Returns the symbol of the decoder's vocabulary that stands for each token. Equal tokens have
 * equal symbols; with more different tokens than symbols, some different ones share a symbol.
 */
export function symbolsOf(tokens: readonly string[], symbolCount: number): number[] {
  const different = [...new Set(tokens)];
  // 11 and 5 are arbitrary, but 11 must have no common divisor with the number of symbols.
  return tokens.map((token) => (11 * different.indexOf(token) + 5) % symbolCount);
}

/** The parameters of a model whose matrices are [outputs, inputs], as TrainedModel has them. */
export const withInputsFirst = (parameters: TrainedModel['parameters']) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, tensor]) => [
      name,
      /\.W/.test(name) ? transposed(tensor) : tensor,
    ]),
  );

function transposed({ data, shape }: Tensor): Tensor {
  const [rows, cols] = shape as [number, number];
  const result = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < cols; col++) result[col * rows + row] = data[row * cols + col]!;
  return { data: result, shape: [cols, rows] };
}

/** Returns a layer of a decoder for these tokens. @param layer its index, from 0 */
export function trainedLayer(
  rw: Ropewalk,
  model: TrainedModel,
  tokens: readonly string[],
  layer: number,
): ShownLayer {
  const { parameters, heads, keyHeads = heads, layout: own = 'half-split', epsilon } = model;
  const table = parameters['E']!;
  const [symbolCount, width] = table.shape as [number, number];
  const headDim = width / heads;
  const parameter = (block: number, name: string) => parameters[`blocks.${block}.${name}`]!;
  // Whatever else rotates does so in halves.
  const weightsOf = (block: number, { layout = 'half-split' }: Scheme) => {
    const [wq, wk, wv] = ['Wq', 'Wk', 'Wv'].map((name) => parameter(block, name));
    // Weights converted from the layout of the training give the same scores with the other.
    const inLayout = (weights: Tensor, count: number) =>
      layout !== own
        ? rw.convertRotaryLayout(weights, { from: own, to: layout, axis: 1, heads: count })
        : weights;
    const shared = (weights: Tensor) => repeated(byHead(weights, keyHeads), keyHeads, heads);
    return [byHead(inLayout(wq!, heads), heads), shared(inLayout(wk!, keyHeads)), shared(wv!)];
  };
  const normalized = (x: Tensor, block: number, gain: string) =>
    rw.rmsNorm(x, parameter(block, gain).data, epsilon);

  function runBlock(block: number, x: Tensor, scheme: Scheme, situation: Situation) {
    const { data } = normalized(x, block, 'g1');
    const { output } = attend(rw, data, weightsOf(block, scheme), scheme, situation);
    const attended = sum(x, rw.linear(byToken(output), parameter(block, 'Wo')));
    const rows = normalized(attended, block, 'g2');
    const up = rw.linear(rows, parameter(block, 'W1'));
    const gate = parameters[`blocks.${block}.Wg`];
    const hidden = gate ? rw.swiglu(rw.linear(rows, gate), up) : rw.gelu(up);
    return sum(attended, rw.linear(hidden, parameter(block, 'W2')));
  }

  return {
    heads,
    headDim,
    width,
    sinusoidLayout: 'half-split',
    weightsFor: (scheme) => weightsOf(layer, scheme),
    vectors: rw.embedding(table, model.symbols ?? symbolsOf(tokens, symbolCount)).data,
    enter(vectors, scheme, situation) {
      const { input: data } = withAdded(rw, vectors, scheme, situation);
      let x: Tensor = { data, shape: [data.length / width, width] };
      for (let block = 0; block < layer; block++) x = runBlock(block, x, scheme, situation);
      return { input: normalized(x, layer, 'g1').data };
    },
  };
}

const sum = (a: Tensor, b: Tensor): Tensor => ({
  data: a.data.map((value, i) => value + b.data[i]!),
  shape: a.shape,
});

/** Reorders weights [C, heads × headDim] to [heads, C, headDim]. */
function byHead({ data, shape }: Tensor, heads: number): Float32Array {
  const [rows, width] = shape as [number, number];
  const dim = width / heads;
  const reordered = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let head = 0; head < heads; head++) {
      const start = row * width + head * dim;
      reordered.set(data.subarray(start, start + dim), (head * rows + row) * dim);
    }
  return reordered;
}

/** Weights [count, C, headDim] of heads, each as often as makes `heads` of them. */
function repeated(weights: Float32Array, count: number, heads: number): Float32Array {
  const size = weights.length / count;
  const result = new Float32Array(size * heads);
  for (let head = 0; head < heads; head++) {
    const from = Math.floor((head * count) / heads);
    result.set(weights.subarray(from * size, (from + 1) * size), head * size);
  }
  return result;
}

/** Reorders [heads, tokens, headDim] to [tokens, heads × headDim]. */
function byToken({ data, shape }: Tensor): Tensor {
  const [heads, tokens, dim] = shape as [number, number, number];
  const rows = new Float32Array(data.length);
  for (let head = 0; head < heads; head++)
    for (let token = 0; token < tokens; token++) {
      const start = (head * tokens + token) * dim;
      rows.set(data.subarray(start, start + dim), (token * heads + head) * dim);
    }
  return { data: rows, shape: [tokens, heads * dim] };
}
