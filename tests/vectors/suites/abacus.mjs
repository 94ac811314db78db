// Suite abacus: the place inside a run of digits, and the rows that are added to embeddings.
import { asTensor } from '../adapting.mjs';

export default function abacus(rw, { attrs, inputs }) {
  const { digits, offset } = attrs;
  const [, length] = inputs.input_ids.shape;
  const positions = rw.abacusPositions(Array.from(inputs.input_ids.num, Number), {
    digits,
    length,
    offset,
  });
  return {
    position_ids: positions,
    ...(inputs.table && { rows: rw.learnedRows(asTensor(inputs.table), { positions }).data }),
  };
}
