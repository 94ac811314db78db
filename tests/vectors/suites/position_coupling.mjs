// Suite position_coupling: ids of the digits of a sum.
export default function positionCoupling(rw, { attrs, shapes }) {
  const { inputs: question, labels, start, total_length: total } = attrs;
  const [first, second] = question.split('+');
  const ids = rw.coupledPositions({
    digits: [first.length, second.length, labels.length],
    start,
    reversesOperands: attrs.reverse_input,
    reversesSum: attrs.reverse_output,
    coupling: attrs.vanilla ? 'none' : 'significance',
  });
  const padded = new Float64Array(total ?? shapes.position_ids[0]);
  padded.set(ids);
  return {
    input_positions: ids.slice(1, question.length + 1),
    label_positions: ids.slice(question.length + 1),
    position_ids: padded,
  };
}
