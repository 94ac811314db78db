/**
 * What moves: a new word is laid from left to right; a rope whose numbers change tightens or frays.
 */

const layingTime = 1500;
const changingTime = 900;

/** The numbers of each rope by its name: how loose it is at each letter. */
type Looseness = ReadonlyMap<string, readonly number[]>;

export interface Shown {
  looseness: readonly number[];
  /** Up to which letter the rope is laid. */
  end: number;
}

/** The ropes of one figure. Nothing moves before the reader does something. */
export class Motion {
  #from: Looseness = new Map();
  #to: Looseness = new Map();
  #word: string | undefined;
  #start = -Infinity;
  #isLaying = false;
  #frame = 0;

  /** Lays the ropes again, even those of the same word. */
  layAgain() {
    this.#word = undefined;
    this.#isLaying = true;
    this.#start = performance.now();
  }

  /** Takes the numbers to draw, and has the figure drawn again until they are reached. */
  update(word: string, to: Looseness, still: boolean, redraw: () => void) {
    const isFirst = this.#to.size === 0;
    const isChanged = [...to].some(([name, looseness]) => this.#to.get(name) !== looseness);
    if (isChanged) {
      this.#from = new Map([...to.keys()].map((name) => [name, this.shown(name).looseness]));
      this.#to = to;
      if (word !== this.#word || !this.#isMoving) {
        this.#isLaying = word !== this.#word;
        this.#start = isFirst ? -Infinity : performance.now();
      }
    }
    this.#word = word;
    if (still) this.#start = -Infinity;
    cancelAnimationFrame(this.#frame);
    if (this.#isMoving) this.#frame = requestAnimationFrame(redraw);
  }

  get #isMoving(): boolean {
    return this.#share < 1;
  }

  /** How much of the time of the movement is over. */
  get #share(): number {
    const time = this.#isLaying ? layingTime : changingTime;
    return Math.min(1, (performance.now() - this.#start) / time);
  }

  shown(name: string): Shown {
    const to = this.#to.get(name) ?? [];
    const share = this.#share;
    if (this.#isLaying) return { looseness: to, end: share * to.length };
    const from = this.#from.get(name) ?? to;
    const eased = 1 - (1 - share) ** 3;
    const looseness = to.map((value, i) => (from[i] ?? value) * (1 - eased) + value * eased);
    return { looseness, end: to.length };
  }
}
