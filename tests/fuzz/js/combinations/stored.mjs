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

/** Adds the errors of stored keys and values to a call. */
export function storedErrors(call, { k, v }) {
  const { dim, valueDim } = call;
  if (k && k !== 'float32') {
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
