// Suite sinusoidal: one table under the conventions of many programs.

const concatenated = { layout: 'half-split' };
const toBase = { ...concatenated, spacing: 'dim/2-1' };

/** What each convention's attributes mean for the package, and the positions that it counts. */
const conventions = {
  paper: ({ base }) => ({ base }),
  distilbert: ({ base }) => ({ base }),
  xlm: ({ base }) => ({ base }),
  marian: ({ base }) => ({ base, ...concatenated }),
  ctrl: ({ base }) => ({ base, ...concatenated }),
  transfo_xl: ({ base }) => ({ base, ...concatenated }),
  m2m_100: ({ base, padding_idx }) => ({
    base,
    ...toBase,
    paddingPosition: padding_idx ?? undefined,
  }),
  whisper: ({ max_timescale }) => ({ base: max_timescale, ...toBase }),
  // Timescales run from the smallest to the largest; the package's start at 1.
  t2t: ({ min_timescale, max_timescale, start_index }, rows) => ({
    base: max_timescale / min_timescale,
    positions: Array.from({ length: rows }, (_, row) => (start_index + row) * min_timescale),
    ...toBase,
  }),
};

export default function (rw, { attrs, inputs, shapes }) {
  const settings = conventions[attrs.convention];
  if (!settings) throw new Error(`unknown convention ${attrs.convention}`);
  const [rows, dim] = shapes.pe;
  const positions = inputs.positions?.num ?? rows;
  return { pe: rw.sinusoidal({ positions, dim, ...settings(attrs, rows) }).data };
}
