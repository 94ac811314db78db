/** The definition of a fault: candidates that change a model, and sentences about it. */
import type { Functions } from '../ropewalk.js';
import type { Evidence } from './evidence.js';
import type { Config } from './layers.js';
import type { Model, Recipe, RotaryModel, ScoreModel } from './model.js';
import type { RotaryEvidence } from './rotary_evidence.js';
import type { LayerDump } from './dump.js';

/** A part of a model; two faults together change different parts. */
export type Part =
  | 'base'
  | 'width'
  | 'channels'
  | 'times'
  | 'cache'
  | 'draft'
  | 'output'
  | 'scaling'
  | 'temperature'
  | 'layout'
  | 'direction'
  | 'positions'
  | 'formats'
  | 'sections'
  | 'plan'
  | 'permutation'
  | 'bias'
  | 'scale'
  | 'heads'
  | 'mask'
  | 'softcap'
  | 'window';

/** A dump under one reading of its layers. */
export interface World {
  rw: Functions;
  config: Config;
  dumps: LayerDump[];
  evidence: Evidence[];
  rotary: RotaryEvidence[];
  /** The largest position and one, where the dump says. */
  length: number | undefined;
  /** Whether compared scores are read as divided by √dim; undefined: there is one reading. */
  isDivided: boolean | undefined;
}

/** A fault with its parameters, as a change of the model. */
export interface Candidate {
  id: string;
  part: Part;
  /** In the names of configurations, for people and programs. */
  parameters: Record<string, unknown>;
  /** How unlikely it is: about 1 for a frequent fault, 2 and more for unusual parameters. */
  cost: number;
  /** No array of the dump would differ, so it is named only beside data that are right. */
  isUnseen?: true;
  /** The changed model; undefined where the fault cannot be. */
  apply(model: Model): Model | undefined;
}

/** One fault that can be found. */
export interface Fault {
  /** Its id in the output of --json. */
  id: string;
  part: Part;
  /** Candidates for a dump. `change` is another fault that is assumed as well. */
  candidates(world: World, change: (model: Model) => Model | undefined): Candidate[];
  /** What the dump does, with the parameters. */
  says(parameters: Record<string, any>): string;
  /** What to change, in the terms of the common runtimes. */
  fix: string;
}

/** A candidate without the id and part of its fault. */
export type Variant = Omit<Candidate, 'id' | 'part'>;

interface FaultRule {
  id: string;
  part: Part;
  variants(
    world: World,
    change: (model: Model) => Model | undefined,
  ): (Variant | undefined | false)[];
  says(parameters: Record<string, any>): string;
  fix: string;
}

/** One entry of the table of faults. Each model is changed once, so that it is one object. */
export function fault({ id, part, variants, says, fix }: FaultRule): Fault {
  return {
    id,
    part,
    says,
    fix,
    candidates: (world, change) =>
      variants(world, change)
        .filter((variant): variant is Variant => Boolean(variant))
        .map((variant) => ({ ...variant, id, part, apply: remembered(variant.apply) })),
  };
}

function remembered(apply: Candidate['apply']): Candidate['apply'] {
  const known = new WeakMap<Model, { made: Model | undefined }>();
  return (model) => {
    const found = known.get(model) ?? { made: apply(model) };
    known.set(model, found);
    return found.made;
  };
}

/** Changes the rotary part; undefined where there is none or the change has no effect. */
export const ofRotary =
  (change: (rotary: RotaryModel, model: Model) => Partial<RotaryModel> | undefined) =>
  (model: Model): Model | undefined => {
    const own = model.rotary && change(model.rotary, model);
    return own && { ...model, rotary: { ...model.rotary!, ...own } };
  };

export const ofRecipe = (change: (recipe: Recipe, rotary: RotaryModel) => Recipe | undefined) =>
  ofRotary((rotary) => {
    const recipe = change(rotary.recipe, rotary);
    return recipe && { recipe };
  });

export const ofScores =
  (change: (scores: ScoreModel, model: Model) => Partial<ScoreModel> | undefined) =>
  (model: Model): Model | undefined => {
    const own = change(model.scores, model);
    return own && { ...model, scores: { ...model.scores, ...own } };
  };

/** The models of a world, each once. */
export const modelsOf = ({ evidence }: World) => [
  ...new Set(evidence.map(({ nominal }) => nominal)),
];

/** The first rotary model, which stands for all in the choice of parameters. */
export const rotaryOf = (world: World): RotaryModel | undefined =>
  modelsOf(world).find(({ rotary }) => rotary)?.rotary;
