/** The biases by distance, whichever the package has: options from their schemas, and their functions. */
import { drawnPosition } from '../fuzz/js/combinations/drawers.mjs';
import { inside } from './installed.mjs';

const { positionSchemas } = await inside('attention/position');
export const { distanceTypes, schemes } = await inside('bias/distance');

/** T5's function has a longer name than its type, which is that of a model too. */
export const biasFunction = (type) => (type === 't5' ? 't5Bias' : type);

/** The axes of an option, if it is a list or a tensor. */
export const axesOf = (type, name) => positionSchemas[type]?.[name]?.rule?.axes ?? [];

/** Whether the number of heads follows from what the options must have. */
export const impliesHeads = (type) =>
  Object.entries(positionSchemas[type]).some(
    ([name, { isRequired }]) => isRequired && axesOf(type, name).includes('heads'),
  );

/** @param {number} [rare] one in how many options is drawn that may be left out */
export const drawnBias = (draws, type, heads, rare) =>
  drawnPosition(draws, { positions: positionSchemas }, type, { heads }, rare);

/** The tensor that the function of the type returns for options of attention's `position`. */
export function fullBias(rw, { type, ...options }, { heads, queries, keys }) {
  const size = impliesHeads(type) ? { queries, keys } : { heads, queries, keys };
  return rw[biasFunction(type)]({ ...options, ...size });
}
