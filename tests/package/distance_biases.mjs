/** The biases by distance that the package has: draws of their options, and calls of their functions. */
import { drawnPosition } from '../fuzz/js/combinations/drawers.mjs';
import { inside } from './installed.mjs';

const { positionSchemas } = await inside('attention/position');
export const { distanceTypes, schemes } = await inside('bias/distance');

/** T5's function has a longer name than its type, which is that of a model too. */
export const biasFunction = (type) => (type === 't5' ? 't5Bias' : type);

/** Whether a required option, a list or a tensor, has an axis of heads and so gives their number. */
export const impliesHeads = (type) =>
  Object.values(positionSchemas[type]).some(
    ({ isRequired, rule }) => isRequired && rule?.axes?.includes('heads'),
  );

/**
 * Draws attention's `position` of the type.
 * @param {number} [rare] of this many optional ones, one is given
 */
export const drawnBias = (draws, type, heads, rare) =>
  drawnPosition(draws, { positions: positionSchemas }, type, { heads }, rare);

/** Returns the tensor of attention's `position`, from the function of its type. */
export function fullBias(rw, { type, ...options }, { heads, queries, keys }) {
  const size = impliesHeads(type) ? { queries, keys } : { heads, queries, keys };
  return rw[biasFunction(type)]({ ...options, ...size });
}
