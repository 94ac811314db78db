/** Faults of a conversion: changes of what a configuration says that explain what a file has. */
import type { Functions } from '../ropewalk.js';
import type { ConfigLayers } from './config_layers.js';
import { areAlike, distance, rotationOf, type Recipe, type Rotation } from './rotation.js';

/** A kind of layers, by the configuration and by the file. */
export interface ComparedLayers extends ConfigLayers {
  file: Recipe;
  expected: Rotation;
  observed: Rotation;
}

export interface Comparison {
  rw: Functions;
  layers: ComparedLayers[];
  tolerance: number;
  /** Whether sliding layers have a base of their own in the file's architecture. */
  hasLocal: boolean;
  /** The base of sliding layers where the file has no key for it. */
  isLocalBaseStated: boolean;
  isBaseStated: boolean;
  /** Whether the file has a factor on cos and sin of its own. */
  isAttentionStated: boolean;
}

/** Parts of a rotation; two faults together change different ones. */
type Part = 'base' | 'local base' | 'width' | 'scaling' | 'attention';

export interface Fault {
  id: string;
  part: Part;
  parameters: Record<string, unknown>;
  /** What the file does, as a sentence. */
  says: string;
  /** The changed recipe; undefined where the fault does not concern these layers. */
  change(recipe: Recipe, layers: ComparedLayers): Recipe | undefined;
}

const isScaled = ({ scaling }: Recipe) => scaling.type !== 'none';

/** Recipes with another base; divisors in the file may still be those of the right one. */
const rebased = (base: number): Fault['change'][] => [
  (recipe) => ({ ...recipe, base }),
  (recipe, layers) => ({ ...withDivisors(recipe, layers), base }),
];

function globalBaseFaults({ layers, hasLocal, isBaseStated }: Comparison): Fault[] {
  const global = layers.find(({ isLocal }) => !isLocal || !hasLocal);
  const local = hasLocal ? layers.find(({ isLocal }) => isLocal) : undefined;
  if (!global || global.file.base === global.recipe.base) return [];
  const { base } = global.file;
  const isLocalBase = isBaseStated && local?.recipe.base === base;
  const config = `the config says ${global.recipe.base}`;
  return rebased(base).map((change) => ({
    id: isLocalBase ? 'local_base_used_globally' : 'wrong_base',
    part: 'base',
    parameters: { base },
    says: isLocalBase
      ? `The full layers have the base of the sliding ones, ${base}; ${config}.`
      : `The base is ${base}; ${config}.`,
    change: (recipe, each) => (each.isLocal && hasLocal ? undefined : change(recipe, each)),
  }));
}

function localBaseFaults({ layers, hasLocal, isLocalBaseStated }: Comparison): Fault[] {
  const global = layers.find(({ isLocal }) => !isLocal);
  const local = hasLocal ? layers.find(({ isLocal }) => isLocal) : undefined;
  if (!local || local.file.base === local.recipe.base) return [];
  const { base } = local.file;
  const isGlobal = base === (global?.recipe.base ?? base) || !isLocalBaseStated;
  return [
    {
      id: isGlobal ? 'sliding_given_global_rope' : 'wrong_base',
      part: 'local base',
      parameters: { base, layers: 'sliding_attention' },
      says: `The sliding layers have the base ${base}; the config says ${local.recipe.base}.`,
      change: (recipe, { isLocal }) => (isLocal ? { ...recipe, base } : undefined),
    },
  ];
}

/** Divisors of each pair in place of a scaling, as tensors of a file have them. */
function withDivisors(recipe: Recipe, { expected }: ComparedLayers): Recipe {
  const { width, base, scaling, longScaling, ...rest } = recipe;
  const divisorsOf = (frequencies: Float64Array) =>
    frequencies.map((frequency, pair) => base ** ((-2 * pair) / expected.width) / frequency);
  const { short, long } = expected.frequencies;
  return {
    ...rest,
    width,
    base,
    scaling: { type: 'none' },
    divisors: { short: divisorsOf(short), long: divisorsOf(long) },
    attention: expected.attention,
    softmax: expected.softmax,
  };
}

function widthFaults({ layers }: Comparison): Fault[] {
  const wrong = layers.filter(({ file, recipe }) => file.width !== recipe.width);
  const [first] = wrong;
  if (!first) return [];
  const { width } = first.file;
  const says = `${width} channels of a head rotate; the config says ${first.recipe.width}.`;
  const fault = (change: Fault['change']): Fault => ({
    id: 'rotary_width_wrong',
    part: 'width',
    parameters: { rotary: width },
    says,
    change,
  });
  const isWrong = (each: ComparedLayers) => wrong.includes(each);
  return [
    fault((recipe, each) => (isWrong(each) ? { ...recipe, width: each.file.width } : undefined)),
    fault((recipe, each) =>
      isWrong(each) ? { ...withDivisors(recipe, each), width: each.file.width } : undefined,
    ),
  ];
}

const lost = { attention: 1, softmax: 1 };

function attentionFaults({ layers, isAttentionStated }: Comparison): Fault[] {
  const first = layers.find(({ expected, observed }) => !sameFactors(expected, observed));
  if (!first) return [];
  const { expected, observed } = first;
  const factors = (of: Rotation) =>
    of.softmax === 1 ? short(of.attention) : `${short(of.attention)} and ${short(of.softmax)}`;
  const says = `The attention factor is ${factors(observed)}; the config says ${factors(expected)}.`;
  const fault = (id: string, change: Fault['change']): Fault => ({
    id,
    part: 'attention',
    parameters: { attention_factor: observed.attention, softmax_scale: observed.softmax },
    says,
    change,
  });
  const isConcerned = (each: ComparedLayers) => !sameFactors(each.expected, each.observed);
  const own = (each: ComparedLayers) => ({
    attention: each.observed.attention,
    softmax: each.observed.softmax,
  });
  const onlyIf = (isTrue: boolean, fault: Fault) => (isTrue ? [fault] : []);
  return [
    ...onlyIf(
      !isAttentionStated || observed.attention * observed.softmax === 1,
      fault('attention_factor_missing', (recipe, each) =>
        isConcerned(each) ? { ...recipe, ...own(each) } : undefined,
      ),
    ),
    fault('attention_factor_twice', (recipe, each) =>
      isConcerned(each) ? { ...recipe, attention: each.expected.attention ** 2 } : undefined,
    ),
    fault('attention_factor_on_wrong_side', (recipe, each) =>
      isConcerned(each)
        ? { ...recipe, attention: each.expected.softmax ** 0.5, softmax: 1 }
        : undefined,
    ),
  ];
}

const short = (value: number) => String(Number(value.toPrecision(5)));

const sameFactors = (a: Rotation, b: Rotation) =>
  Math.abs(a.attention - b.attention) < 1e-4 && Math.abs(a.softmax - b.softmax) < 1e-4;

/** The scaling of the full layers, which a fault changes. */
const scalingPart = (
  id: string,
  parameters: Record<string, unknown>,
  says: string,
  change: (recipe: Recipe, layers: ComparedLayers) => Recipe,
): Fault => ({
  id,
  part: 'scaling',
  parameters,
  says,
  change: (recipe, layers) => (isScaled(recipe) ? change(recipe, layers) : undefined),
});

function lostFaults(): Fault[] {
  const says = 'The conversion lost the scaling: the config has one, the file has none.';
  const unscaled = ({ width, base }: Recipe): Recipe => ({
    width,
    base,
    scaling: { type: 'none' },
  });
  const parameters = { rope_type: 'default' };
  return [
    scalingPart('scaling_lost_in_conversion', parameters, says, (recipe) => ({
      ...unscaled(recipe),
      ...lost,
    })),
    // A list of divisors may be dropped where its factor on cos and sin is kept.
    scalingPart('scaling_lost_in_conversion', parameters, says, (recipe, { expected }) => ({
      ...unscaled(recipe),
      attention: expected.attention,
      softmax: expected.softmax,
    })),
  ];
}

/** Powers of two are the usual lengths; a length of the config may have been taken for another. */
function otherLengths({ scheme, file }: ComparedLayers): number[] {
  const { scaling } = file;
  const stated = 'originalLength' in scaling ? [scaling.originalLength] : [];
  const powers = Array.from({ length: 14 }, (_, i) => 2 ** (i + 8));
  return [...new Set([...stated, ...(scheme.maxLength ? [scheme.maxLength] : []), ...powers])];
}

function otherFactors({ file, observed, expected }: ComparedLayers): number[] {
  const { scaling } = file;
  if ('factor' in scaling && scaling.factor) return [scaling.factor];
  const { base, width } = file;
  const last = observed.frequencies.short.length - 1;
  const ratio = base ** ((-2 * last) / width) / observed.frequencies.short[last]!;
  if (observed.width !== expected.width || !Number.isFinite(ratio)) return [];
  return [ratio, Math.round(ratio), Math.round(2 * ratio) / 2];
}

function parameterFaults(layers: ComparedLayers): Fault[] {
  const { scaling } = layers.recipe;
  if (!('factor' in scaling) || scaling.type === 'longrope') return [];
  const factors = otherFactors(layers).map((factor) =>
    scalingPart(
      'scaling_wrong_factor',
      { factor },
      `The scaling factor is ${short(factor)}; the config says ${scaling.factor}.`,
      (recipe) => ({ ...recipe, scaling: { ...recipe.scaling, factor } as Recipe['scaling'] }),
    ),
  );
  if (!('originalLength' in scaling)) return factors;
  const originals = otherLengths(layers).map((originalLength) =>
    scalingPart(
      'wrong_original_length',
      { original_max_position_embeddings: originalLength },
      `The original length is ${originalLength}; the config says ${scaling.originalLength}.`,
      (recipe) => ({
        ...recipe,
        scaling: { ...recipe.scaling, originalLength } as Recipe['scaling'],
      }),
    ),
  );
  return [...factors, ...originals];
}

function repeatedFaults({ recipe: { scaling }, file }: ComparedLayers): Fault[] {
  const id = 'scaling_factor_applied_twice';
  const faults = [
    scalingPart(
      id,
      { times: 2 },
      'Frequencies are divided by the factor of each pair twice.',
      (recipe, { expected: { attention, softmax } }) => ({
        ...recipe,
        power: 2,
        attention,
        softmax,
      }),
    ),
    scalingPart(
      id,
      { times: 2, attention: 2 },
      'Frequencies are divided by the factor of each pair twice, and the attention factor is squared.',
      (recipe, { expected: { attention, softmax } }) => ({
        ...recipe,
        power: 2,
        attention: attention ** 2,
        softmax,
      }),
    ),
  ];
  const linear = 'factor' in file.scaling ? file.scaling.factor : undefined;
  if (linear === undefined || scaling.type === 'linear' || scaling.type === 'yarn') return faults;
  const says = `Beside the factors of the pairs, all positions are divided by ${linear}.`;
  const extra = scalingPart(id, { extra_linear: linear }, says, (recipe) => ({
    ...recipe,
    linear,
  }));
  return [...faults, extra];
}

/** Another type of scaling, or one where the config has none. */
function typeFaults({ file, recipe, observed }: ComparedLayers): Fault[] {
  const { scaling } = file;
  if (scaling.type === recipe.scaling.type || scaling.type === 'none') return [];
  const { attention, softmax } = observed;
  const factor = 'factor' in scaling ? scaling.factor : undefined;
  const says = `The scaling is ${scaling.type}${factor ? ` × ${factor}` : ''}; the config says ${recipe.scaling.type === 'none' ? 'none' : recipe.scaling.type}.`;
  const id = recipe.scaling.type === 'none' ? 'scaling_wrong_factor' : 'scaling_wrong_type';
  return [
    {
      id,
      part: 'scaling',
      parameters: { type: scaling.type, ...(factor && { factor }) },
      says,
      change: ({ width, base }, { isLocal }) =>
        isLocal && file.base !== base ? undefined : { width, base, scaling, attention, softmax },
    },
  ];
}

function listFaults({ recipe }: ComparedLayers): Fault[] {
  if (recipe.scaling.type !== 'longrope') return [];
  return [
    scalingPart(
      'longrope_short_beyond_boundary',
      { list: 'short' },
      'The list for long texts is that for short ones.',
      ({ longScaling: _, ...rest }) => rest,
    ),
  ];
}

/** All faults that could explain the file, the usual ones first. */
export function conversionFaults(comparison: Comparison): Fault[] {
  const scaled = comparison.layers.find(({ recipe }) => isScaled(recipe));
  const any = comparison.layers[0]!;
  return [
    ...globalBaseFaults(comparison),
    ...localBaseFaults(comparison),
    ...widthFaults(comparison),
    ...attentionFaults(comparison),
    ...(scaled ? [...lostFaults(), ...parameterFaults(scaled)] : []),
    ...(scaled ? [...repeatedFaults(scaled), ...listFaults(scaled)] : []),
    ...typeFaults(scaled ?? any),
  ];
}

function changed(faults: readonly Fault[], layers: ComparedLayers): Recipe | undefined {
  const concerned = faults.some((fault) => fault.change(layers.recipe, layers));
  if (!concerned) return undefined;
  return faults.reduce((recipe, fault) => fault.change(recipe, layers) ?? recipe, layers.recipe);
}

/** The largest difference that remains under some faults; infinite where they cannot be. */
function remainder({ rw, layers }: Comparison, faults: readonly Fault[]): number {
  try {
    const rest = layers.map((each) => {
      const recipe = changed(faults, each);
      return distance(recipe ? rotationOf(rw, recipe) : each.expected, each.observed);
    });
    return Math.max(...rest);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return Infinity;
    throw error;
  }
}

export interface Explanation {
  faults: Fault[];
  error: number;
}

/** Each explanation once: several changes of a rotation may be one fault. */
function distinct(explanations: Explanation[]): Explanation[] {
  const nameOf = ({ faults }: Explanation) =>
    JSON.stringify(faults.map(({ id, parameters }) => [id, parameters]));
  const first = new Map(explanations.toReversed().map((each) => [nameOf(each), each]));
  return explanations.filter((each) => first.get(nameOf(each)) === each);
}

/** The explanations that fit: single faults, or two together where no single one does. */
export function explanations(comparison: Comparison): Explanation[] {
  const { layers, tolerance } = comparison;
  const plain = layers.every(({ expected, observed }) => areAlike(expected, observed, tolerance));
  if (plain) return [{ faults: [], error: remainder(comparison, []) }];
  const faults = conversionFaults(comparison);
  const fitting = (sets: Fault[][]) =>
    distinct(
      sets
        .map((set) => ({ faults: set, error: remainder(comparison, set) }))
        .filter(({ error }) => error <= tolerance),
    );
  const single = fitting(faults.map((fault) => [fault]));
  if (single.length > 0) return single;
  const pairs = faults.flatMap((first, i) =>
    faults.slice(i + 1).flatMap((second) => (second.part === first.part ? [] : [[first, second]])),
  );
  return fitting(pairs);
}
