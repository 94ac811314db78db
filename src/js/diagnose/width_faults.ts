/** Faults of which channels are rotated, and of the width that the exponents count over. */
import { fault, ofRecipe, ofRotary, rotaryOf, type Fault, type World } from './fault.js';
import type { Recipe, RotaryModel } from './model.js';
import { frequenciesOf } from './tables.js';

const unscaled = { type: 'none' } as const;

/** How many channels of a recipe are rotated. */
const widthOf = ({ dim, rotaryFraction }: Recipe) => 2 * Math.floor((dim * rotaryFraction) / 2);

/** Another number of rotated channels; the exponents count over them. */
function rewidened(recipe: Recipe, width: number): Recipe | undefined {
  const { scaling, base } = recipe;
  if (width === widthOf(recipe) || width < 4 || scaling.type === 'longrope') return undefined;
  if (scaling.type === 'proportional')
    return width <= recipe.dim ? { ...recipe, rotaryFraction: width / recipe.dim } : undefined;
  return { dim: width, rotaryFraction: 1, base, scaling };
}

/** Widths that programs take in place of the right one, with the reason. */
function usualWidths({ config }: World, { headDim, recipe }: RotaryModel): [number, string][] {
  const own = widthOf(recipe);
  const [hidden, heads] = ['hidden_size', 'num_attention_heads'].map((name) => config[name]);
  const even = (width: number) => 2 * Math.floor(width / 2);
  const perHead =
    typeof hidden === 'number' && typeof heads === 'number' ? even(hidden / heads) : headDim;
  const all: [number, string][] = [
    [headDim, 'dropped'],
    [even((own * own) / headDim), 'twice'],
    [even(headDim / 2), 'default'],
    [perHead, 'default'],
  ];
  return all.filter(([width], i) => all.findIndex(([other]) => other === width) === i);
}

const wrongWidth = fault({
  id: 'rotary_width_wrong',
  part: 'width',
  variants(world) {
    const rotary = rotaryOf(world);
    if (!rotary) return [];
    const usual = usualWidths(world, rotary);
    const expected = widthOf(rotary.recipe);
    const every = Array.from({ length: rotary.headDim }, (_, i) => 2 * (i + 1));
    const others = every.filter((width) => !usual.some(([each]) => each === width));
    const rest = others.map((width): [number, string] => [width, 'other']);
    return [...usual, ...rest].map(([rotated, reason], i) => ({
      parameters: { rotary: rotated, reason, expected, of: rotary.headDim },
      cost: i < usual.length ? 1 + 0.01 * i : 1.6,
      apply: ofRecipe((recipe) => rewidened(recipe, rotated)),
    }));
  },
  says: ({ rotary, reason, expected, of }) =>
    `${rotary} of ${of} channels are rotated; the config says ${expected}` +
    `${reason === 'twice' ? ': partial_rotary_factor was applied twice' : reason === 'dropped' ? ': partial_rotary_factor was dropped' : ''}.`,
  fix: 'Compute r = int(head_dim * partial_rotary_factor) once, count the exponents over r, rotate q[..., :r] and k[..., :r], and pass the other channels on. Elsewhere r is rotary_dim (vLLM), rope.dimension_count (llama.cpp), dims of nn.RoPE (MLX), rotary_embedding_dim (ONNX).',
});

const wrongPart = fault({
  id: 'partial_dims_leading_vs_trailing',
  part: 'channels',
  variants: (world) => {
    const part = rotaryOf(world)?.part === 'trailing' ? 'leading' : 'trailing';
    return [
      {
        parameters: { part },
        cost: 1,
        apply: ofRotary(({ recipe, headDim, part: own }) => {
          const { inverseFrequencies } = frequenciesOf(world.rw, recipe);
          if (own === part || 2 * inverseFrequencies.length >= headDim) return undefined;
          return { part };
        }),
      },
    ];
  },
  says: ({ part }) =>
    part === 'leading'
      ? 'The first channels of each head are rotated; the model rotates the last ones.'
      : 'The last channels of each head are rotated; the model rotates the first ones.',
  fix: 'Rotate the last channels in DeepSeek (V2 to V4), the first ones in GPT-NeoX, Phi, StableLM and GLM: the order of the split of q and k before the rotation, in every runtime.',
});

const schemeFaults: Fault[] = [
  fault({
    id: 'dim_head_instead_of_rotary',
    part: 'width',
    variants: () => {
      type Change = (recipe: Recipe, headDim: number, width: number) => Recipe | undefined;
      const over = (change: Change) =>
        ofRecipe((recipe, { headDim }) => {
          const width = widthOf(recipe);
          if (recipe.scaling.type === 'proportional' || width >= headDim) return undefined;
          return change(recipe, headDim, width);
        });
      const parameters = { width: 'head' };
      return [
        {
          parameters,
          cost: 1,
          // LongRoPE has a list for the rotated width alone.
          apply: over((recipe, headDim, width) =>
            recipe.scaling.type === 'longrope'
              ? undefined
              : { ...recipe, dim: headDim, rotaryFraction: 1, first: width / 2 },
          ),
        },
        // The scaling still counts pairs over the rotated width.
        {
          parameters,
          cost: 1.02,
          apply: over((recipe, headDim, width) => ({
            ...recipe,
            dim: width,
            rotaryFraction: 1,
            exponentsOver: headDim,
          })),
        },
      ];
    },
    says: () => 'The exponents count over the head width instead of the rotated width.',
    fix: 'Divide the exponents by the rotated width: rotary_dim or head_dim · partial_rotary_factor (Hugging Face, vLLM), n_rot (llama.cpp), dims of nn.RoPE (MLX), rotary_embedding_dim (ONNX).',
  }),
  fault({
    id: 'dim_rotary_instead_of_head',
    part: 'width',
    variants: () => [
      {
        parameters: { width: 'rotary' },
        cost: 1,
        apply: ofRecipe((recipe) => {
          if (recipe.scaling.type !== 'proportional') return undefined;
          const width = 2 * Math.floor((recipe.dim * recipe.rotaryFraction) / 2);
          const { factor } = recipe.scaling;
          const scaling = factor ? ({ type: 'linear', factor } as const) : unscaled;
          const zeros = (recipe.dim - width) / 2;
          return { dim: width, rotaryFraction: 1, base: recipe.base, scaling, zeros };
        }),
      },
    ],
    says: () => 'The exponents count over the live channels instead of the head width.',
    fix: "Divide the exponents by head_dim, as rope_type 'proportional' does, and keep the zero tail.",
  }),
  fault({
    id: 'partial_vs_proportional',
    part: 'width',
    variants: () => [
      {
        parameters: { scheme: 'partial' },
        cost: 1,
        apply: ofRecipe((recipe) =>
          recipe.scaling.type === 'proportional' ? { ...recipe, scaling: unscaled } : undefined,
        ),
      },
      {
        parameters: { scheme: 'partial', width: 'head' },
        cost: 1.05,
        apply: ofRecipe((recipe) => {
          if (recipe.scaling.type !== 'proportional' || recipe.scaling.factor) return undefined;
          const first = Math.floor((recipe.dim * recipe.rotaryFraction) / 2);
          return { ...recipe, rotaryFraction: 1, scaling: unscaled, first };
        }),
      },
      {
        parameters: { scheme: 'proportional' },
        // With adjacent pairs the same numbers as the head width in the exponents.
        cost: 1.1,
        apply: ofRecipe((recipe, { headDim }) => {
          const share = (recipe.dim * recipe.rotaryFraction) / headDim;
          if (recipe.scaling.type !== 'none' || share >= 1) return undefined;
          const scaling = { type: 'proportional' } as const;
          return { dim: headDim, rotaryFraction: share, base: recipe.base, scaling };
        }),
      },
    ],
    says: ({ scheme, width }) =>
      width === 'head'
        ? 'The frequencies are those of proportional RoPE without its zero tail: the first channels are paired among themselves, not across the whole head.'
        : scheme === 'partial'
          ? 'The data are plain partial rotary (the first channels, exponents over them); the config has proportional RoPE (the whole head paired, exponents over the head, zero tail).'
          : 'The data are proportional RoPE (the whole head paired, exponents over the head, zero tail); the config has plain partial rotary.',
    fix: 'Use the rope_type of the config: proportional pairs (i, i + head_dim/2) and pads inv_freq with zeros; partial_rotary_factor alone rotates the first channels only.',
  }),
];

export const widthFaults: Fault[] = [...schemeFaults, wrongWidth, wrongPart];
