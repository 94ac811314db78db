/**
 * Work that takes several calls of the package and would be slow or chatty across the border: every
 * function that a jobs file of a chapter exports, by its name, and the reading of a config.json.
 */
import { modelPosition } from './model_position.ts';
import type { Jobs } from './protocol.ts';

const files = import.meta.glob<Record<string, unknown>>('../chapters/*/*jobs.ts', { eager: true });

const found = Object.values(files).flatMap((file) => Object.entries(file));

/** The constants that those files export are for the page. */
export const jobs = {
  ...Object.fromEntries(found.filter(([, exported]) => typeof exported === 'function')),
  modelPosition,
} as Jobs;
