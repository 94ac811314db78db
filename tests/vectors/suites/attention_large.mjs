// Suite attention_large: the pattern is in attrs only, and only some rows are compared.
import { asTensor } from '../adapting.mjs';
import { attentionOptions } from './attention.mjs';

export default function (rw, c) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(c.inputs[name]));
  const options = attentionOptions(c);
  if (c.attrs.kv_len != null) options.keyLengths = Array(c.attrs.B).fill(c.attrs.kv_len);
  const { output, logSumExp } = rw.attention(q, k, v, options);
  const { Nq, Dv, B, Hq } = c.attrs;
  const out_rows = [],
    lse_rows = [];
  for (let head = 0; head < B * Hq; head++) {
    for (const row of c.inputs.rows.num) {
      out_rows.push(...output.data.subarray((head * Nq + row) * Dv, (head * Nq + row + 1) * Dv));
      lse_rows.push(logSumExp.data[head * Nq + row]);
    }
  }
  return { out_rows, lse_rows };
}
