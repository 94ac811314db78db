/** The trained models of the lab, and which of them shows a scheme. */
import type { LabRequest, LabResult } from '../../toy/forward.ts';
import type { SchemeName } from '../../toy/schemes.ts';
import { llama } from '../../trained/llama.ts';
import { checkpointOf } from '../../trained/models.ts';
import { recording, type Plan } from '../../trained/recordings.ts';
import { labOf } from '../../worker/training.ts';

/** Variants of the plan, and the scheme of the lab that is theirs. */
export const trainedSchemes = {
  rope: 'rope-half-split',
  sinusoidal: 'sinusoidal',
  alibi: 'alibi',
} as const satisfies Record<string, SchemeName>;

/** How many different tokens the models can tell apart. */
export const trainedSymbols = 32;

export type TrainedVariant = keyof typeof trainedSchemes;

const variants = Object.keys(trainedSchemes) as TrainedVariant[];

/** The model trained with the scheme; that of RoPE where there is none. */
export const variantOf = (scheme: SchemeName): TrainedVariant =>
  variants.find((variant) => trainedSchemes[variant] === scheme) ?? 'rope';

/**
 * Whether a scheme gives the maps of the training: RoPE's other layout does too, since the trained
 * layer reorders its weights for it.
 */
export const sameAsTrained = (variant: TrainedVariant, scheme: SchemeName): boolean =>
  scheme === trainedSchemes[variant] || (variant === 'rope' && scheme === 'rope-interleaved');

/** The Llama whose heads the lab shows, and the scheme of the lab that is its own. */
export const labLlama = { layers: 5, heads: 8, scheme: 'rope-interleaved' } as const;

/** Whose weights are shown. */
export type Trained = { plan: Plan; variant: TrainedVariant } | 'llama';

/** The scheme that belongs to weights; of several the one on show, if it is one of them. */
export function schemeFor(weights: 'trained' | 'llama', shown: SchemeName): SchemeName {
  if (weights === 'llama') return labLlama.scheme;
  const variant = variantOf(shown);
  return sameAsTrained(variant, shown) ? shown : trainedSchemes[variant];
}

/** The lab's result with the weights of the Llama, on the pieces that its tokenizer makes. */
export const runLlama = async (request: LabRequest): Promise<LabResult & { trained: Trained }> => ({
  ...(await llama.lab(request)),
  trained: 'llama',
});

/** The lab's result with the weights of a trained model. */
export async function runTrained(request: LabRequest): Promise<LabResult & { trained: Trained }> {
  const recorded = await recording('heads_repeats');
  const variant = variantOf(request.scheme);
  const model = await checkpointOf(recorded, variant);
  if (!model) throw new Error(`there is no model trained with ${variant}`);
  return { ...(await labOf(model, request)), trained: { plan: recorded.plan, variant } };
}
