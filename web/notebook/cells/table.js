// cos and sin of every position and pair, in double precision: [2, positions, dim / 2].
/** @type {import('../protocol.ts').RotaryTable} */
export function rotaryTable(rw, { positions, dim, base }) {
  const frequencies = rw.rotaryFrequencies({ dim, base });
  const { cos, sin, shape } = rw.rotaryTable(frequencies, { positions });
  const data = new Float64Array(2 * cos.length);
  data.set(cos);
  data.set(sin, cos.length);
  return { data, shape: [2, ...shape] };
}
