/** What keys and values in fewer bits are off by, from the contract of `resident`. */

/** The largest magnitude of a row of `width` values. */
function largestOf(list, at, width) {
  let most = 0;
  for (let c = 0; c < width; c++) most = Math.max(most, Math.abs(list[at + c]));
  return most;
}

const errorOf = {
  float16: (most) => (x) => 2 ** -11 * Math.abs(x) + 2 ** -39 * most,
  int8: (most) => () => most / 253,
};

/** The same of keys that are rotated before they are stored: no value exceeds its row's length. */
function rotatedErrors(call, dtype, times) {
  const { dim } = call;
  const lengthOf = (list, at) => {
    let sum = 0;
    for (let c = 0; c < dim; c++) sum += list[at + c] ** 2;
    return Math.sqrt(sum);
  };
  return (row, n, factor) => {
    const [query, key] = [lengthOf(call.q, row.q), lengthOf(call.k, row.k(n))];
    const most = Math.max(1, factor) * key;
    const sumOfQuery = Math.sqrt(dim) * Math.max(1, factor) * query;
    const ofQuery = dtype === 'int8' ? 2 ** -16 * query * Math.sqrt(dim) * most : 0;
    return times * sumOfQuery * errorOf[dtype](most)(most) + Math.max(1, factor) * ofQuery;
  };
}

/**
 * Adds the errors of stored keys and values to a call.
 * @param {any} call
 * @param {any} dtypes of k and v
 * @param {number} [times] how often rotated keys were rounded; 0: they are stored as they are scored
 */
export function storedErrors(call, { k, v }, times = 0) {
  const { dim, valueDim } = call;
  if (k && k !== 'float32' && times > 0) call.rotatedErrors = rotatedErrors(call, k, times);
  else if (k && k !== 'float32') {
    call.largestOfQuery = ({ q }) => largestOf(call.q, q, dim);
    call.keyErrors = (row, n) => {
      let sum = 0;
      for (let c = 0; c < dim; c++) sum += Math.abs(call.k[row.k(n) + c]);
      const each = errorOf[k](largestOf(call.k, row.k(n), dim));
      // int8 also rounds the query, by at most 2^-16 of its largest value.
      return { each, of_query: k === 'int8' ? 2 ** -16 * (sum + dim * each()) : 0 };
    };
  }
  if (v && v !== 'float32') {
    call.valueErrors = (row, n) => {
      const most = largestOf(call.v, row.v(n), valueDim);
      // int8 also rounds weights times scales, by at most 2^-16 of the largest of 32 rows.
      return { each: errorOf[v](most), of_weight: v === 'int8' ? 2 ** -11 * most : 0 };
    };
  }
  return call;
}
