/**
 * Work that takes several calls of the package and would be slow or chatty across the border: every
 * function that a jobs file of a chapter exports, by its name.
 */
import type { Jobs } from './protocol.ts';

const files = import.meta.glob<Record<string, unknown>>('../chapters/*/*jobs.ts', { eager: true });

const found = Object.values(files).flatMap((file) => Object.entries(file));

/** The constants that those files export are for the page. */
export const jobs = Object.fromEntries(
  found.filter(([, exported]) => typeof exported === 'function'),
) as Jobs;
