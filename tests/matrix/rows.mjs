/** What an environment answers beside what it has to: a row of the table for each entry. */
import { seconds } from '../../tools/setup/steps.mjs';
import { complaint } from './checks.mjs';

/** An environment that is missing or breaks fails with each of its entries, and says why. */
export async function rowsOf({ name, way, expects }, place) {
  const start = performance.now();
  const found = await way(place).catch(({ message }) => ({ reason: message }));
  const time = seconds(start);
  return Object.entries(expects).map(([entry, binary]) => {
    const answer = found.answers?.[entry];
    const wrong = found.reason ?? complaint(answer, binary);
    return { name, version: found.version, entry, binary: answer?.simd, time, wrong };
  });
}
