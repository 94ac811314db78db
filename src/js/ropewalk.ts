import { absolute } from './absolute.js';
import { attention } from './attention.js';
import { biases } from './biases.js';
import { contextual } from './cope.js';
import { Core } from './core.js';
import { disentangled } from './deberta.js';
import { decomposition } from './four_terms.js';
import { load, type BinarySource, type LoadOptions, type Simd } from './load.js';
import { options } from './checks.js';
import { relative } from './relative.js';
import { rotary } from './rotary.js';
import { rotaryFrequencies } from './rotary_frequencies.js';
import { windows } from './windows.js';

const functions = (core: Core) => ({
  ...absolute(core),
  ...rotary(core),
  ...rotaryFrequencies(core),
  ...biases(core),
  ...windows(core),
  ...relative(core),
  ...disentangled(core),
  ...contextual(core),
  ...decomposition(core),
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
export type { IndexTensor, Positions, Tensor } from './tensor.js';
export type { SinusoidalOptions, SinusoidalShiftOptions } from './absolute.js';
export type { RotaryLayout, RotateOptions } from './rotary.js';
export type { RotaryFrequencies, RotaryFrequencyOptions } from './rotary_frequencies.js';
export type {
  AlibiOptions, AlibiSlopesOptions, AlibiTranslatedOptions, BiasPairs, BiasSize, FireOptions,
  KerpleOptions, SandwichOptions, T5BiasOptions, T5BucketOptions,
} from './biases.js';
export type {
  AlibiScheme, BiasDirection, DistanceScheme, DistanceType, KerpleScheme, SandwichScheme,
  SlopeConvention, SlopeOptions, T5Scheme,
} from './distance.js';
export type { BiasNetwork } from './network.js';
export type { SwinV2BiasOptions, SwinV2Options, WindowOptions, WindowSize } from './windows.js';
export type { RelativeKeyOptions, ShawIndexOptions, TransformerXlOptions } from './relative.js';
export type { RelativeOptions, RelativePositions } from './relative_call.js';
export type { DebertaBucketOptions, DebertaIndexOptions, DebertaOptions } from './deberta.js';
export type { CopePositionsOptions } from './cope.js';
export type { FourTerms, FourTermsOptions } from './four_terms.js';
export type { AttentionOptions, AttentionResult, AttentionStep } from './attention.js';
export type { Alignment, BooleanMask, Window } from './attention_operands.js';
export type { AttentionPosition } from './attention_position.js';
