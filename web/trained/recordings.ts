/** Results of `npm run experiments`; each file is loaded when a figure shows it. */
import type { RunDescription, RunResult, RunScores } from '../worker/training.ts';

/** A file of `recorded/`: a plan and its results. */
export interface Recorded {
  plan: Plan;
  /** Version of the package that trained. */
  version: string;
  seeds: number[];
  results: RecordedRun[];
}

/** A run, or what was recorded of it. */
export interface RecordedRun extends Omit<RunResult, 'evaluations'> {
  evaluations: Record<string, RecordedScores[]>;
}

export interface RecordedScores extends Omit<RunScores, 'groups'> {
  groups?: Pick<RunScores, 'loss' | 'accuracy'>[];
  /** The mean loss at places. */
  places?: [place: number, loss: number][];
}

/** One training for each variant and seed. */
export interface Plan {
  name: string;
  trainer: RunDescription['trainer'];
  steps: number;
  curve: number;
  evaluations: NonNullable<RunDescription['evaluations']>;
  variants: Record<string, Partial<RunDescription['trainer']>>;
}

const files = import.meta.glob<{ default: unknown }>('./recorded/*.json');

/** What a file of `recorded/` holds. */
export async function recorded<Content>(name: string): Promise<Content> {
  const load = files[`./recorded/${name}.json`];
  if (!load) throw new Error(`nothing was recorded of ${name}`);
  return (await load()).default as Content;
}

/** The results of a plan. */
export const recording = (plan: string) => recorded<Recorded>(plan);
