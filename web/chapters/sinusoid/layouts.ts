/** The pair that a column of the table belongs to. */
export function pairOf(column: number, { dim, layout }: { dim: number; layout: string }): number {
  return layout === 'interleaved' ? Math.floor(column / 2) : column % (dim / 2);
}
