/**
 * The smallest base found for which Σ cos(Δ θ_i) of a head of 128 numbers is at least 0 at every
 * distance Δ below a length. Larger bases may fail again, so bases were tried from small to large
 * in steps of 0.05%; a finer search finds smaller ones. A test repeats the sums.
 * @see Xu et al. 2024, Base of RoPE Bounds Context Length
 */
export const smallestBases: readonly (readonly [length: number, base: number])[] = [
  [512, 2066.8],
  [724, 2987.3],
  [1024, 4294.3],
  [1448, 7918],
  [2048, 11589],
  [2896, 19162],
  [4096, 26960],
  [5793, 63792],
  [8192, 83768],
  [11585, 175980],
  [16384, 231670],
  [23170, 349220],
  [32768, 630210],
  [46341, 1416400],
  [65536, 2090700],
  [92682, 4420700],
  [131072, 4870900],
];
