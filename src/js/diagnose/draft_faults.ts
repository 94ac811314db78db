/** Faults of a draft head (MTP, EAGLE) beside a main model that is right. */
import { fault, ofRecipe, type Candidate, type Fault, type World } from './fault.js';
import { frequencyFaults } from './frequency_faults.js';
import { positionFaults } from './position_faults.js';
import { widthFaults } from './width_faults.js';

/** What may be wrong with a draft head by itself. */
const inner: readonly Fault[] = [...frequencyFaults, ...positionFaults, ...widthFaults];

export const innerFault = (id: string): Fault | undefined => inner.find((each) => each.id === id);

/** The arrays of the draft head alone. */
function draftWorld(world: World): World {
  const isDraft = <Own extends { nominal: { isDraft?: true } }>({ nominal }: Own) =>
    nominal.isDraft === true;
  return {
    ...world,
    dumps: world.dumps.filter((dump) => dump.isDraft),
    evidence: world.evidence.filter(isDraft),
    rotary: world.rotary.filter(isDraft),
  };
}

const unscaled = { type: 'none' } as const;

/** The rotation that a head has whose settings were not passed on. */
const defaults = [10000, 500000, 1000000].map((base, i): Candidate => ({
  id: 'scaling_missing',
  part: 'base',
  parameters: { base, type: 'default' },
  cost: 1.05 + 0.05 * i,
  apply: ofRecipe((recipe) =>
    recipe.base !== base && recipe.scaling.type !== 'none'
      ? { ...recipe, base, scaling: unscaled }
      : undefined,
  ),
}));

export const draftFault = fault({
  id: 'draft_positions_or_table',
  part: 'draft',
  variants(world, change) {
    const own = draftWorld(world);
    if (own.evidence.length === 0) return [];
    const all = [...inner.flatMap((each) => each.candidates(own, change)), ...defaults];
    return all.map(({ id, parameters, cost, apply }) => ({
      parameters: { draft: { fault: id, ...parameters } },
      cost: cost - 0.1,
      apply: (model) => (model.isDraft ? apply(model) : undefined),
    }));
  },
  says: ({ draft }) =>
    `The draft head differs from the main model. ${innerFault(draft.fault)!.says(draft)}`,
  fix: 'Give the draft head the positions and the rope parameters of the main model: --hf-overrides for both models (vLLM), --speculative-draft-model-path with the same rope settings (SGLang), config.json of the draft (Hugging Face), --rope-scaling and --rope-freq-base of the draft (llama.cpp).',
});
