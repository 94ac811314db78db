import { withParameter, wrongKind, wrongValue } from './errors.js';
import * as option from './option.js';
import type { Checked, Schema } from './schema.js';

/** The two binaries: 'relaxed' has fused multiply-adds, 'simd128' runs everywhere. */
export type Simd = 'relaxed' | 'simd128';

/** The choice of an instance's binary. */
export interface LoadOptions {
  /**
   * 'auto' (default): relaxed SIMD where the engine has it; with `wasm`, the kind of that binary.
   */
  simd?: Simd | 'auto';
  /** The bytes or the compiled module of one of the two binaries, instead of the entry's own. */
  wasm?: BufferSource | WebAssembly.Module;
}

export const loadSchema = {
  simd: option.oneOf('auto', 'relaxed', 'simd128').default('auto'),
  wasm: option.given('wasm'),
} satisfies Schema<LoadOptions>;

export type BinarySource = (simd: Simd) => Promise<BufferSource | WebAssembly.Module>;

// (module (func (param v128) (result v128) local.get 0 local.get 0 i8x16.add))
const simd128Probe = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 32, 0, 32,
  0, 253, 110, 11,
];
// (module (func (param v128) (result v128)
//   local.get 0 local.get 0 local.get 0 f32x4.relaxed_madd))
const relaxedProbe = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32,
  0, 32, 0, 253, 133, 2, 11,
];

function runs(probe: number[]): boolean {
  return WebAssembly.validate(new Uint8Array(probe));
}

function chooseSimd(wanted: Simd | 'auto'): Simd {
  if (!runs(simd128Probe)) {
    throw new Error(
      'This engine has no WebAssembly SIMD: Chrome 91, Firefox 89, Safari 16.4 and Node 16.4 have it',
    );
  }
  const hasRelaxed = runs(relaxedProbe);
  if (wanted === 'relaxed' && !hasRelaxed) {
    throw new Error("This engine has no relaxed SIMD: leave simd out, or use 'simd128'");
  }
  return wanted === 'auto' ? (hasRelaxed ? 'relaxed' : 'simd128') : wanted;
}

/** Returns a function that starts what all its calls share, and starts it again after a failure. */
export function startedOnce<Value>(start: () => Promise<Value>): () => Promise<Value> {
  let shared: Promise<Value> | undefined;
  return () =>
    (shared ??= start().catch((error: unknown) => {
      shared = undefined;
      throw error;
    }));
}

/** A compiled binary, which can be instantiated any number of times and in any thread. */
export interface Compiled {
  module: WebAssembly.Module;
  simd: Simd;
}

/** Name of the custom section that identifies a binary: each pair of binaries has its own. */
export type Section = 'simd' | 'simd-train';

export async function compiled(
  { simd, wasm }: Checked<LoadOptions, typeof loadSchema>,
  binary: BinarySource,
  section: Section = 'simd',
): Promise<Compiled> {
  const chosen = chooseSimd(simd);
  if (wasm !== undefined && typeof wasm !== 'object') {
    throw wrongKind('wasm', 'must be bytes or a WebAssembly.Module', wasm);
  }
  const source = wasm ?? (await binary(chosen));
  const module =
    source instanceof WebAssembly.Module
      ? source
      : await WebAssembly.compile(source).catch((error: Error) => {
          throw wasm === undefined ? error : notOurs(error);
        });
  const kind = simdOf(module, section);
  if (simd !== 'auto' && simd !== kind)
    throw wrongValue('simd', `must be '${kind}' or 'auto' for this wasm`, simd, `'${simd}'`);
  return { module, simd: kind };
}

/** Returns the kind of a binary, by the section that tools/package.mjs adds. */
function simdOf(module: WebAssembly.Module, name: Section): Simd {
  const [section] = WebAssembly.Module.customSections(module, name);
  const kind = new TextDecoder().decode(section);
  if (kind === 'relaxed' || kind === 'simd128') return kind;
  throw notOurs(new Error(`its custom section "${name}" must say 'relaxed' or 'simd128'`));
}

/** Wraps an engine's error about foreign wasm; an out-of-memory error is returned unchanged. */
function notOurs(cause: Error): Error {
  if (cause instanceof RangeError) return cause;
  const rule = 'must be a binary of this package';
  const error = new TypeError(`wasm ${rule}: ${cause.message}`, { cause });
  return withParameter(error, 'wasm', rule, undefined);
}

/** The glue code of Emscripten: takes options and returns the module. */
type Glue<Module> = (settings: object) => Promise<Module>;

/**
 * Instantiates a module. The glue does not report failures, so this function rejects for a module
 * that does not fit.
 */
export function instantiated<Module>(
  module: WebAssembly.Module,
  createModule: Glue<Module>,
): Promise<Module> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(notOurs(error));
    const settings = {
      instantiateWasm(
        imports: WebAssembly.Imports,
        received: (instance: WebAssembly.Instance) => void,
      ) {
        WebAssembly.instantiate(module, imports).then(received).catch(fail);
        return {};
      },
    };
    createModule(settings).then(resolve, fail);
  });
}
