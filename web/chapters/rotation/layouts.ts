import type { RotaryLayout } from 'ropewalk';

/** The two entries of a vector that are a pair. */
export function entriesOf(layout: RotaryLayout, pair: number, dim: number): [number, number] {
  return layout === 'interleaved' ? [2 * pair, 2 * pair + 1] : [pair, pair + dim / 2];
}
