/** The largest weight of the head on show. */
import { rounded } from '../../plots/number.ts';
import type { LabView } from './lab_controls.ts';

/** Query, key and weight, as a sentence says them. */
export function strongestIn({ data }: LabView): [query: string, key: string, weight: string] {
  const { weights, order } = data.shown;
  const { tokens } = data.request;
  const strongest = weights.reduce((best, weight, at) => (weight > weights[best]! ? at : best), 0);
  const token = (place: number) => tokens[order[place]!]!;
  const row = Math.floor(strongest / tokens.length);
  return [token(row), token(strongest % tokens.length), rounded(weights[strongest]!)];
}
