/** Draws that a seed decides. */

/** SplitMix32: a draw is a function of the state alone, so that a case can be drawn again by itself. */
export class Draws {
  #state;

  constructor(seed) {
    this.#state = seed | 0;
  }

  bits() {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let z = Math.imul(this.#state ^ (this.#state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  }

  /** 0 … count − 1 */
  below(count) {
    return this.bits() % count;
  }

  chance(one, of) {
    return this.below(of) < one;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** In [−2, 2). */
  float() {
    return this.bits() / 2 ** 30 - 2;
  }

  floats(count) {
    return Float32Array.from({ length: count }, () => this.float());
  }

  tensor(...shape) {
    return { data: this.floats(shape.reduce((a, b) => a * b, 1)), shape };
  }
}

/** Returns the draws of case `index` of a run, independent of its neighbors. */
export const drawsOf = (seed, index) =>
  new Draws(Math.imul(seed, 0x85ebca6b) ^ Math.imul(index, 0xc2b2ae35));
