/** A plan: variants × seeds of one training, as data. Each entry of it is a run. */
import type { TrainerOptions } from './options.js';
import { within, type RunDescription } from './run.js';
import type { RunEvaluation } from './run_evaluation.js';
import { wrongKind, wrongValue, type ParameterError } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';

/** Runs that share most of their options, in the form of plan.json. */
export interface Plan {
  /** The name of the plan. */
  name: string;
  /** Options shared by all variants. */
  trainer: Omit<TrainerOptions, 'position' | 'seed'>;
  /** The variants by name; an option of a variant replaces the shared one as a whole. */
  variants: Record<string, Partial<Omit<TrainerOptions, 'seed'>>>;
  /** Seeds of the runs of each variant. */
  seeds: number[];
  /** Steps of each run. Default 1000. */
  steps?: number;
  /** Steps whose mean loss makes one point of the curve. Default 10. */
  curve?: number;
  /** Evaluations after training, by name. Default: none. */
  evaluations?: Record<string, RunEvaluation>;
}

/** One variant with one seed. */
export type PlanEntry = RunDescription &
  Required<Pick<RunDescription, 'plan' | 'index' | 'variant'>>;

const object = new option.Option<object>({
  kind: 'object',
  check(name, value) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    throw wrongKind(name, 'must be an object', value);
  },
});
const name = new option.Option<string>({
  kind: 'text',
  check(name, value) {
    if (typeof value === 'string' && value !== '') return value;
    throw wrongKind(name, 'must be a text', value);
  },
});

const planSchema = {
  name,
  trainer: object,
  variants: object,
  seeds: option.given('seeds'),
  steps: option.whole.default(1000),
  curve: option.whole.default(10),
  evaluations: object.default({}),
};

function seedsOf(seeds: unknown): number[] {
  if (!Array.isArray(seeds) || seeds.length === 0)
    throw wrongKind('seeds', 'must be a list of seeds', seeds);
  const list = seeds.map((seed, i) => option.wholeFrom(0).read(`seeds[${i}]`, seed));
  const twice = list.findIndex((seed, i) => list.indexOf(seed) < i);
  if (twice >= 0)
    throw wrongValue(
      `seeds[${twice}]`,
      'must differ from the others',
      list[twice],
      `${list[twice]} again`,
    );
  return list;
}

/** Options that belong in another part of the plan. */
function requireAbsent(place: string, part: object, own: string, other: string): void {
  if (Object.hasOwn(part, own))
    throw wrongKind(
      `${place}.${own}`,
      `must be left out: ${other}`,
      part[own as keyof typeof part],
      '',
    );
}

/**
 * Returns the runs of a plan: by variant, then by seed, in the order of the plan.
 * @param value the plan, as JSON.parse() returns it
 * @returns one description per run, with its index from 0
 * @throws TypeError, RangeError on a wrong plan, with the path of what is wrong. What depends on
 * the model is checked when an entry is run.
 * @see Slurm, Job Array Support; Kubernetes, Indexed Jobs: both give a task such an index
 */
export function planEntries(value: unknown): PlanEntry[] {
  const plan = read('plan', value as Plan, planSchema as unknown as Schema<Plan>);
  const { trainer, variants, steps, curve, evaluations } = plan as Required<Plan>;
  const seeds = seedsOf(plan.seeds);
  requireAbsent('trainer', trainer, 'seed', 'seeds has them');
  requireAbsent('trainer', trainer, 'position', 'variants have it');
  const named = Object.entries(variants);
  if (named.length === 0) throw wrongValue('variants', 'must have at least one', variants, 'none');
  for (const [variant, options] of named) {
    object.read(`variants.${variant}`, options);
    requireAbsent(`variants.${variant}`, options, 'seed', 'seeds has them');
  }
  return named.flatMap(([variant, options], v) =>
    seeds.map((seed, s) => ({
      plan: plan.name,
      index: v * seeds.length + s,
      variant,
      trainer: { ...trainer, ...options, seed } as TrainerOptions,
      steps,
      curve,
      evaluations,
    })),
  );
}

/** Runs the check of an entry. Errors about its trainer get the path of the option in the plan. */
export function withPlanPaths<Result>(plan: Plan, { variant }: PlanEntry, check: () => Result) {
  try {
    return check();
  } catch (error) {
    const { parameter = '' } = error as Partial<ParameterError>;
    if (parameter.startsWith('evaluations.')) throw error;
    const first = parameter.split(/\W/)[0]!;
    const isShared =
      !Object.hasOwn(plan.variants[variant]!, first) && Object.hasOwn(plan.trainer, first);
    throw within(isShared ? 'trainer' : `variants.${variant}`, error);
  }
}
