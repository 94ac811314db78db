import { absolute } from './absolute.js';
import { attention } from './attention.js';
import { biases } from './biases.js';
import { Core } from './core.js';
import { load, type BinarySource, type LoadOptions, type Simd } from './load.js';
import { options } from './checks.js';
import { rotary } from './rotary.js';
import { rotaryFrequencies } from './rotary_frequencies.js';

const functions = (core: Core) => ({
  ...absolute(core),
  ...rotary(core),
  ...rotaryFrequencies(core),
  ...biases(core),
  ...attention(core),
});

/** Every encoding and exact attention as plain functions: typed arrays in, new typed arrays out. */
export type Ropewalk = ReturnType<typeof functions> & {
  /** Which binary runs. */
  readonly simd: Simd;
  /** Gives back the memory that calls keep for reuse. */
  release(): void;
};

export async function start(settings: LoadOptions | undefined, binary: BinarySource): Promise<Ropewalk> {
  const given = options('createRopewalk options', settings, ['simd', 'wasm']);
  const { raw, simd } = await load(given, binary);
  return { ...functions(new Core(raw)), simd, release: () => raw.releaseMemory() };
}

export type { LoadOptions, Simd } from './load.js';
export type { Positions, Tensor } from './tensor.js';
export type { SinusoidalOptions, SinusoidalShiftOptions } from './absolute.js';
export type { RotaryLayout, RotateOptions } from './rotary.js';
export type { RotaryFrequencies, RotaryFrequencyOptions } from './rotary_frequencies.js';
export type { AlibiDirection, AlibiOptions, SlopeConvention } from './biases.js';
export type { AttentionOptions, AttentionPosition, AttentionResult, AttentionStep } from './attention.js';
