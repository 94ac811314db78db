import { attention, type Attention } from './attention/attention.js';
import { biases } from './bias/biases.js';
import { distanceBiases } from './bias/distance.js';
import { contextual } from './content/cope.js';
import { Core } from './runtime/core.js';
import { disentangled } from './content/deberta.js';
import { encodings, type Encodings } from './encodings.js';
import { decomposition } from './content/four_terms.js';
import { kvCaches } from './attention/kv_cache.js';
import { layers } from './model/layers.js';
import {
  compiled,
  loadSchema,
  type BinarySource,
  type LoadOptions,
  type Simd,
} from './runtime/load.js';
import { polarFunctions } from './content/polar.js';
import { prefixSummed } from './content/prefix_sums.js';
import { relative } from './content/relative.js';
import { started } from './runtime/main_module.js';
import { read } from './runtime/schema.js';
import { residents } from './attention/residents.js';
import type { RotateResident } from './rotary/rotary.js';
import { tokenMasks } from './content/selective.js';
import { windows } from './bias/windows.js';

/**
 * The functions of every topic. The types are listed, not taken from `functions`, so that the
 * reference and editors show the docstring of each function.
 * @internal
 */
export interface Functions
  extends
    Encodings,
    ReturnType<typeof distanceBiases>,
    ReturnType<typeof biases>,
    ReturnType<typeof windows>,
    ReturnType<typeof relative>,
    ReturnType<typeof disentangled>,
    ReturnType<typeof contextual>,
    ReturnType<typeof prefixSummed>,
    ReturnType<typeof decomposition>,
    ReturnType<typeof polarFunctions>,
    ReturnType<typeof tokenMasks>,
    ReturnType<typeof layers>,
    Attention {}

/** The functions that an instance has, and a pool with promises of their results. @internal */
export const functions = (core: Core): Functions => ({
  ...encodings(core),
  ...distanceBiases(core),
  ...biases(core),
  ...windows(core),
  ...relative(core),
  ...disentangled(core),
  ...contextual(core),
  ...prefixSummed(core),
  ...decomposition(core),
  ...polarFunctions(core),
  ...tokenMasks(core),
  ...layers(core),
  ...attention(core),
});

/** Every encoding and exact attention as plain functions: typed arrays in, new typed arrays out. */
export interface Ropewalk
  extends Functions, ReturnType<typeof residents>, ReturnType<typeof kvCaches> {
  rotate: Functions['rotate'] & RotateResident;
  /** Which binary runs. */
  readonly simd: Simd;
  /** Releases the memory that calls keep for reuse. */
  release(): void;
}

const rotateHint = 'is called rotate(q, rotaryFrequencies({ dim })) here (did you mean rotate?)';

/**
 * What other libraries call these functions. A call by such a name throws "NAME is called …".
 */
const functionsElsewhere = {
  scaledDotProductAttention: 'is called attention(q, k, v, { causal, mask, bias, scale }) here',
  multiHeadAttention: 'is called attention(q, k, v, { heads }) here',
  rope: rotateHint,
  rotary: rotateHint,
  applyRotary: rotateHint,
  applyRotaryPosEmb:
    "is called rotate(q, rotaryFrequencies({ dim }), { layout: 'half-split', positions }) here",
};

/** Adds those names, which throw. They are not enumerable, so no listing shows them. */
function withHints<Api extends object>(api: Api): Api {
  const define = (name: string, hint: string) => {
    const value = () => {
      throw new TypeError(`${name} ${hint}`);
    };
    Object.defineProperty(api, name, { value });
  };
  for (const [name, hint] of Object.entries(functionsElsewhere)) {
    define(name, hint);
    const snakeName = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (snakeName !== name) define(snakeName, hint);
  }
  return api;
}

/**
 * Loads a binary and creates an instance: createRopewalk() of every entry.
 * @param binary reads the binary where the options have none
 * @internal
 */
export async function start(
  settings: LoadOptions | undefined,
  binary: BinarySource,
): Promise<Ropewalk> {
  const given = read('createRopewalk options', settings, loadSchema);
  const { module, simd } = await compiled(given, binary);
  return instanceOf(new Core(await started(module)), simd);
}

/** Creates an instance that calls this core. @internal */
export const instanceOf = (core: Core, simd: Simd): Ropewalk =>
  withHints({
    ...(functions(core) as Functions & Pick<Ropewalk, 'rotate'>),
    ...residents(core),
    ...kvCaches(core),
    simd,
    release: () => core.raw.releaseMemory(),
  });

export type { ParameterError } from './runtime/errors.js';
export type { LoadOptions, Simd } from './runtime/load.js';
export type { ResidentOptions, ResidentTensor, StoredDtype } from './runtime/resident.js';
export type {
  DoubleTensor,
  HalfFloats,
  IndexTensor,
  Positions,
  Tensor,
  TensorInput,
  TensorView,
} from './runtime/tensor.js';
export type {
  BinaryOptions,
  IntegerPositionsOptions,
  SineWavesOptions,
  SinusoidalOptions,
  SinusoidalShiftOptions,
  UnitIntervalOptions,
} from './input/absolute.js';
export type {
  FourierFeaturesOptions,
  SinusoidalGridOptions,
  SinusoidalMaskOptions,
} from './input/grid.js';
export type {
  CombineOptions,
  LearnedRowsOptions,
  LearnedTableOptions,
  RecurrentOptions,
  RecurrentWeights,
  RecurrentWeightsOptions,
} from './input/learned.js';
export type {
  AbacusOptions,
  CoupledPositionsOptions,
  RandomizedAlibiOptions,
  RandomizedPositionsOptions,
} from './input/position_ids.js';
export type {
  AccumulatedAngles,
  AccumulatedAnglesOptions,
  AngleTemperatureOptions,
} from './rotary/accumulated.js';
export type {
  ConvertRotaryLayoutOptions,
  RotaryLayout,
  RotateOptions,
  RotateResident,
  RotateResidentOptions,
} from './rotary/rotary.js';
export type {
  DerivedRotaryFrequencies,
  PairFate,
  RotaryDerivation,
  RotaryFrequencies,
  RotaryFrequencyOptions,
} from './rotary/frequencies.js';
export type {
  ByPartsOptions,
  DerivationStep,
  NtkForm,
  RotaryScaling,
  YarnOptions,
} from './rotary/scaling.js';
export type {
  AngleCoverage,
  AngleCoverageOptions,
  PositionDigits,
  PositionDigitsOptions,
  RelativePositionOptions,
} from './rotary/context_length.js';
export type { LogitFactorOptions } from './rotary/logit_factors.js';
export type {
  AngleMethod,
  NumberFormat,
  RotaryAngleErrorsOptions,
  RotaryFormats,
  RoundedRotaryScoresOptions,
  RoundedRotaryTable,
  RoundedRotaryTableOptions,
} from './rotary/precision.js';
export type {
  RotaryTable,
  RotaryTableOfBase,
  RotaryTableOptions,
  XposTableOptions,
} from './rotary/table.js';
export type {
  AxialFrequencyOptions,
  GridPositionOptions,
  PixelFrequencyOptions,
  SectionedFrequencyOptions,
  VisionRotary,
  VisionRotaryOptions,
} from './rotary/axes.js';
export type {
  RotaryDecay,
  RotaryDecayOptions,
  RotaryScoreBound,
  RotaryScoreBoundOptions,
  RotaryTurnsOptions,
} from './rotary/decay.js';
export type * from './bias/biases.js';
export type * from './bias/distance.js';
export type { BiasPairs, BiasSize } from './bias/distance_table.js';
export type { BiasNetwork } from './bias/network.js';
export type {
  SwinV2BiasOptions,
  SwinV2Options,
  WindowOptions,
  WindowSize,
} from './bias/windows.js';
export type {
  RelativeKeyOptions,
  ShawIndexOptions,
  TransformerXlOptions,
} from './content/relative.js';
export type { RelativeOptions, RelativePositions } from './content/call.js';
export type {
  DebertaBucketOptions,
  DebertaIndexOptions,
  DebertaOptions,
} from './content/deberta.js';
export type { CopePositionsOptions } from './content/cope.js';
export type { PrefixSumsOptions } from './content/prefix_sums.js';
export type { FourTerms, FourTermsOptions } from './content/four_terms.js';
export type { PolarOptions } from './content/polar.js';
export type { SelectiveScoresOptions } from './content/selective.js';
export type { LinearOptions, Parameter } from './model/layers.js';
export type { EvictOptions, KvCache, KvCacheOptions } from './attention/kv_cache.js';
export type * from './attention/text_schemes.js';
export type {
  AttentionOptions,
  AttentionResult,
  CachedAttentionOptions,
  Operand,
} from './attention/attention.js';
export type { AttentionIntermediate } from './attention/call.js';
export type { Alignment, BiasInput, BooleanMask, MaskInput, Window } from './attention/operands.js';
export type { ConfiguredPosition } from './attention/configured.js';
export type {
  AnglePosition,
  AttentionPosition,
  MappedPosition,
  PositionInput,
  PrefixSumPosition,
  RotarySource,
} from './attention/position.js';
