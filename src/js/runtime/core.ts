import { isFloats, lengthOf } from './checks.js';
import type { MainModule } from './glue.js';

type Numbers = Float32Array | Float64Array | Uint8Array;

/**
 * The raw module with what every call needs: arrays in, errors thrown, results copied out. Memory
 * may move with every call into the core, so its views are read anew each time and never kept.
 */
export class Core {
  constructor(readonly raw: MainModule) {}

  /** Puts arrays one after another where the next call finds them; doubles become floats. */
  send(arrays: readonly Numbers[]): void {
    const at = this.#address(this.raw.floatsInbox(countOf(arrays))) / 4;
    fill(this.raw.HEAPF32, at, arrays);
  }

  sendDoubles(arrays: readonly (Float64Array | readonly number[])[]): void {
    const at = this.#address(this.raw.doublesInbox(countOf(arrays))) / 8;
    fill(this.raw.HEAPF64, at, arrays);
  }

  sendBytes(arrays: readonly Uint8Array[]): void {
    const at = this.#address(this.raw.bytesInbox(countOf(arrays)));
    fill(this.raw.HEAPU8, at, arrays);
  }

  /** The address of a copy that stays until releaseResident(). */
  keep(floats: Float32Array): number {
    const count = lengthOf(floats);
    const address = this.#address(this.raw.resident(count), `a tensor of ${4 * count} bytes`);
    this.overwrite(address, floats);
    return address;
  }

  overwrite(address: number, floats: Float32Array): void {
    this.raw.HEAPF32.set(floats, address / 4);
  }

  /**
   * A copy of the floats that a call returned, or the caller's own array with them: a large new one
   * costs more than most calls.
   */
  floats(returned: number, into?: Float32Array): Float32Array {
    const heap = this.raw.HEAPF32;
    const count = this.raw.resultCount();
    // slice() fills the new array with zeros first, but needs no view: quicker where that is
    // little.
    if (into === undefined && count <= 4096) {
      const at = this.#address(returned) / 4;
      return heap.slice(at, at + count);
    }
    const result = this.view(returned);
    if (into === undefined) return new Float32Array(result);
    into.set(result);
    return into;
  }

  /** What a call returned, where it lies: read it before the next call. */
  view(returned: number): Float32Array {
    const at = this.#address(returned);
    return new Float32Array(this.raw.HEAPF32.buffer, at, this.raw.resultCount());
  }

  doubles(returned: number): Float64Array {
    const at = this.#address(returned);
    return new Float64Array(new Float64Array(this.raw.HEAPF64.buffer, at, this.raw.resultCount()));
  }

  integers(returned: number): Int32Array {
    const at = this.#address(returned);
    return new Int32Array(new Int32Array(this.raw.HEAP32.buffer, at, this.raw.resultCount()));
  }

  /** The lowest addresses stand for failures, see boundary.hpp. */
  #address(returned: number, what = 'this call'): number {
    if (returned > 1) return returned;
    if (returned === 1) {
      const held = this.raw.HEAPF32.buffer.byteLength;
      throw new RangeError(
        `there is not enough memory for ${what}: it has ${held} bytes and cannot grow as needed`,
      );
    }
    throw this.refusal();
  }

  /** Why the core refused its arguments, with names spelled as in the package. */
  refusal(): RangeError {
    const text = this.raw.refusal();
    return new RangeError(text.replace(/(?<=\w)_([a-z])/g, (_, letter) => letter.toUpperCase()));
  }
}

/** As many as set() will copy: a caller's array that says less would overrun the inbox. */
function sizeOf(array: ArrayLike<number>): number {
  return isFloats(array) ? lengthOf(array) : array.length;
}

function countOf(arrays: readonly ArrayLike<number>[]): number {
  let count = 0;
  for (const array of arrays) count += sizeOf(array);
  return count;
}

function fill(heap: Numbers, start: number, arrays: readonly ArrayLike<number>[]): void {
  let at = start;
  for (const array of arrays) {
    heap.set(array, at);
    at += sizeOf(array);
  }
}
