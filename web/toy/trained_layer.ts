/**
 * A layer of a trained decoder, which the lab can show in place of its random one. The layers
 * before it are computed too, with the scheme that the lab shows. The decoder is that of
 * `ropewalk/train`; each block computes x + Attention(RMSNorm(x)), then x + GELU(RMSNorm(x) W1) W2.
 */
import type { Ropewalk, Tensor } from 'ropewalk';
import type { Scheme, Situation } from './schemes.ts';
import { attend, withAdded, type ShownLayer } from './shown_layer.ts';

export interface TrainedModel {
  /** Tensors by their names in a checkpoint. */
  parameters: Readonly<Record<string, Tensor>>;
  heads: number;
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

/** Returns a layer of a decoder for these tokens. @param layer its index, from 0 */
export function trainedLayer(
  rw: Ropewalk,
  { parameters, heads }: TrainedModel,
  tokens: readonly string[],
  layer: number,
): ShownLayer {
  const table = parameters['E']!;
  const [symbolCount, width] = table.shape as [number, number];
  const headDim = width / heads;
  const parameter = (block: number, name: string) => parameters[`blocks.${block}.${name}`]!;
  const weightsOf = (block: number, { layout }: Scheme) => {
    const [wq, wk, wv] = ['Wq', 'Wk', 'Wv'].map((name) => parameter(block, name));
    // The decoders were trained half-split. Converted weights give the same scores with the other.
    const inLayout = (weights: Tensor) =>
      layout === 'interleaved'
        ? rw.convertRotaryLayout(weights, { from: 'half-split', to: layout, axis: 1, heads })
        : weights;
    return [inLayout(wq!), inLayout(wk!), wv!].map((weights) => byHead(weights, heads));
  };
  const normalized = (x: Tensor, block: number, gain: string) =>
    rw.rmsNorm(x, parameter(block, gain).data);

  function runBlock(block: number, x: Tensor, scheme: Scheme, situation: Situation) {
    const { data } = normalized(x, block, 'g1');
    const { output } = attend(rw, data, weightsOf(block, scheme), scheme, situation);
    const attended = sum(x, rw.linear(byToken(output), parameter(block, 'Wo')));
    const hidden = rw.gelu(rw.linear(normalized(attended, block, 'g2'), parameter(block, 'W1')));
    return sum(attended, rw.linear(hidden, parameter(block, 'W2')));
  }

  return {
    heads,
    headDim,
    width,
    sinusoidLayout: 'half-split',
    weightsFor: (scheme) => weightsOf(layer, scheme),
    vectors: rw.embedding(table, symbolsOf(tokens, symbolCount)).data,
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
