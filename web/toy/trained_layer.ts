/**
 * A layer of a trained decoder in place of the toy's: the layers below it run with the scheme that
 * is shown. The decoder is that of `ropewalk/train`: x + Attention(RMSNorm(x)), then
 * x + GELU(RMSNorm(x) W1) W2, in each block.
 */
import type { Ropewalk, Tensor } from 'ropewalk';
import type { Scheme, Situation } from './schemes.ts';
import { attend, withAdded, type ShownLayer } from './shown_layer.ts';

export interface TrainedModel {
  /** By their names in a checkpoint. */
  parameters: Readonly<Record<string, Tensor>>;
  heads: number;
}

/**
 * The symbol of each token: equal tokens, equal symbols. With more different tokens than symbols,
 * some share one.
 */
export function symbolsOf(tokens: readonly string[], symbols: number): number[] {
  const different = [...new Set(tokens)];
  // Any step without a common divisor spreads them.
  return tokens.map((token) => (11 * different.indexOf(token) + 5) % symbols);
}

/** @param layer from 0 */
export function trainedLayer(
  rw: Ropewalk,
  { parameters, heads }: TrainedModel,
  tokens: readonly string[],
  layer: number,
): ShownLayer {
  const table = parameters['E']!;
  const [symbols, width] = table.shape as [number, number];
  const headDim = width / heads;
  const of = (block: number, name: string) => parameters[`blocks.${block}.${name}`]!;
  const weightsOf = (block: number, { layout }: Scheme) => {
    const [wq, wk, wv] = ['Wq', 'Wk', 'Wv'].map((name) => of(block, name));
    // The decoders were trained half-split: with the other layout they would be other models.
    const inLayout = (weights: Tensor) =>
      layout === 'interleaved'
        ? rw.convertRotaryLayout(weights, { from: 'half-split', to: layout, axis: 1, heads })
        : weights;
    return [inLayout(wq!), inLayout(wk!), wv!].map((weights) => byHead(weights, heads));
  };
  const normalized = (x: Tensor, block: number, gain: string) =>
    rw.rmsNorm(x, of(block, gain).data);

  function through(block: number, x: Tensor, scheme: Scheme, situation: Situation) {
    const { data } = normalized(x, block, 'g1');
    const { output } = attend(rw, data, weightsOf(block, scheme), scheme, situation);
    const middle = sum(x, rw.linear(joined(output), of(block, 'Wo')));
    const hidden = rw.gelu(rw.linear(normalized(middle, block, 'g2'), of(block, 'W1')));
    return sum(middle, rw.linear(hidden, of(block, 'W2')));
  }

  return {
    heads,
    headDim,
    width,
    sinusoidLayout: 'half-split',
    weightsFor: (scheme) => weightsOf(layer, scheme),
    vectors: rw.embedding(table, symbolsOf(tokens, symbols)).data,
    enter(vectors, scheme, situation) {
      const { input: data } = withAdded(rw, vectors, scheme, situation);
      let x: Tensor = { data, shape: [data.length / width, width] };
      for (let block = 0; block < layer; block++) x = through(block, x, scheme, situation);
      return { input: normalized(x, layer, 'g1').data };
    },
  };
}

const sum = (a: Tensor, b: Tensor): Tensor => ({
  data: a.data.map((value, i) => value + b.data[i]!),
  shape: a.shape,
});

/** [C, heads × headDim] as [heads, C, headDim]. */
function byHead({ data, shape }: Tensor, heads: number): Float32Array {
  const [rows, width] = shape as [number, number];
  const dim = width / heads;
  const apart = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let head = 0; head < heads; head++) {
      const start = row * width + head * dim;
      apart.set(data.subarray(start, start + dim), (head * rows + row) * dim);
    }
  return apart;
}

/** [heads, tokens, headDim] as [tokens, heads × headDim]. */
function joined({ data, shape }: Tensor): Tensor {
  const [heads, tokens, dim] = shape as [number, number, number];
  const rows = new Float32Array(data.length);
  for (let head = 0; head < heads; head++)
    for (let token = 0; token < tokens; token++) {
      const start = (head * tokens + token) * dim;
      rows.set(data.subarray(start, start + dim), (token * heads + head) * dim);
    }
  return { data: rows, shape: [tokens, heads * dim] };
}
