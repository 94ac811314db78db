import { largestFinite } from './comparison.ts';
import type { Picture } from './pass.ts';

const largestPicture = 64;

/** All weights of a head as a picture: attention of the whole text at a glance. */
export function pictureOf(weights: Float32Array, tokens: number): Picture {
  const side = Math.min(tokens, largestPicture);
  const values = new Float32Array(side * side);
  const place = (token: number) => Math.floor((token * side) / tokens);
  for (let row = 0; row < tokens; row++) {
    for (let column = 0; column < tokens; column++) {
      const at = place(row) * side + place(column);
      values[at] = Math.max(values[at]!, weights[row * tokens + column]!);
    }
  }
  return { side, values, limit: largestFinite(values) };
}
