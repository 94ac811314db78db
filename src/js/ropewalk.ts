import { absolute } from './absolute.js';
import { attention } from './attention.js';
import { biases } from './biases.js';
import { contextLength } from './context_length.js';
import { contextual } from './cope.js';
import { Core } from './core.js';
import { disentangled } from './deberta.js';
import { decomposition } from './four_terms.js';
import { grid } from './grid.js';
import { inputs } from './inputs.js';
import { compiled, started, type BinarySource, type LoadOptions, type Simd } from './load.js';
import { logitFactors } from './logit_factors.js';
import { options } from './checks.js';
import { positionConfig } from './position_config.js';
import { precision } from './precision.js';
import { relative } from './relative.js';
import { residents } from './resident.js';
import { rotary } from './rotary.js';
import { rotaryAxes } from './rotary_axes.js';
import { rotaryDecay } from './rotary_decay.js';
import { rotaryTables } from './rotary_table.js';
import { windows } from './windows.js';

/**
 * Topic by topic, and not as what `functions` happens to return, so that docstrings reach the
 * reader.
 * @internal
 */
export interface Functions
  extends
    ReturnType<typeof absolute>,
    ReturnType<typeof grid>,
    ReturnType<typeof inputs>,
    ReturnType<typeof rotary>,
    ReturnType<typeof rotaryTables>,
    ReturnType<typeof rotaryAxes>,
    ReturnType<typeof rotaryDecay>,
    ReturnType<typeof positionConfig>,
    ReturnType<typeof contextLength>,
    ReturnType<typeof logitFactors>,
    ReturnType<typeof precision>,
    ReturnType<typeof biases>,
    ReturnType<typeof windows>,
    ReturnType<typeof relative>,
    ReturnType<typeof disentangled>,
    ReturnType<typeof contextual>,
    ReturnType<typeof decomposition>,
    ReturnType<typeof attention> {}

/** What an instance and a pool have in common. @internal */
export const functions = (core: Core): Functions => ({
  ...absolute(core),
  ...grid(core),
  ...inputs(core),
  ...rotary(core),
  ...rotaryTables(core),
  ...rotaryAxes(core),
  ...rotaryDecay(core),
  ...positionConfig(core),
  ...contextLength(core),
  ...logitFactors(core),
  ...precision(core),
  ...biases(core),
  ...windows(core),
  ...relative(core),
  ...disentangled(core),
  ...contextual(core),
  ...decomposition(core),
  ...attention(core),
});

/** Every encoding and exact attention as plain functions: typed arrays in, new typed arrays out. */
export interface Ropewalk extends Functions, ReturnType<typeof residents> {
  /** Which binary runs. */
  readonly simd: Simd;
  /** Gives back the memory that calls keep for reuse. */
  release(): void;
}

/** What every entry starts. @internal */
export async function start(
  settings: LoadOptions | undefined,
  binary: BinarySource,
): Promise<Ropewalk> {
  const given = options('createRopewalk options', settings, ['simd', 'wasm']);
  const { module, simd } = await compiled(given, binary);
  const raw = await started(module);
  const core = new Core(raw);
  return { ...functions(core), ...residents(core), simd, release: () => raw.releaseMemory() };
}

export type { LoadOptions, Simd } from './load.js';
export type { ResidentTensor } from './resident.js';
export type { IndexTensor, Positions, Tensor } from './tensor.js';
export type {
  BinaryOptions,
  IntegerPositionsOptions,
  SineDialsOptions,
  SinusoidalOptions,
  SinusoidalShiftOptions,
  UnitIntervalOptions,
} from './absolute.js';
export type {
  FourierFeaturesOptions,
  SinusoidalGridOptions,
  SinusoidalMaskOptions,
} from './grid.js';
export type {
  CombineOptions,
  LearnedTableOptions,
  RecurrentOptions,
  RecurrentWeights,
} from './inputs.js';
export type { ConvertRotaryLayoutOptions, RotaryLayout, RotateOptions } from './rotary.js';
export type {
  DerivedRotaryFrequencies,
  PairFate,
  RotaryDerivation,
  RotaryFrequencies,
  RotaryFrequencyOptions,
} from './rotary_frequencies.js';
export type {
  ByPartsOptions,
  DerivationStep,
  NtkForm,
  RotaryScaling,
  YarnOptions,
} from './rotary_scaling.js';
export type {
  ConfigPosition,
  PositionScheme,
  RotaryFrequenciesFunction,
} from './position_config.js';
export type { ConfigAccount, ConfigNote, ConfigValue } from './config_reader.js';
export type { ConfigChoices, RotaryScheme } from './config_rotary.js';
export type { UnturnedScheme } from './config_schemes.js';
export type {
  AngleCoverage,
  AngleCoverageOptions,
  PositionDigits,
  RelativePositionOptions,
} from './context_length.js';
export type { LogitFactorOptions } from './logit_factors.js';
export type { AngleMethod, NumberFormat, RotaryFormats, RoundedRotaryTable } from './precision.js';
export type {
  DoubleTensor,
  RotaryTable,
  RotaryTableOptions,
  XposTableOptions,
} from './rotary_table.js';
export type {
  AxialFrequencyOptions,
  GridPositionOptions,
  PixelFrequencyOptions,
  SectionedFrequencyOptions,
  VisionRotary,
  VisionRotaryOptions,
} from './rotary_axes.js';
export type {
  RotaryDecay,
  RotaryDecayOptions,
  RotaryScoreBound,
  RotaryScoreBoundOptions,
} from './rotary_decay.js';
export type {
  AlibiOptions,
  AlibiSlopesOptions,
  AlibiTranslatedOptions,
  BiasPairs,
  BiasSize,
  FireOptions,
  KerpleOptions,
  SandwichOptions,
  T5BiasOptions,
  T5BucketOptions,
} from './biases.js';
export type {
  AlibiScheme,
  BiasDirection,
  DistanceScheme,
  DistanceType,
  KerpleScheme,
  SandwichScheme,
  SlopeConvention,
  SlopeOptions,
  T5Scheme,
} from './distance.js';
export type { BiasNetwork } from './network.js';
export type { SwinV2BiasOptions, SwinV2Options, WindowOptions, WindowSize } from './windows.js';
export type { RelativeKeyOptions, ShawIndexOptions, TransformerXlOptions } from './relative.js';
export type { RelativeOptions, RelativePositions } from './relative_call.js';
export type { DebertaBucketOptions, DebertaIndexOptions, DebertaOptions } from './deberta.js';
export type { CopePositionsOptions } from './cope.js';
export type { FourTerms, FourTermsOptions } from './four_terms.js';
export type { AttentionOptions, AttentionResult, Operand } from './attention.js';
export type { AttentionStep } from './attention_call.js';
export type { Alignment, BooleanMask, Window } from './attention_operands.js';
export type { AttentionPosition, TwoRotations } from './attention_position.js';
