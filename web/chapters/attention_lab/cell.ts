/** The sum that made one cell of the map, from the numbers of the pass. */
import type { LabResult } from '../../toy/forward.ts';
import type { Pass, TermName } from '../../toy/pass.ts';

/** Score and weight of one query with one key, and what the keys of the same token get. */
export interface CellSum {
  /** Where query and key stand, from 0, and their tokens of the sentence. */
  row: number;
  column: number;
  queryToken: number;
  keyToken: number;
  /** q . k with position, before scaling. */
  product: number;
  scale: number;
  /** The scheme's own factor on the row, 1 where there is none. */
  temperature: number;
  /** C13: the parts of the score, where position is added at the input. */
  terms: [TermName, number][];
  /** Both rotations' scores and where one takes over from the other, and which made this one. */
  rotations: { window: number; near: number; far: number; isNear: boolean } | undefined;
  entropy: number;
  score: number;
  /** The score as it would be without position. */
  content: number;
  bias: number;
  /** score + bias; -Infinity where the mask hides the key. */
  logit: number;
  masked: boolean;
  /** e^logit and its sum over the row: their quotient is the weight. */
  power: number;
  rowSum: number;
  weight: number;
  /** Every place of the key's token in this row. */
  twins: { column: number; score: number; logit: number; weight: number }[];
}

export function cellSum(result: LabResult, pass: Pass, row: number, column: number): CellSum {
  const count = pass.order.length;
  const at = row * count + column;
  const value = (map: Float32Array) => map[at]!;
  const logit = value(pass.biased);
  const { terms, rotations } = pass;
  const temperature = pass.temperature?.[row] ?? 1;
  const names = Object.keys(terms?.maps ?? {}) as TermName[];
  let rowSum = 0;
  for (let key = 0; key < count; key++) rowSum += Math.exp(pass.biased[row * count + key]!);
  return {
    row,
    column,
    queryToken: pass.order[row]!,
    keyToken: pass.order[column]!,
    product: value(pass.scores) / (result.scale * temperature),
    scale: result.scale,
    temperature,
    terms: names.map((name) => [name, value(terms!.maps[name])]),
    rotations: rotations && {
      window: rotations.window,
      near: value(rotations.near),
      far: value(rotations.far),
      isNear: row - column < rotations.window,
    },
    entropy: pass.entropy[row]!,
    score: value(pass.scores),
    content: value(pass.content),
    bias: pass.bias ? value(pass.bias) : 0,
    logit,
    masked: logit === -Infinity,
    power: Math.exp(logit),
    rowSum,
    weight: value(pass.weights),
    twins: twinsOf(result, pass, row, column),
  };
}

function twinsOf(
  { request }: LabResult,
  pass: Pass,
  row: number,
  column: number,
): CellSum['twins'] {
  const token = (place: number) => request.tokens[pass.order[place]!];
  const first = row * pass.order.length;
  return pass.order
    .map((_, place) => place)
    .filter((place) => token(place) === token(column))
    .map((place) => ({
      column: place,
      score: pass.scores[first + place]!,
      logit: pass.biased[first + place]!,
      weight: pass.weights[first + place]!,
    }));
}

/** One key's part in an element of the output: its weight times its value there. */
export interface Part {
  column: number;
  weight: number;
  value: number;
  product: number;
}

/** The largest parts of output[row][dimension], and how much all the others add. */
export function outputParts(
  pass: Pass,
  row: number,
  dimension: number,
  most: number,
): { parts: Part[]; rest: number } {
  const count = pass.order.length;
  const width = pass.values.length / count;
  const all = pass.order.map((_, column): Part => {
    const weight = pass.weights[row * count + column]!;
    const value = pass.values[column * width + dimension]!;
    return { column, weight, value, product: weight * value };
  });
  all.sort((a, b) => Math.abs(b.product) - Math.abs(a.product));
  const rest = all.slice(most).reduce((sum, { product }) => sum + product, 0);
  return { parts: all.slice(0, most), rest };
}
