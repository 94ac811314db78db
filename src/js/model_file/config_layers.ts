/** The rotation of each kind of layers, as a configuration says it. */
import { layerPlanFromConfig } from '../config/layers.js';
import { positionFromConfig, type PositionScheme } from '../config/position.js';
import type { Functions } from '../ropewalk.js';
import { wrongValue } from '../runtime/errors.js';
import type { Recipe } from './rotation.js';

type RotaryScheme = Extract<PositionScheme, { type: 'rotary' }>;

/** Layers that rotate alike. */
export interface ConfigLayers {
  /** As layer_types names it. Absent: the layers do not differ. */
  kind?: string;
  /** Whether their attention has a window. */
  isLocal: boolean;
  scheme: RotaryScheme;
  recipe: Recipe;
}

const localKinds = ['sliding_attention', 'hybrid_sliding', 'chunked_attention'];

/** The kinds of layers that rotate; none where the configuration has no plan of layers. */
function rotatingKinds(config: string | object): string[] {
  try {
    const { layers } = layerPlanFromConfig(config);
    return [...new Set(layers.filter(({ rotates }) => rotates).map(({ kind }) => kind))];
  } catch {
    return [];
  }
}

/** The recipe of a scheme, for every length of text. */
function recipeOf({ scaling, ...scheme }: RotaryScheme, width: number): Recipe {
  const { base } = scheme;
  // Frequencies that follow the length of the text have those of training in a file.
  if (scaling.type === 'dynamic-ntk') return { width, base, scaling: { type: 'none' } };
  if (scaling.type !== 'longrope') return { width, base, scaling };
  const long = { ...scaling, length: scaling.originalLength + 1 };
  return { width, base, scaling: { ...scaling, length: 1 }, longScaling: long };
}

function layersOf(rw: Functions, config: string | object, kind: string | undefined): ConfigLayers {
  const choices = kind === undefined ? {} : { layerType: kind };
  const { scheme } = positionFromConfig(rw, config, choices);
  if (scheme.type !== 'rotary') {
    const rule = 'must describe a rotary model';
    throw wrongValue('config', rule, scheme.type, `scheme '${scheme.type}'`);
  }
  return {
    ...(kind !== undefined && { kind }),
    isLocal: kind !== undefined && localKinds.includes(kind),
    scheme,
    recipe: recipeOf(scheme, scheme.frequencies.dim),
  };
}

/**
 * Every rotation that a model has, each once, that of the full layers first.
 * @throws RangeError when the model does not rotate
 */
export function configLayers(rw: Functions, config: string | object): ConfigLayers[] {
  const kinds = rotatingKinds(config);
  if (kinds.length === 0) return [layersOf(rw, config, undefined)];
  const all = kinds.map((kind) => layersOf(rw, config, kind));
  const once = new Map(all.map((one) => [JSON.stringify([one.isLocal, one.recipe]), one]));
  return [...once.values()].toSorted((a, b) => Number(a.isLocal) - Number(b.isLocal));
}
