/** Laws of padding: what lies behind the real keys of a batch changes nothing. */
import { boundOf, difference } from '../compare.mjs';
import { at, drawnProblem, firstKeys, resultAt, sizesOf, without } from '../problem.mjs';
import { range } from '../tensors.mjs';

const masked = (name, value) =>
  (name === 'output' || name === 'weights' || name === 'entropy') && value === 0;

/** A row that sees no key, as `fullyMasked` has it. */
function unseen(result, isNan) {
  for (const name of ['output', 'entropy', 'weights']) {
    const wrong = result[name]?.data.find(
      (value) => !(masked(name, value) || (isNan && Number.isNaN(value))),
    );
    if (wrong !== undefined) return `${name} has ${wrong} in a batch without keys`;
  }
  return undefined;
}

/** Each batch of a padded result beside the call on its real keys alone. */
function eachBatch(problem, { attend, again }) {
  const result = attend(problem);
  const { batch, past } = sizesOf(problem);
  const { keyLengths, fullyMasked } = problem.settings;
  for (let b = 0; b < batch; b++) {
    const real = keyLengths[b];
    const own = resultAt(result, 'batch', [b]);
    if (real === 0) {
      const fault = unseen(own, fullyMasked === 'nan');
      if (fault) return `keyLengths[${b}] = 0: ${fault}`;
    }
    if (real <= past) continue; // No call has a past and no new key.
    const cut = firstKeys(without(at(problem, 'batch', [b]), 'keyLengths'), real);
    const expected = again(cut);
    const fault =
      expected && difference(resultAt(own, 'keys', range(0, real)), expected, boundOf(problem));
    if (fault) return `keyLengths[${b}] = ${real}: ${fault}`;
  }
  return undefined;
}

export const padding = {
  'a padded call is, for each batch, the call without its padding': ({
    draws,
    most,
    attend,
    again,
  }) => eachBatch(drawnProblem(draws, most, { always: ['keyLengths'] }), { attend, again }),

  'a cache with room for more keys is the cache without it': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most, {
      always: ['keyLengths'],
      never: ['past'],
      band: () => ({
        causal: 'bottom-right',
        ...(draws.chance(1, 3) && { window: { size: 1 + draws.below(9) } }),
      }),
    });
    return eachBatch(problem, { attend, again });
  },

  'values and keys of the padding are never read': ({ draws, most, attend, again }) => {
    const problem = drawnProblem(draws, most, { always: ['keyLengths'], never: ['past'] });
    const { batch, keyHeads, keys } = sizesOf(problem);
    const poisoned = { ...problem, k: structuredClone(problem.k), v: structuredClone(problem.v) };
    for (const { data, shape } of [poisoned.k, poisoned.v]) {
      for (let row = 0; row < batch * keyHeads * keys; row++) {
        const isReal =
          row % keys < problem.settings.keyLengths[Math.floor(row / (keyHeads * keys))];
        if (!isReal)
          data.fill(
            draws.pick([NaN, Infinity, -Infinity, 3e38]),
            row * shape[3],
            (row + 1) * shape[3],
          );
      }
    }
    // Scores are those of every key, the padding too.
    const { intermediates: wanted = [] } = problem.settings;
    const kept = wanted.filter((part) => !['scores', 'capped'].includes(part));
    const quiet = (one) => ({ ...one, settings: { ...one.settings, intermediates: kept } });
    return difference(again(quiet(poisoned)), attend(quiet(problem)));
  },
};
