/** The rotation that llama.cpp gives the layers of a GGUF file, by its keys and tensors. */
import { readGgufRows, type GgufFile } from '../formats/gguf.js';
import { wrongValue } from '../runtime/errors.js';
import type { Functions } from '../ropewalk.js';
import type { RotaryScaling } from '../rotary/scaling.js';
import { architectureOf, localLike, type Architecture } from '../config/llama_cpp.js';
import { lengths, type LengthOfText, type Recipe } from './rotation.js';

/** What a file says about positions, beside its tensors of weights. */
export interface GgufRotation {
  file: GgufFile;
  /** general.architecture, with which its keys begin. */
  name: string;
  architecture: Architecture | undefined;
  /** rope_freqs.weight, or the lists of LongRoPE. */
  divisors: Partial<Record<LengthOfText, Float64Array>>;
  /** The share by which numbers may differ: tensors of the file may be half-precision floats. */
  tolerance: number;
  sections: number[] | undefined;
}

/** A key after the name of the architecture, as 'rope.freq_base', and its value. */
export function keyOf({ file, name }: GgufRotation, key: string): unknown {
  return file.keys.get(`${name}.${key}`);
}

function numberAt(rotation: GgufRotation, key: string, least = 0, most = 1e18): number | undefined {
  const value = keyOf(rotation, key);
  // Some architectures have one value per layer.
  const number = Array.isArray(value) ? Math.max(...value.map(Number)) : value;
  if (number === undefined) return undefined;
  if (typeof number === 'number' && number >= least && number <= most) return number;
  const place = `${rotation.file.source.name}: ${rotation.name}.${key}`;
  throw wrongValue(place, `must be a number from ${least} to ${most}`, number);
}

const tensorNames: [LengthOfText, string][] = [
  ['short', 'rope_factors_short.weight'],
  ['long', 'rope_factors_long.weight'],
];
export const divisorsName = 'rope_freqs.weight';

const tolerances: Record<string, number> = { F16: 2e-3, BF16: 1e-2 };

async function divisorsOf(file: GgufFile) {
  const found: GgufRotation['divisors'] = {};
  const types: string[] = [];
  const mostPairs = 2 ** 14;
  const listOf = async (name: string) => {
    const tensor = file.tensors.get(name);
    if (!tensor) return undefined;
    const [pairs = 0] = tensor.shape;
    if (tensor.shape.length !== 1 || pairs < 1 || pairs > mostPairs) {
      const rule = `must have one axis of at most ${mostPairs}`;
      throw wrongValue(`${file.source.name}: tensor "${name}"`, rule, pairs);
    }
    types.push(tensor.type);
    return Float64Array.from(await readGgufRows(file, name, tensor, 0, 1));
  };
  for (const [length, name] of tensorNames) {
    const list = await listOf(name);
    if (list) found[length] = list;
  }
  const one = await listOf(divisorsName);
  if (one && !found.short && !found.long) found.short = found.long = one;
  const tolerance = Math.max(2e-5, ...types.map((type) => tolerances[type] ?? 0));
  return { divisors: found, tolerance };
}

/** Reads what decides the rotation. */
export async function ggufRotation(file: GgufFile): Promise<GgufRotation> {
  const name = file.keys.get('general.architecture');
  if (typeof name !== 'string')
    throw wrongValue(`${file.source.name}: general.architecture`, 'must be a text', name);
  const list = file.keys.get(`${name}.rope.dimension_sections`);
  const sections = Array.isArray(list) ? list.map(Number) : undefined;
  const architecture = architectureOf(name);
  return { file, name, architecture, sections, ...(await divisorsOf(file)) };
}

/** The factor of a scaling that stretches positions; 1 without one. */
function stretchOf(rotation: GgufRotation): number {
  const stated = numberAt(rotation, 'rope.scaling.factor') ?? 0;
  return stated || numberAt(rotation, 'rope.scale_linear') || 1;
}

export const scalingType = (rotation: GgufRotation) =>
  String(keyOf(rotation, 'rope.scaling.type') ?? 'linear');

/** YaRN's options that decide the factors on cos and sin and on the softmax scale. */
function temperatureOf(rotation: GgufRotation) {
  const { architecture } = rotation;
  if (architecture?.unfactored) return { attentionFactor: 1 };
  const stored = numberAt(rotation, 'rope.scaling.yarn_log_multiplier') ?? 0;
  if (stored === 0) return {};
  // The converter of models with latent attention writes 0.1 · mscale_all_dim.
  if (architecture?.scalesSoftmax) return { mscale: stored / 0.1, mscaleAllDim: stored / 0.1 };
  return { mscale: 1, mscaleAllDim: stored, scalesSoftmax: false };
}

function scalingOf(rotation: GgufRotation): RotaryScaling {
  const factor = stretchOf(rotation);
  const type = scalingType(rotation);
  if (factor === 1 || type === 'none') return { type: 'none' };
  if (type !== 'yarn' || factor < 1) return { type: 'linear', factor };
  const contextLength = numberAt(rotation, 'context_length', 1);
  const original = numberAt(rotation, 'rope.scaling.original_context_length', 1) ?? contextLength;
  return {
    type: 'yarn',
    factor,
    originalLength: original ?? 2048,
    betaFast: numberAt(rotation, 'rope.scaling.yarn_beta_fast') ?? 32,
    betaSlow: numberAt(rotation, 'rope.scaling.yarn_beta_slow') ?? 1,
    ...temperatureOf(rotation),
  };
}

function widthOf(rotation: GgufRotation, isLocal: boolean): number {
  const { architecture, file, name } = rotation;
  const heads = numberAt(rotation, 'attention.head_count', 1);
  const hidden = numberAt(rotation, 'embedding_length', 1);
  const full =
    numberAt(rotation, 'rope.dimension_count', 1, 2 ** 15) ??
    numberAt(rotation, 'attention.key_length', 1, 2 ** 15) ??
    (heads && hidden && Math.floor(hidden / heads));
  const width =
    (isLocal ? numberAt(rotation, 'rope.dimension_count_swa', 1, 2 ** 15) : undefined) ??
    (full && architecture?.halvesWidth && !isLocal ? Math.floor(full / 2) : full);
  if (width && width % 2 === 0 && width <= 2 ** 15) return width;
  const place = `${file.source.name}: ${name}.rope.dimension_count`;
  throw wrongValue(place, 'must give an even number of rotated channels', width);
}

/** The key that has the base of a kind of layers. */
export function baseKey({ architecture }: GgufRotation, isLocal: boolean): string {
  const local = architecture?.local;
  if (local?.fullBase) return isLocal ? 'rope.freq_base' : local.fullBase;
  return isLocal && local ? 'rope.freq_base_swa' : 'rope.freq_base';
}

export const defaultBase = 10000;

function baseOf(rotation: GgufRotation, isLocal: boolean): number {
  const global = numberAt(rotation, 'rope.freq_base', 1e-3) ?? defaultBase;
  const local = rotation.architecture?.local;
  const own = numberAt(rotation, baseKey(rotation, isLocal), 1e-3);
  return own ?? (isLocal ? (local?.base ?? global) : global);
}

/** The architecture's sliding layers; one that is not known is judged by its keys. */
const localOf = (rotation: GgufRotation) =>
  rotation.architecture?.local ??
  (!rotation.architecture && keyOf(rotation, 'rope.freq_base_swa') !== undefined ? {} : localLike);

/** What the file makes of a kind of layers. */
export function ggufRecipe(rw: Functions, rotation: GgufRotation, isLocal: boolean): Recipe {
  const width = widthOf(rotation, isLocal);
  const base = baseOf(rotation, isLocal);
  if (isLocal && !localOf(rotation).isScaled)
    return { width, base, scaling: { type: 'none' }, attention: 1, softmax: 1 };
  const scaling = scalingOf(rotation);
  const { divisors } = rotation;
  const hasDivisors = lengths.some((length) => divisors[length]);
  const made = rw.rotaryFrequencies({ dim: width, base, scaling });
  const stated = numberAt(rotation, 'rope.scaling.attn_factor') ?? 1;
  return {
    width,
    base,
    scaling,
    ...(hasDivisors && { divisors }),
    attention: stated * made.attentionFactor,
    softmax: made.softmaxScale,
  };
}
