/** Loads what was recorded; each file only when a figure shows it. */
import type { Recorded } from './recorded.ts';

const files = import.meta.glob<{ default: Recorded }>('./recorded/*.json');

/** The results of a plan. */
export async function recording(plan: string): Promise<Recorded> {
  const load = files[`./recorded/${plan}.json`];
  if (!load) throw new Error(`nothing was recorded of the plan ${plan}`);
  return (await load()).default;
}
