/** What every environment has to compute, in double, and what is wrong with an answer. */
import * as reference from '../support/reference.mjs';
import { tensor } from './fixtures/answer.js';

/** As the package's own tests allow for single precision at these magnitudes. */
const tolerance = 2e-6;

function expected() {
  const heads = [1, 2, 3].map((seed) => {
    const rows = reference.rowsOf([...tensor(seed).data], 4);
    return [rows.slice(0, 5), rows.slice(5)];
  });
  const [q, k, v] = heads;
  const positions = [0, 1, 2, 3, 4];
  const turned = q.map((rows) => reference.rotate(rows, positions, 'half-split'));
  const sees = reference.causalMask('bottom-right', 5, 5);
  const outputs = reference.alibiSlopes(2).map((slope, head) => {
    const bias = reference.alibiBias(slope, 5, 5);
    return reference.attention(q[head], k[head], v[head], { bias, sees }).output;
  });
  return [reference.sinusoidal([0, 1, 2], 4), turned, outputs].flat(3);
}

const wanted = expected();

/** What is wrong, in words, or nothing. `binary` is the one that has to run, if any. */
export function complaint(answer, binary) {
  if (!answer) return 'no answer';
  if (answer.error) return answer.error;
  if (binary === undefined) return undefined;
  if (answer.simd !== binary) return `${answer.simd} ran in place of ${binary}`;
  const off = reference.largestDifference(wanted, answer.numbers);
  return off <= tolerance ? undefined : `its numbers are off by ${off.toPrecision(2)}`;
}
