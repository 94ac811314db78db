import type { MainModule } from './glue.js';

/** The raw module with what every call needs: arrays in, errors thrown, results copied out. */
export class Core {
  constructor(readonly raw: MainModule) {}

  /** Puts arrays one after another where the next call finds them; doubles become floats. */
  send(arrays: readonly (Float32Array | Float64Array)[]): void {
    let count = 0;
    for (const array of arrays) count += array.length;
    const inbox = unwrapped(this.raw.floatsInbox(count));
    let at = 0;
    for (const array of arrays) {
      inbox.set(array, at);
      at += array.length;
    }
  }

  sendDoubles(arrays: readonly Float64Array[]): void {
    let count = 0;
    for (const array of arrays) count += array.length;
    const inbox = unwrapped(this.raw.doublesInbox(count));
    let at = 0;
    for (const array of arrays) {
      inbox.set(array, at);
      at += array.length;
    }
  }
}

/** What C++ returns is an Error, or a view on its memory that the next call may detach. */
export function unwrapped<View>(result: View | Error): View {
  if (result instanceof Error) throw result;
  return result;
}

/** A copy by the constructor, which unlike slice() does not fill the new array with zeros first. */
export function copied<View extends object>(result: View | Error): View {
  const view = unwrapped(result);
  return new (view.constructor as new (from: View) => View)(view);
}

/** Into the caller's own array, if there is one: a large new one costs more than most calls. */
export function copiedInto(into: Float32Array | undefined, result: Float32Array | Error): Float32Array {
  if (into === undefined) return copied(result);
  into.set(unwrapped(result));
  return into;
}
