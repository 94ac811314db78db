/** How to correct a GGUF file, or its use: keys and flags of llama.cpp. */
import type { ComparedLayers } from './conversion_faults.js';
import { baseKey, divisorsName, keyOf, type GgufRotation } from './gguf_rotation.js';
import type { Correction } from './verdict.js';

/** A key with its right value, and the flag that sets it for one run. */
const override = (key: string, type: 'float' | 'int' | 'str', value: unknown): Correction => ({
  text: `${key} = ${String(value)}`,
  flags: `--override-kv ${key}=${type}:${String(value)}`,
});

function baseFix(rotation: GgufRotation, layers: ComparedLayers): Correction {
  const { isLocal, recipe } = layers;
  const { base } = recipe;
  const key = baseKey(rotation, isLocal);
  const full = `${rotation.name}.${key}`;
  if (key !== 'rope.freq_base') return override(full, 'float', base);
  return { text: `${full} = ${base}`, flags: `--rope-freq-base ${base}` };
}

/** The factor that the key must have beside what the runtime multiplies by itself. */
function attentionFix(rotation: GgufRotation, layers: ComparedLayers): Correction {
  const { name, architecture } = rotation;
  const { scaling } = layers.recipe;
  const isLatent = scaling.type === 'yarn' && architecture?.scalesSoftmax;
  if (isLatent && scaling.mscaleAllDim) {
    const share = Number((0.1 * scaling.mscaleAllDim).toPrecision(6));
    return override(`${name}.rope.scaling.yarn_log_multiplier`, 'float', share);
  }
  const stated = Number(keyOf(rotation, 'rope.scaling.attn_factor') ?? 1);
  const byRuntime = layers.observed.attention / stated;
  const value = Number((layers.expected.attention / byRuntime).toPrecision(7));
  return override(`${name}.rope.scaling.attn_factor`, 'float', value);
}

const again = (tensor: string): Correction => ({
  text: `Convert again with a converter that writes ${tensor}: no flag replaces a tensor.`,
});

function scalingFixes(rotation: GgufRotation, layers: ComparedLayers): Correction[] {
  const { name } = rotation;
  const { scaling } = layers.recipe;
  switch (scaling.type) {
    case 'none':
      return [override(`${name}.rope.scaling.type`, 'str', 'none')];
    case 'linear':
      return [
        {
          text: `${name}.rope.scaling.type = linear, ${name}.rope.scaling.factor = ${scaling.factor}`,
          flags: `--rope-scaling linear --rope-scale ${scaling.factor}`,
        },
      ];
    case 'yarn':
      return [
        {
          text: `${name}.rope.scaling.type = yarn, ${name}.rope.scaling.factor = ${scaling.factor}, ${name}.rope.scaling.original_context_length = ${scaling.originalLength}`,
          flags: `--rope-scaling yarn --rope-scale ${scaling.factor} --yarn-orig-ctx ${scaling.originalLength}`,
        },
      ];
    case 'longrope':
      return [again('rope_factors_long.weight and rope_factors_short.weight')];
    default:
      return [again(divisorsName)];
  }
}

function widthFix(
  { name }: GgufRotation,
  { isLocal, recipe, file, headDim }: ComparedLayers & { headDim: number },
) {
  const key = `${name}.rope.dimension_count${isLocal ? '_swa' : ''}`;
  return recipe.width === file.width ? [] : [override(key, 'int', Math.min(recipe.width, headDim))];
}

function fixesOf(
  id: string,
  rotation: GgufRotation,
  layers: readonly ComparedLayers[],
): Correction[] {
  const scaled = layers.find(({ recipe }) => recipe.scaling.type !== 'none') ?? layers[0]!;
  const wrongBases = layers.filter(({ recipe, file }) => recipe.base !== file.base);
  switch (id) {
    case 'wrong_base':
    case 'local_base_used_globally':
    case 'sliding_given_global_rope':
      return wrongBases.map((each) => baseFix(rotation, each));
    case 'rotary_width_wrong':
      return layers.flatMap((each) =>
        widthFix(rotation, { ...each, headDim: each.scheme.headDim }),
      );
    case 'attention_factor_missing':
    case 'attention_factor_twice':
    case 'attention_factor_on_wrong_side':
      return [attentionFix(rotation, scaled)];
    case 'mrope_sections_wrong': {
      const sections = [...(layers[0]!.scheme.sections?.pairs ?? []), 0];
      return [
        {
          text: `Convert again: ${rotation.name}.rope.dimension_sections = [${sections.join(', ')}]; no flag sets a list.`,
        },
      ];
    }
    case 'weights_not_permuted':
      return [{ text: 'Convert again with the reorder of attn_q and attn_k for adjacent pairs.' }];
    case 'weights_permuted_twice':
      return [{ text: 'Convert again without the further reorder of attn_q and attn_k.' }];
    default:
      return scalingFixes(rotation, scaled);
  }
}

/** Each correction once. */
export function fixes(
  ids: readonly string[],
  rotation: GgufRotation,
  layers: readonly ComparedLayers[],
): Correction[] {
  const all = ids.flatMap((id) => fixesOf(id, rotation, layers));
  return [...new Map(all.map((each) => [each.text, each])).values()];
}
