import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Raised when the meaning of a folder in the cache changes, so that old and new never mix. */
const layout = 1;

/** What set-up downloads and makes: shared by all checkouts of one person, safe to delete. */
export const cache = path.join(
  process.env.ROPEWALK_CACHE
    ? path.resolve(process.env.ROPEWALK_CACHE)
    : path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'ropewalk'),
  `layout-${layout}`,
);

export const inRoot = (...parts) => path.join(root, ...parts);
export const inCache = (...parts) => path.join(cache, ...parts);

/** A short name for a path, for names that must not hold slashes. */
export const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);
