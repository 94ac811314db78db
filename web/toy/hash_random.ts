/**
 * Random numbers by counting: every draw is a hash of (stream, index), in 32-bit integers only, so
 * a seed gives the same bits in every engine and any element can be drawn without the others.
 * The mixer is MurmurHash3's finalizer (Appleby, public domain).
 */
export function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A stream of draws named by numbers: change one and every draw changes. */
export function stream(...names: number[]): number {
  let h = 0x9e3779b9;
  for (const name of names) h = mix(h ^ mix(name + 0x7f4a7c15));
  return h;
}

/** FNV-1a over UTF-16 code units: a token's text becomes the name of its stream. */
export function textHash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/**
 * Mean 0, variance 1: the sum of twelve 16-bit uniforms (Irwin and Hall), taken from six hashes.
 * Box and Muller would need log and cos, whose last bits differ between engines; this sum is a
 * multiple of 2^-16 below 6 and therefore exact, in float32 too.
 */
export function normal(streamOfDraws: number, index: number): number {
  let sum = 0;
  for (let draw = 0; draw < 6; draw++) {
    const bits = mix(streamOfDraws + Math.imul(6 * index + draw, 0x9e3779b9));
    sum += (bits >>> 16) + (bits & 0xffff);
  }
  return (sum + 6) / 65536 - 6; // each of the 12 terms stands in the middle of its step
}

/** An integer in [0, limit), for limits far below 2^32, where the bias does not show. */
export function below(limit: number, streamOfDraws: number, index: number): number {
  return mix(streamOfDraws + Math.imul(index, 0x9e3779b9)) % limit;
}
