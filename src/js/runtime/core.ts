import { withParameter } from './errors.js';
import type { MainModule } from './glue.js';

type Numbers = Float32Array | Float64Array | Uint8Array;

/**
 * The raw module with the steps of every call: send arrays, throw errors, copy results. Each call
 * may move the memory, so views of it are created anew and never kept.
 */
export class Core {
  constructor(readonly raw: MainModule) {}

  /** Sends arrays for the next call, one after another; doubles become floats. */
  send(arrays: readonly Numbers[]): void {
    const at = this.address(this.raw.reserveFloats(countOf(arrays))) / 4;
    fill(this.raw.HEAPF32, at, arrays);
  }

  sendDoubles(arrays: readonly (Float64Array | readonly number[])[]): void {
    const at = this.address(this.raw.reserveDoubles(countOf(arrays))) / 8;
    fill(this.raw.HEAPF64, at, arrays);
  }

  sendBytes(arrays: readonly Uint8Array[]): void {
    const at = this.address(this.raw.reserveBytes(countOf(arrays)));
    fill(this.raw.HEAPU8, at, arrays);
  }

  /** Returns the address of memory for `count` floats, kept until releaseResident(). */
  allocate(count: number): number {
    return this.address(this.raw.resident(count), `a tensor of ${4 * count} bytes`);
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
    // slice() fills the new array with zeros first but needs no view: faster for small results.
    if (into === undefined && count <= 4096) {
      const at = this.address(returned) / 4;
      return heap.slice(at, at + count);
    }
    const result = this.view(returned);
    if (into === undefined) return new Float32Array(result);
    into.set(result);
    return into;
  }

  /** A view of a call's result in the memory of the core: read it before the next call. */
  view(returned: number): Float32Array {
    const at = this.address(returned);
    return new Float32Array(this.raw.HEAPF32.buffer, at, this.raw.resultCount());
  }

  doubles(returned: number): Float64Array {
    const at = this.address(returned);
    return new Float64Array(new Float64Array(this.raw.HEAPF64.buffer, at, this.raw.resultCount()));
  }

  integers(returned: number): Int32Array {
    const at = this.address(returned);
    return new Int32Array(new Int32Array(this.raw.HEAP32.buffer, at, this.raw.resultCount()));
  }

  /**
   * The address that a call returned.
   * @throws RangeError on one of the lowest addresses, which stand for failures (boundary.hpp)
   */
  address(returned: number, what = 'this call'): number {
    if (returned > 1) return returned;
    if (returned === 1) {
      const held = this.raw.HEAPF32.buffer.byteLength;
      throw new RangeError(
        `there is not enough memory for ${what}: it has ${held} bytes and cannot grow as needed`,
      );
    }
    throw this.#lastError();
  }

  /** The error of the core for its arguments, with names spelled as in the package. */
  #lastError(): RangeError {
    const text = this.raw
      .errorMessage()
      .replace(/(?<=\w)_([a-z\d])/g, (_, letter) => letter.toUpperCase());
    const error = new RangeError(text);
    const [, parameter, rule, got] =
      /^(?:\w+: )?(?!there )(.+?) (must .+?)(?:, got (.+))?$/.exec(text) ?? [];
    if (parameter === undefined) return error;
    return withParameter(error, parameter, rule!, Number.isNaN(Number(got)) ? got : Number(got));
  }
}

function countOf(arrays: readonly ArrayLike<number>[]): number {
  let count = 0;
  for (const array of arrays) count += array.length;
  return count;
}

function fill(heap: Numbers, start: number, arrays: readonly ArrayLike<number>[]): void {
  let at = start;
  for (const array of arrays) {
    heap.set(array, at);
    at += array.length;
  }
}
