/** Floats of 16 bits, which JavaScript may have no array for: as 32-bit floats they are exact. */

/** The float of 16 bits: five of exponent and ten of fraction. */
function floatOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >>> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 1024 + fraction : fraction) * 2 ** (Math.max(exponent, 1) - 25);
}

/** How 16 bits are read. bf16 is the upper half of a 32-bit float. */
export type HalfFormat = 'f16' | 'bf16';

export function widened(bits: Uint16Array, format: HalfFormat): Float32Array {
  if (format === 'f16') return Float32Array.from(bits, floatOfHalf);
  return new Float32Array(Uint32Array.from(bits, (half) => half << 16).buffer);
}
