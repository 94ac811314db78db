/** Faults of the rotation itself: pairs, direction, attention factor, formats, axes, layers. */
import type { RotaryFormats } from '../rotary/precision.js';
import type { RotaryLayout } from '../rotary/rotary.js';
import {
  fault,
  modelsOf,
  ofRecipe,
  ofRotary,
  rotaryOf,
  type Fault,
  type Variant,
  type World,
} from './fault.js';
import { plansOf } from './layers.js';
import {
  modelOf,
  type Model,
  type Recipe,
  type RotaryModel,
  type Sections,
  type Temperature,
} from './model.js';
import { llamaCppLayout } from './runtime.js';
import { frequenciesOf, temperatureOf } from './tables.js';

const other = (layout: RotaryLayout) => (layout === 'half-split' ? 'interleaved' : 'half-split');

/** q and k whose channels are permuted alike are right in themselves. */
function unseenPermutation({ dumps }: World): Variant[] {
  const roles = ['q', 'k', 'q_weight', 'k_weight'] as const;
  if (!dumps.some((dump) => roles.some((role) => dump.get(role)))) return [];
  const parameters = { permute: 1, unseen: true };
  return [{ parameters, cost: 1, isUnseen: true, apply: (model) => ({ ...model }) }];
}

/** Whether the pairs that are expected are those of llama.cpp, or the others would be. */
function runtimeParameters(world: World) {
  const { runtime, rotary } = modelsOf(world).find((model) => model.rotary) ?? {};
  const layout = llamaCppLayout(world.config);
  if (runtime === 'llama.cpp') return layout && { runtime };
  const isReordered = rotary?.layout === 'half-split' && layout === 'interleaved';
  return runtime === undefined && isReordered ? { right_in: 'llama.cpp' } : undefined;
}

const layoutFaults: Fault[] = [
  fault({
    id: 'layout_swapped',
    part: 'layout',
    variants: (world) => [
      {
        parameters: {
          layout: rotaryOf(world)?.layout === 'half-split' ? 'inter' : 'half',
          ...runtimeParameters(world),
        },
        cost: 1,
        apply: ofRotary(({ layout }) => ({
          layout: other(layout),
          outputLayout: other(layout),
        })),
      },
    ],
    says: ({ layout, runtime, right_in: other }) => {
      const whose = runtime ? `${runtime}, for this model,` : 'the model';
      return layout === 'inter'
        ? `Adjacent pairs (2i, 2i+1) are rotated; ${whose} pairs (i, i + r/2).` +
            (other
              ? ` This is right if the dump is from ${other}, which reorders the rows of q and k when it converts this model and then rotates adjacent pairs; otherwise the layout is swapped.`
              : '')
        : `Pairs (i, i + r/2) are rotated; ${whose} pairs adjacent channels (2i, 2i+1).`;
    },
    fix: 'Switch the layout: rotate_half against interleaved (Hugging Face), is_neox_style (vLLM), LLAMA_ROPE_TYPE_NEOX or NORM (llama.cpp), traditional of nn.RoPE (MLX), interleaved (ONNX); or permute the rows of q_proj and k_proj.',
  }),
  fault({
    id: 'weights_permuted_twice',
    part: 'permutation',
    variants(world) {
      if (!world.evidence.some(({ isReference }) => isReference)) return unseenPermutation(world);
      const sides = [
        { q: true, k: true },
        { q: true, k: false },
        { q: false, k: true },
      ];
      const parts = (['head', 'rotated'] as const).flatMap((of) =>
        (['interleaved', 'half-split'] as const).map((from) => ({ of, from })),
      );
      return parts.flatMap((part, i) =>
        sides.map((side, j): Variant => ({
          parameters: { permute: 1, applies_to: side.q ? (side.k ? 'q, k' : 'q') : 'k' },
          cost: 1 + 0.1 * i + 0.01 * j,
          apply: (model) => ({ ...model, permuted: { ...side, ...part } }),
        })),
      );
    },
    says: ({ unseen }) =>
      unseen
        ? 'Whether q and k are permuted once too often, only a reference shows.'
        : 'The channels of every head are those of the reference, permuted once more (evens, then odds).',
    fix: "Permute the rows of q_proj and k_proj once: Meta's checkpoints need it, those of Hugging Face have it, and convert_hf_to_gguf.py (llama.cpp) undoes it.",
  }),
];

const directionFaults: Fault[] = [
  fault({
    id: 'rotation_inverted',
    part: 'direction',
    variants: () => [
      {
        parameters: { sign: -1 },
        cost: 1,
        apply: ofRotary(({ inverted }) => ({ inverted: !inverted })),
      },
    ],
    says: () => 'Vectors are rotated by minus the angle.',
    fix: 'Correct the sign of sin, or of rotate_half: (a cos − b sin, a sin + b cos), in every runtime.',
  }),
  fault({
    id: 'sin_cos_swapped',
    part: 'direction',
    variants: () => [
      { parameters: { swap: true }, cost: 1, apply: ofRotary(() => ({ swapped: true })) },
    ],
    says: () => 'cos and sin are exchanged.',
    fix: 'Pass cos first: apply_rotary_pos_emb(q, k, cos, sin) (Hugging Face), cos_sin_cache is [cos, sin] (vLLM), cos_cache before sin_cache (ONNX).',
  }),
];

/** Where a factor acts that the model has. */
function temperature(id: string, kind: Temperature, text: string, fix: string): Fault {
  return fault({
    id,
    part: 'temperature',
    variants: (world) => {
      const rotary = rotaryOf(world);
      if (!rotary) return [];
      const own = temperatureOf(world.rw, rotary);
      if (own.cosSin === 1 && own.softmax === 1) return [];
      const power = own.cosSin === 1 ? 0.5 : 1;
      const factor = (own.cosSin === 1 ? own.softmax : own.cosSin) ** power;
      const to = temperatureOf(world.rw, { ...rotary, temperature: kind });
      return [
        {
          parameters: {
            attention_factor: factor,
            on_cos_sin: to.cosSin,
            on_softmax_scale: to.softmax,
          },
          cost: 1,
          apply: ofRotary(() => ({ temperature: kind })),
        },
      ];
    },
    says: ({ attention_factor: factor }) => `${text} (the factor is ${short(factor)}).`,
    fix,
  });
}

const short = (value: number) => Number(value.toPrecision(5));

const temperatureFaults = [
  temperature(
    'attention_factor_missing',
    'none',
    'The attention factor acts nowhere',
    'Multiply cos and sin by attention_factor (Hugging Face attention_scaling, vLLM mscale, --yarn-attn-factor of llama.cpp, mscale of MLX).',
  ),
  temperature(
    'attention_factor_twice',
    'twice',
    'cos and sin have the attention factor squared',
    'Apply the attention factor once: either to cos and sin or to q and k, not to both.',
  ),
  temperature(
    'attention_factor_on_wrong_side',
    'other-side',
    'The attention factor acts on the other side: softmax scale in place of cos and sin, or the reverse',
    'YaRN multiplies cos and sin by the factor; DeepSeek with mscale = mscale_all_dim multiplies the softmax scale by its square.',
  ),
];

/** The factor that YaRN has by itself, where the configuration gives another. */
const ignoredFactor = fault({
  id: 'attention_factor_ignored',
  part: 'temperature',
  variants: (world) => {
    const rotary = rotaryOf(world);
    const scaling = rotary?.recipe.scaling;
    if (!rotary || scaling?.type !== 'yarn') return [];
    const { attentionFactor, mscale, mscaleAllDim, ...rest } = scaling;
    const own = temperatureOf(world.rw, rotary);
    const recipe = { ...rotary.recipe, scaling: rest };
    const { cosSin } = temperatureOf(world.rw, { ...rotary, recipe });
    // On the softmax scale, this is the factor on the wrong side.
    if (own.softmax !== 1 || own.cosSin === cosSin) return [];
    return [
      {
        parameters: { attention_factor: own.cosSin, on_cos_sin: cosSin },
        cost: 1.02,
        apply: ofRecipe((each) => ({ ...each, scaling: rest })),
      },
    ];
  },
  says: ({ attention_factor: factor, on_cos_sin: used }) =>
    `cos and sin have YaRN's own factor ${short(used)}; the config says ${short(factor)}.`,
  fix: 'Read attention_factor of the config: it replaces 0.1 · ln(factor) + 1 (Hugging Face). Pass it on: mscale (vLLM, MLX), --yarn-attn-factor (llama.cpp), or cos_cache and sin_cache made with it (ONNX).',
});

const formatSays = {
  position: 'Positions were rounded',
  frequency: 'Frequencies (inv_freq) were rounded',
  angle: 'Position · frequency was rounded',
  table: 'cos and sin were rounded',
} as const;

function rounding(stage: keyof typeof formatSays, format: 'bf16' | 'f16', name: string): Fault {
  return fault({
    id: `rounded_${name}_${format}`,
    part: 'formats',
    variants: (world) => {
      const isNative = stage === 'table' && nativeFormat(world) === format;
      const formats: RotaryFormats = { [stage]: format };
      return [
        !isNative && {
          parameters: { [stage]: format },
          cost: format === 'bf16' ? 1 : 1.05,
          apply: ofRotary((rotary) => ({ formats: { ...rotary.formats, ...formats } })),
        },
      ];
    },
    says: () => `${formatSays[stage]} to ${format === 'bf16' ? 'bfloat16' : 'float16'}.`,
    fix: 'Compute positions, frequencies, angles, cos and sin in float32, and convert only the result: torch.autocast(enabled=False) (Hugging Face), a float32 cos_sin_cache (vLLM), float32 caches (ONNX).',
  });
}

const nativeFormat = ({ config }: World) => {
  const dtype = String(config['torch_dtype'] ?? config['dtype'] ?? 'float32');
  return dtype.endsWith('bfloat16') ? 'bf16' : dtype.endsWith('float16') ? 'f16' : 'f32';
};

const formatFaults = (['bf16', 'f16'] as const).flatMap((format) => [
  rounding('position', format, 'positions'),
  rounding('angle', format, 'angles'),
  rounding('table', format, 'table'),
  rounding('frequency', format, 'frequencies'),
]);

function permutations<Value>(list: readonly Value[]): Value[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((first, at) =>
    permutations(list.filter((_, i) => i !== at)).map((rest) => [first, ...rest]),
  );
}

/** Splits of `total` pairs over three axes, in multiples of a sixteenth. */
function splits(total: number): number[][] {
  const result: number[][] = [];
  const step = Math.max(1, Math.floor(total / 16));
  for (let a = step; a <= total - 2 * step; a += step)
    for (let b = step; a + b <= total - step; b += step) result.push([a, b, total - a - b]);
  return result;
}

/** Whether the positions of the axes differ anywhere, without which no section can be seen. */
function otherSections(own: Sections): [Sections, number][] {
  const total = own.pairs.reduce((sum, pairs) => sum + pairs, 0);
  const orders = permutations(own.axes);
  const ownSizes = permutations(own.pairs);
  const sizes = own.pairs.length === 3 ? [...ownSizes, ...splits(total)] : ownSizes;
  const all = sizes.flatMap((pairs, i) =>
    [own.interleaved, !own.interleaved].flatMap((interleaved, j) =>
      (i < ownSizes.length ? orders : orders.slice(0, 1)).map((axes, k): [Sections, number] => {
        const changes =
          Number(String(pairs) !== String(own.pairs)) +
          Number(interleaved !== own.interleaved) +
          Number(String(axes) !== String(own.axes));
        const isOdd = i >= ownSizes.length;
        return [{ pairs, interleaved, axes }, changes + (isOdd ? 0.5 : 0) + 0.001 * (j + k)];
      }),
    ),
  );
  const { axisOfPair } = own;
  const ordered = orders.map((axes, k): [Sections, number] => [{ ...own, axes }, 1 + 0.001 * k]);
  if (axisOfPair) all.push(...ordered);
  const seen = new Set([JSON.stringify(own)]);
  return all.filter(([sections]) => {
    const key = JSON.stringify(sections);
    return !seen.has(key) && seen.add(key);
  });
}

const sectionFault = fault({
  id: 'mrope_sections_wrong',
  part: 'sections',
  variants(world) {
    const own = rotaryOf(world)?.sections;
    if (!own) return [];
    return otherSections(own).map(([sections, changes]): Variant => ({
      parameters: {
        sections: sections.pairs,
        sections_interleaved: sections.interleaved,
        section_axes: sections.axes,
      },
      cost: 0.9 + 0.1 * changes,
      apply: ofRotary((rotary) => (rotary.sections ? { sections } : undefined)),
    }));
  },
  says: ({ sections, sections_interleaved: interleaved, section_axes: axes }) =>
    `The pairs follow the axes of the positions by sections ${sections.join(', ')}` +
    `${interleaved ? ', interleaved' : ', in blocks'}, axes in order ${axes.join(', ')}.`,
  fix: 'Use mrope_section of the config, in the order time, height, width, and mrope_interleaved as it says (Hugging Face, vLLM); rope_sections (llama.cpp).',
});

const planFaults: Fault[] = [
  fault({
    id: 'nope_layer_rotated',
    part: 'plan',
    variants: () => [
      {
        parameters: { rotate: true },
        cost: 1,
        apply: ofRotary(({ rotates }) => (rotates ? undefined : { rotates: true })),
      },
    ],
    says: () => 'q and k are rotated in a layer that has no rotary positions.',
    fix: 'Skip the rotation where no_rope_layers is 0 or the layer type has none (Hugging Face, vLLM: use_rope; llama.cpp: n_no_rope_layer_step).',
  }),
  otherLayers(
    'local_base_used_globally',
    'local',
    ({ base }) => `A global layer has the rotation of the sliding layers (base ${base}).`,
    "Choose by layer type: rope_theta for full attention, rope_local_base_freq (transformers 4) or rope_parameters['sliding_attention'] (transformers 5) for sliding layers.",
  ),
  otherLayers(
    'sliding_given_global_rope',
    'global',
    ({ base }) => `A sliding layer has the rotation of the global layers (base ${base}).`,
    "Choose by layer type: rope_local_base_freq, swa_rope_theta or rope_parameters['sliding_attention'] (main in DeepSeek V4) for sliding layers, in Hugging Face and vLLM; rope.freq_base_swa (llama.cpp).",
  ),
];

/** The rotation of layers of another kind: sliding ones for a global layer, or the reverse. */
function otherLayers(
  id: string,
  rope: 'local' | 'global',
  says: Fault['says'],
  fix: string,
): Fault {
  return fault({
    id,
    part: 'base',
    variants: (world) =>
      rotationsOf(world, rope).flatMap((other) => {
        const isMeant = ({ layerType }: Model) => isSliding(layerType) === (rope === 'global');
        const apply = (of: (own: Recipe) => Partial<RotaryModel>) =>
          ofRotary((own, model) => {
            if (!isMeant(model)) return undefined;
            const change = of(own.recipe);
            const differs = (recipe: Recipe) =>
              String(frequenciesOf(world.rw, recipe).inverseFrequencies);
            return differs(change.recipe!) === differs(own.recipe) ? undefined : change;
          });
        const { recipe, headDim } = other;
        // Then no one can tell it from a scaling that is missing.
        const isUnscaled = modelsOf(world).some(
          (model) =>
            isMeant(model) && model.rotary && isWithoutScaling(recipe, model.rotary.recipe),
        );
        // The whole rotation of those layers, or only their base over this layer's width.
        const parts = [
          () => ({ recipe, headDim }),
          ...(recipe.scaling.type === 'none'
            ? [
                ({ dim }: Recipe) => ({
                  recipe: { dim, rotaryFraction: 1, base: recipe.base, scaling: recipe.scaling },
                }),
              ]
            : []),
          (own: Recipe) => ({ recipe: { ...own, base: recipe.base } }),
        ];
        return parts.map((of) => ({
          parameters: { rope_of: rope, base: recipe.base },
          cost: isUnscaled ? 1 : 0.9,
          apply: apply(of),
        }));
      }),
    says,
    fix,
  });
}

/** Whether a recipe is another but for its scaling. */
const isWithoutScaling = (recipe: Recipe, scaled: Recipe) =>
  recipe.scaling.type === 'none' &&
  scaled.scaling.type !== 'none' &&
  recipe.base === scaled.base &&
  recipe.dim === scaled.dim &&
  recipe.rotaryFraction === scaled.rotaryFraction;

const isSliding = (layerType: string | undefined) => layerType === 'sliding_attention';

/** The rotations of all sliding layers, or of all others. */
function rotationsOf(
  { rw, config, dumps, length }: World,
  rope: 'local' | 'global',
): RotaryModel[] {
  const plans = plansOf(config, undefined).filter(
    ({ layerType, rotates }) =>
      layerType !== undefined && rotates && isSliding(layerType) === (rope === 'local'),
  );
  return plans.flatMap((plan) => {
    const { rotary } = modelOf(rw, config, plan, dumps[0]?.stack, length);
    return rotary ? [rotary] : [];
  });
}

export const rotationFaults: Fault[] = [
  ...layoutFaults,
  ...directionFaults,
  ...temperatureFaults,
  ignoredFactor,
  ...formatFaults,
  sectionFault,
  ...planFaults,
];
