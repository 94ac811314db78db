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
