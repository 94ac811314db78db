/** Tests that take long and rarely fail, beside those of the same subject that run each time. */
import { test } from 'node:test';

/** Whether they run: always, but for `npm test` without the sweeps. */
export const isSwept = process.env.ROPEWALK_SWEEPS !== 'no';

/** Declares a test that runs with the sweeps. */
export const sweep = isSwept ? test : () => {};

/**
 * The first ones of cases that all hold the same, as representatives; every case with the sweeps.
 * @template Case
 * @param {Case[]} cases
 */
export const few = (cases, count = 1) => (isSwept ? cases : cases.slice(0, count));
