/** Reads a file from one place to the next through a window, and passes over what is not needed. */
import { wrongValue } from '../runtime/errors.js';
import type { ByteSource } from './byte_source.js';

const smallestWindow = 2 ** 12;
const largestWindow = 2 ** 20;

/**
 * A place in a file that moves forward. `need` loads bytes; the methods without a promise take them
 * from what is loaded.
 */
export class ByteCursor {
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  /** The place of the first loaded byte. */
  #start: number;
  #at: number;
  #window = smallestWindow;
  #read = 0;

  /**
   * @param end no byte from here on belongs to the part that is read; default: the end of the file
   * @param mostRead how many bytes may be read before the file counts as damaged
   */
  constructor(
    readonly source: ByteSource,
    start = 0,
    readonly end = source.size,
    readonly mostRead = 2 ** 25,
    readonly littleEndian = true,
  ) {
    this.#start = this.#at = start;
  }

  get at() {
    return this.#at;
  }

  get left() {
    return this.end - this.#at;
  }

  /** Whether so many bytes are loaded. */
  has(count: number) {
    return this.#at >= this.#start && this.#at + count <= this.#start + this.#bytes.length;
  }

  /** Loads so many bytes. `what` names them in the error of a file that ends before. */
  async need(count: number, what: string): Promise<void> {
    if (this.has(count)) return;
    const { name } = this.source;
    if (count > this.left)
      throw wrongValue(`${name}: ${what}`, `must have ${count} bytes at ${this.#at}`, this.left);
    const length = Math.min(Math.max(count, this.#window), this.left);
    if ((this.#read += length) > this.mostRead) {
      const rule = `must be read with at most ${this.mostRead} bytes`;
      throw wrongValue(`${name}: ${what}`, rule, this.#read, 'more');
    }
    this.#window = Math.min(2 * this.#window, largestWindow);
    this.#bytes = await this.source.read(this.#at, length);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, length);
    this.#start = this.#at;
  }

  /** Moves on without reading; the caller has checked that the file goes so far. */
  skip(count: number): void {
    this.moveTo(this.#at + count);
  }

  /** Moves to a place, whose bytes are read when they are needed. */
  moveTo(at: number): void {
    this.#at = at;
    // What follows a tensor of weights is short; what follows what was read goes on.
    if (!this.has(0)) this.#window = smallestWindow;
  }

  /** The loaded bytes from here on, which the next `need` may replace. */
  bytes(count: number): Uint8Array {
    const from = this.#at - this.#start;
    this.#at += count;
    return this.#bytes.subarray(from, from + count);
  }

  #take<Value>(size: number, take: (view: DataView, at: number) => Value): Value {
    const value = take(this.#view, this.#at - this.#start);
    this.#at += size;
    return value;
  }

  u8(): number {
    return this.#take(1, (view, at) => view.getUint8(at));
  }

  u32(): number {
    return this.#take(4, (view, at) => view.getUint32(at, this.littleEndian));
  }

  u64(): bigint {
    return this.#take(8, (view, at) => view.getBigUint64(at, this.littleEndian));
  }

  number<Value>(size: number, take: (view: DataView, at: number, little: boolean) => Value): Value {
    return this.#take(size, (view, at) => take(view, at, this.littleEndian));
  }
}
