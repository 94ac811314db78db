import createModule from './glue.js';
import type { MainModule } from './glue.js';
import { oneOf } from './checks.js';

/** Which of the two binaries runs: 'relaxed' has fused multiply-adds, 'simd128' runs everywhere. */
export type Simd = 'relaxed' | 'simd128';

export interface LoadOptions {
  /** 'auto' (default) takes relaxed SIMD where the engine has it. */
  simd?: Simd | 'auto';
  /** The binary's bytes, or the compiled module, instead of the package's own. */
  wasm?: BufferSource | WebAssembly.Module;
}

export type BinarySource = (simd: Simd) => Promise<BufferSource | WebAssembly.Module>;

// (module (func (param v128) (result v128) local.get 0 local.get 0 i8x16.add))
const simd128Probe = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 32, 0, 32, 0,
  253, 110, 11,
];
// (module (func (param v128) (result v128)
//   local.get 0 local.get 0 local.get 0 f32x4.relaxed_madd))
const relaxedProbe = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 0,
  32, 0, 253, 133, 2, 11,
];

function runs(probe: number[]): boolean {
  return WebAssembly.validate(new Uint8Array(probe));
}

function chooseSimd(wanted: Simd | 'auto'): Simd {
  if (!runs(simd128Probe)) {
    throw new Error('This engine has no WebAssembly SIMD: Chrome 91, Firefox 89, Safari 16.4 and Node 16.4 have it');
  }
  if (wanted !== 'auto') return wanted;
  return runs(relaxedProbe) ? 'relaxed' : 'simd128';
}

/** Compiles and starts the core once; nothing happens at import. */
export async function load(
  { simd = 'auto', wasm }: LoadOptions,
  binary: BinarySource,
): Promise<{ raw: MainModule; simd: Simd }> {
  const chosen = chooseSimd(oneOf('simd', simd, ['auto', 'relaxed', 'simd128'] as const));
  const source = wasm ?? (await binary(chosen));
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const raw = await createModule({
    instantiateWasm(imports: WebAssembly.Imports, received: (instance: WebAssembly.Instance) => void) {
      WebAssembly.instantiate(module, imports).then(received);
      return {};
    },
  });
  return { raw, simd: chosen };
}
