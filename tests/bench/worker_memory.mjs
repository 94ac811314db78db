/**
 * The memory of a page's workers: that of WebAssembly, and arrays that live. The functions of this
 * file run in the page and in its workers, and refer to nothing outside themselves.
 */
import { watchedMemory } from './memory.mjs';

const channel = 'ropewalk-memory';

/** In a worker, before its own script: reports the most bytes so far whenever there are more. */
function probe(wasmBytes, name) {
  const port = new BroadcastChannel(name);
  const living = { bytes: 0 };
  const gone = new FinalizationRegistry((bytes) => (living.bytes -= Number(bytes)));
  let most = 0;
  const note = () => {
    const wasm = wasmBytes();
    if (wasm + living.bytes <= most) return;
    most = wasm + living.bytes;
    port.postMessage({ wasm, arrays: living.bytes });
  };
  const keep = (buffer) => {
    living.bytes += buffer.byteLength;
    gone.register(buffer, buffer.byteLength, buffer);
    note();
    return buffer;
  };
  const { transfer } = /** @type {any} */ (ArrayBuffer.prototype);
  if (transfer)
    /** @type {any} */ (ArrayBuffer.prototype).transfer = function (length) {
      if (gone.unregister(this)) living.bytes -= this.byteLength;
      return keep(transfer.call(this, length));
    };
  const { arrayBuffer } = Blob.prototype;
  Blob.prototype.arrayBuffer = async function () {
    return keep(await arrayBuffer.call(this));
  };
  for (const kind of ['Float32Array', 'Float64Array', 'Uint8Array', 'ArrayBuffer'])
    globalThis[kind] = new Proxy(globalThis[kind], {
      construct(target, args, called) {
        const made = Reflect.construct(target, args, called);
        const { buffer = made } = made;
        // A view of another buffer is no new one.
        if (args[0] !== buffer) keep(buffer);
        return made;
      },
    });
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    const before = grow.call(this, pages);
    note();
    return before;
  };
}

/** In a page, before its scripts: its module workers run `code` first. */
function withCodeInWorkers(code, name) {
  globalThis.workerMemory = { wasm: 0, arrays: 0 };
  new BroadcastChannel(name).onmessage = ({ data }) => (globalThis.workerMemory = data);
  const urlOf = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const first = urlOf(code);
  globalThis.Worker = class extends globalThis.Worker {
    constructor(script, options) {
      const { href } = new URL(script, location.href);
      super(urlOf(`import ${JSON.stringify(first)}; import ${JSON.stringify(href)};`), options);
    }
  };
}

/**
 * Makes the documents that a tab opens note the most memory of a worker, in bytes:
 * `globalThis.workerMemory` is { wasm, arrays } at the time of the largest sum. Their policy must
 * allow workers from blobs. Arrays count until the engine has said that they are collected.
 */
export async function watchWorkers(tab) {
  const code = `(${probe})((${watchedMemory})(), ${JSON.stringify(channel)});`;
  await tab.evaluateOnNewDocument(withCodeInWorkers, code, channel);
}
