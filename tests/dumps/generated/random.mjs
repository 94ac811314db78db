/** Seeded draws. */

/** @param {number} seed */
export function randomOf(seed) {
  let state = seed >>> 0;
  /** Uniform in [0, 1): mulberry32. */
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from `low` to `high`, both included. */
  const whole = (low, high) => low + Math.floor(uniform() * (high - low + 1));
  return {
    uniform,
    whole,
    chance: (share) => uniform() < share,
    pick: (list) => list[whole(0, list.length - 1)],
    normals: (count) =>
      Float32Array.from(
        { length: count },
        () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
      ),
  };
}

/** The nearest bfloat16. */
export function bf16(x) {
  const bits = new Uint32Array(Float32Array.of(x).buffer);
  if ((bits[0] & 0x7f800000) === 0x7f800000) return x;
  bits[0] = bits[0] + 0x7fff + ((bits[0] >>> 16) & 1);
  bits[0] &= 0xffff0000;
  return new Float32Array(bits.buffer)[0];
}

/** The nearest float16, also of numbers that are too small to have all digits. */
export function f16(x) {
  if (!Number.isFinite(x) || x === 0) return x;
  const exponent = Math.max(-14, Math.floor(Math.log2(Math.abs(x))));
  const step = 2 ** (exponent - 10);
  const whole = Math.round(Math.abs(x) / step);
  const isHalf = whole - Math.abs(x) / step === 0.5;
  return Math.sign(x) * (isHalf && whole % 2 ? whole - 1 : whole) * step;
}
