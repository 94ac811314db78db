/** A model as a set of choices: those of its configuration, or those changed by a fault. */
import { positionFromConfig, type PositionScheme } from '../config/position.js';
import type { RotaryScheme } from '../config/rotary.js';
import type { RuntimeName } from '../config/runtimes.js';
import type { Alignment } from '../attention/operands.js';
import type { SlopeConvention } from '../bias/distance.js';
import type { LogitFactorOptions } from '../rotary/logit_factors.js';
import type { RotaryFormats } from '../rotary/precision.js';
import type { RotaryLayout } from '../rotary/rotary.js';
import type { RotaryScaling } from '../rotary/scaling.js';
import type { Functions } from '../ropewalk.js';
import type { LayerTraits } from '../config/layers.js';
import { widthNames, type AlibiParameters } from '../config/schemes.js';
import { headNames } from '../config/width.js';
import { isCausal, scaleOf, type Config } from './layers.js';

/** What frequencies are computed from. */
export interface Recipe {
  dim: number;
  rotaryFraction: number;
  base: number;
  scaling: RotaryScaling;
  /** Only the first of the pairs, where exponents count over a wider head. */
  first?: number;
  /** Pairs after them that are not rotated. */
  zeros?: number;
  /** The width that exponents count over, where the scaling still counts over that of `dim`. */
  exponentsOver?: number;
  /** The factor by which the scaling changes each frequency is squared. */
  isScaledTwice?: true;
  /** The frequencies themselves, which then follow from nothing else; NaN where there is none. */
  given?: ArrayLike<number>;
}

/** Positions in place of the true ones. */
export interface PositionChange {
  /**
   * @param positions the true ones of rows along one axis
   * @param rows which rows of the array these are
   */
  of(positions: ArrayLike<number>, rows: ArrayLike<number>): ArrayLike<number>;
}

/** M-RoPE: how many pairs follow each axis, and which axis of the positions that is. */
export interface Sections {
  pairs: number[];
  interleaved: boolean;
  axes: number[];
  /** The axis of each pair, where the pairs have an order of their own (ERNIE). */
  axisOfPair?: number[];
}

/** Which end of a head is rotated. */
export type RotatedPart = 'leading' | 'trailing';

/** How often each side is rotated. */
export interface Times {
  query: number;
  key: number;
}

/**
 * Where the attention factor acts: as the model has it, nowhere, squared on cos and sin, or on the
 * other side (softmax scale in place of cos and sin, or the reverse).
 */
export type Temperature = 'own' | 'none' | 'twice' | 'other-side';

export interface RotaryModel {
  recipe: Recipe;
  /** The first rows of the keys, as another table rotated them when they were cached. */
  cached?: { rows: number; recipe: Recipe };
  layout: RotaryLayout;
  outputLayout: RotaryLayout;
  /** Width of a head. */
  headDim: number;
  part: RotatedPart;
  rotates: boolean;
  times: Times;
  temperature: Temperature;
  /** The angle is negated. */
  inverted: boolean;
  /** cos and sin are exchanged. */
  swapped: boolean;
  formats: RotaryFormats;
  /** The length of dynamic NTK is that of each row when it was computed. */
  lengthPerRow: boolean;
  queryPositions?: PositionChange;
  keyPositions?: PositionChange;
  sections?: Sections;
}

export interface ScoreModel {
  /** Multiplies q · k, without a temperature; `scaleApplied` says how often. */
  scale: number;
  scaleApplied: 0 | 1 | 2;
  /** Query head h reads key head ⌊h · keyHeads / heads⌋, or h mod keyHeads. */
  keyHeads: 'grouped' | 'tiled';
  causal: Alignment | false;
  /** Which part of the mask is inverted. */
  inverted: 'none' | 'padding' | 'causal' | 'all';
  window?: number;
  softcap?: number;
  softcapAfterMask: boolean;
  rowFactor?: LogitFactorOptions;
}

export interface AlibiModel {
  maxBias: number;
  convention: SlopeConvention | 'zero-based' | 'zero-based-published';
  reversed: boolean;
  /** What biases are divided by before they are part of a score. */
  divisor: number;
}

export interface T5Model {
  maxDistance: number;
  /** 1/√d_kv, which other models multiply q · k by. */
  scale: number;
  direction: 'causal' | 'bidirectional';
}

/** Channels of q and k that are permuted against the reference, once more than they should be. */
export interface Permutation {
  q: boolean;
  k: boolean;
  /** Evens before odds, or back. */
  from: RotaryLayout;
  /** The whole head, or its rotated part alone. */
  of: 'head' | 'rotated';
  /** The reference may have the rows as llama.cpp's converter puts them, or as they were before. */
  eitherOrder?: true;
}

export interface Model {
  scheme: PositionScheme['type'];
  heads: number | undefined;
  /** The program that runs it, where it is known. */
  runtime?: RuntimeName;
  /** Heads of keys, which groups of query heads share. */
  keyHeads: number | undefined;
  /** Kind of layer, where the layers differ. */
  layerType?: string;
  /** The model that proposes tokens (MTP, EAGLE), not the one that verifies them. */
  isDraft?: true;
  /** Where keys are values too, the output is rotated back by the position of its query. */
  output?: 'back' | 'none' | 'forward';
  rotary?: RotaryModel;
  alibi?: AlibiModel;
  t5?: T5Model;
  scores: ScoreModel;
  permuted: Permutation;
}

function rotaryModel(scheme: RotaryScheme, plan: LayerTraits): RotaryModel {
  const { dim, rotaryFraction, base, scaling, layout, headDim, sections } = scheme;
  return {
    recipe: { dim, rotaryFraction, base, scaling },
    layout,
    outputLayout: scheme.deinterleaves ? 'half-split' : layout,
    headDim,
    part: scheme.part ?? 'leading',
    rotates: plan.rotates,
    times: { query: 1, key: 1 },
    temperature: 'own',
    inverted: scheme.direction === -1,
    swapped: false,
    formats: {},
    lengthPerRow: false,
    ...(sections && {
      sections: { ...sections, axes: sections.pairs.map((_, axis) => axis) },
    }),
  };
}

const numberIn = (config: Config, names: readonly string[]) =>
  names.map((name) => config[name]).find((value) => typeof value === 'number');

function alibiModel({ maxBias, divisor = 1 }: AlibiParameters): AlibiModel {
  return { maxBias, convention: 'published', reversed: false, divisor };
}

function t5Direction(config: Config, stack: 'encoder' | 'decoder' | undefined) {
  return isCausal(config, stack ?? 'encoder') ? 'causal' : 'bidirectional';
}

/**
 * The model of a layer, as its configuration says.
 * @param length how many positions there are, for schemes that follow the length
 * @param isDivided whether a program divides scores that its model does not
 */
export function modelOf(
  rw: Functions,
  config: Config,
  plan: LayerTraits,
  stack: 'encoder' | 'decoder' | undefined,
  length: number | undefined,
  isDivided?: boolean,
): Model {
  const { layerType } = plan;
  const { scheme } = positionFromConfig(rw, config, {
    ...(length !== undefined && { length }),
    ...(layerType !== undefined && { layerType }),
  });
  const heads = numberIn(config, [`${stack}_attention_heads`, ...headNames]);
  const keyHeads = numberIn(config, ['num_key_value_heads', 'num_kv_heads']) ?? heads;
  const headDim =
    scheme.type === 'rotary'
      ? scheme.headDim
      : (numberIn(config, ['d_kv', 'head_dim']) ?? numberIn(config, widthNames)! / (heads ?? 1));
  const softcap = numberIn(config, ['attn_logit_softcapping']);
  const isRotary = scheme.type === 'rotary';
  const own = plan.temperature && ({ type: 'llama4', ...plan.temperature } as const);
  const rowFactor = isRotary && (plan.rotates ? scheme.temperature : own);
  return {
    scheme: scheme.type,
    heads,
    keyHeads,
    ...(isRotary && {
      rotary: rotaryModel(scheme, plan),
    }),
    ...(layerType !== undefined && { layerType }),
    ...(config['model_type'] === 'deepseek_v4' && { output: 'back' as const }),
    ...(scheme.type === 'alibi' && { alibi: alibiModel(scheme) }),
    ...(scheme.type === 't5' && {
      t5: {
        maxDistance: scheme.maxDistance,
        scale: 1 / Math.sqrt(headDim),
        direction: t5Direction(config, stack),
      },
    }),
    scores: {
      scale: scaleOf(config, headDim, isDivided),
      scaleApplied: 1,
      keyHeads: 'grouped',
      causal: isCausal(config, stack) ? 'bottom-right' : false,
      inverted: 'none',
      softcapAfterMask: false,
      ...(plan.window !== undefined && { window: plan.window }),
      ...(softcap && { softcap }),
      ...(rowFactor && { rowFactor }),
    },
    permuted: { q: false, k: false, from: 'interleaved', of: 'head' },
  };
}
