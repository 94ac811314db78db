/** Compares lines of results with their plan: present, missing and repeated entries. */
import type { PlanEntry } from '../training/plan.js';
import type { RunResult } from '../training/run.js';
import { described } from '../runtime/errors.js';

/** A text with results, a line of JSON each. */
export interface ResultFile {
  path: string;
  text: string;
}

export interface Merged {
  /** In the order of the plan, without those that are missing. */
  results: RunResult[];
  missing: PlanEntry[];
  /** Entries with more than one line, and the files of these. */
  twice: { entry: PlanEntry; paths: string[] }[];
}

export const titleOf = ({ index, variant, trainer }: PlanEntry): string =>
  `${index} (${variant}, seed ${trainer.seed})`;

function resultOf(place: string, line: string, entries: readonly PlanEntry[]): RunResult {
  let result: RunResult;
  try {
    result = JSON.parse(line) as RunResult;
  } catch {
    throw new Error(`${place} must be a result in JSON, got ${described(line)}`);
  }
  const entry = entries[result?.index ?? -1];
  if (!entry)
    throw new Error(
      `${place}: index must be from 0 to ${entries.length - 1} in this plan, got ${described(result?.index)}`,
    );
  const { plan, variant, seed } = result;
  if (plan === entry.plan && variant === entry.variant && seed === entry.trainer.seed)
    return result;
  throw new Error(
    `${place} must be entry ${titleOf(entry)} of ${entry.plan}, got (${variant}, seed ${seed}) of ${plan}`,
  );
}

/**
 * Joins results. The first line of a repeated entry counts.
 * @throws Error on a line that is not a result of the plan, naming the file and the line
 */
export function merged(entries: readonly PlanEntry[], files: readonly ResultFile[]): Merged {
  const found = entries.map(() => [] as { result: RunResult; path: string }[]);
  for (const { path, text } of files)
    for (const [i, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue;
      const result = resultOf(`${path}:${i + 1}`, line, entries);
      found[result.index!]!.push({ result, path });
    }
  return {
    results: found.flatMap(([first]) => (first ? [first.result] : [])),
    missing: entries.filter((_, i) => found[i]!.length === 0),
    twice: entries.flatMap((entry, i) =>
      found[i]!.length > 1 ? [{ entry, paths: found[i]!.map(({ path }) => path) }] : [],
    ),
  };
}

/** What is wrong with merged results, if anything. */
export function complaintOf({ missing, twice }: Merged, count: number): string | undefined {
  const parts = [
    ...(missing.length > 0
      ? [
          `${missing.length} of ${count} entries must still be run: ${missing.map(titleOf).join(', ')}`,
        ]
      : []),
    ...twice.map(
      ({ entry, paths }) =>
        `entry ${titleOf(entry)} must be there once, got ${paths.join(' and ')}`,
    ),
  ];
  return parts.length > 0 ? parts.join('; ') : undefined;
}
