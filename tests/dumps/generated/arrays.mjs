/** The arrays that a program with a model of rotation.mjs would dump. */
import { frequenciesOf, rotated, tableOf } from './rotation.mjs';

const floats = (data, shape) => ({ data: Float32Array.from(data), shape, format: 'f32' });

const tensorOf = ({ heads, rows, width, data }) => floats(data, [1, heads, rows, width]);

const dot = (a, b, from, to, width) => {
  let sum = 0;
  for (let i = 0; i < width; i++) sum += a[from + i] * b[to + i];
  return sum;
};

/** Scaled scores [heads, queries, keys] of rotated vectors, with those that are kept apart. */
export function scoresOf(m, q, k, others, length) {
  const { soft } = frequenciesOf(m, length);
  const scale = (m.scale ?? m.D ** -0.5) * soft;
  const power = { missing: 0, doubled: 2 }[m.scaled] ?? 1;
  const out = new Float64Array(q.heads * q.rows * k.rows);
  for (let head = 0; head < q.heads; head++) {
    const of = (heads) => (m.tiled ? head % heads : Math.floor(head / (q.heads / heads)));
    for (let row = 0; row < q.rows; row++)
      for (let key = 0; key < k.rows; key++) {
        const from = (head * q.rows + row) * q.width;
        let sum = dot(q.data, k.data, from, (of(k.heads) * k.rows + key) * k.width, q.width);
        if (others) {
          const [a, b] = [others.q, others.k];
          const start = (head * a.rows + row) * a.width;
          sum += dot(a.data, b.data, start, (of(b.heads) * b.rows + key) * b.width, a.width);
        }
        const raw = sum * scale ** power;
        const capped = m.softcap ? m.softcap * Math.tanh(raw / m.softcap) : raw;
        out[(head * q.rows + row) * k.rows + key] = capped;
      }
  }
  return out;
}

/** Softmax over the visible keys, with a sink where the model has one. */
function weightsOf(m, scores, heads, queries, keys) {
  const out = new Float64Array(scores.length);
  for (let row = 0; row < heads * queries; row++) {
    const query = row % queries;
    const own = m.topLeft ? query : query + keys - queries;
    const sees = (key) => key <= own && (m.window === undefined || key > own - m.window);
    const all = Array.from({ length: keys }, (_, key) =>
      sees(key) ? Math.exp(scores[row * keys + key]) : 0,
    );
    const total = all.reduce((sum, each) => sum + each, m.sink ?? 0);
    all.forEach((each, key) => (out[row * keys + key] = each / total));
  }
  return out;
}

function doubled(rows, name, style) {
  return rows.flatMap((row) => {
    const values = row[name];
    if (style === 'single') return values;
    if (style === 'beside') return values.flatMap((value) => [value, value]);
    return [...values, ...values];
  });
}

function tables(m, given, prefix = '') {
  const rows = tableOf(m, given.positions, given.length);
  const style = given.style;
  const width = rows[0].cos.length * (style === 'single' ? 1 : 2);
  const of = (name) => floats(doubled(rows, name, style), [rows.length, width]);
  return { [`${prefix}cos`]: of('cos'), [`${prefix}sin`]: of('sin') };
}

/** The positions of the last rows, which queries have after a cache. */
const lastRows = (positions, count) =>
  Array.isArray(positions[0])
    ? positions.map((list) => list.slice(-count))
    : positions.slice(-count);

function turnedSides(m, { positions, length, q, k }) {
  const of = (x, role) =>
    rotated(m, x, tableOf(m, lastRows(positions, x.rows), length, role), role);
  return { q: of(q, 'q'), k: of(k, 'k') };
}

/** By kind of dump; arrays without the names of a program. */
export const kinds = {
  inv: (m, { length }) => {
    const { inv } = frequenciesOf(m, length);
    return { inv_freq: floats(inv, [inv.length]) };
  },
  table: tables,
  q: (m, given) => ({ q: tensorOf(given.q), q_rot: tensorOf(turnedSides(m, given).q) }),
  k: (m, given) => ({ k: tensorOf(given.k), k_rot: tensorOf(turnedSides(m, given).k) }),
  qk: (m, given) => ({ ...kinds.q(m, given), ...kinds.k(m, given) }),
  scores(m, given) {
    const { q, k, others, length } = given;
    const sides = turnedSides(m, given);
    const scores = scoresOf(m, sides.q, sides.k, others, length);
    return {
      q: tensorOf(q),
      k: tensorOf(k),
      ...(others && { q_nope: tensorOf(others.q), k_nope: tensorOf(others.k) }),
      scores: floats(scores, [1, q.heads, q.rows, k.rows]),
    };
  },
  rotscores(m, given) {
    const sides = turnedSides(m, given);
    const scores = scoresOf(m, sides.q, sides.k, given.others, given.length);
    return {
      q_rot: tensorOf(sides.q),
      k_rot: tensorOf(sides.k),
      ...(given.others && { q_nope: tensorOf(given.others.q), k_nope: tensorOf(given.others.k) }),
      scores: floats(scores, [1, sides.q.heads, sides.q.rows, sides.k.rows]),
    };
  },
  qscores: (m, given) => {
    const { q_rot } = kinds.q(m, given);
    return { ...kinds.scores(m, given), q_rot };
  },
  weights(m, given) {
    const { q, k, length } = given;
    const scores = scoresOf(m, q, k, undefined, length);
    const weights = weightsOf(m, scores, q.heads, q.rows, k.rows);
    return {
      q_rot: tensorOf(q),
      k_rot: tensorOf(k),
      attn_weights: floats(weights, [1, q.heads, q.rows, k.rows]),
    };
  },
  /** DeepSeek V4: keys are values, and the output is rotated back. */
  out(m, given) {
    const { q, k, length, positions } = given;
    const sides = turnedSides(m, given);
    const scores = scoresOf(m, sides.q, sides.k, undefined, length);
    const weights = weightsOf({ ...m, sink: 1 }, scores, q.heads, q.rows, k.rows);
    const sums = new Float64Array(q.data.length);
    for (let row = 0; row < q.heads * q.rows; row++)
      for (let key = 0; key < k.rows; key++)
        for (let i = 0; i < q.width; i++)
          sums[row * q.width + i] += weights[row * k.rows + key] * sides.k.data[key * k.width + i];
    const before = { ...q, data: sums };
    const way = { back: { inverted: true }, forward: {} }[m.output ?? 'back'];
    const table = way && tableOf({ ...m, ...way }, lastRows(positions, q.rows), length);
    const after = way ? rotated({ ...m, times: undefined }, before, table, 'q') : before;
    return {
      k: tensorOf(k),
      k_rot: tensorOf(sides.k),
      attn_weights: floats(weights, [1, q.heads, q.rows, k.rows]),
      attn_output: tensorOf(after),
      ...(given.hasBefore && { attn_output_before: tensorOf(before) }),
    };
  },
};

/** The same arrays of a draft head, beside those of the main model. */
export function withDraft(kind, main, draft, given) {
  const own = kinds[kind](draft, given);
  const named = Object.entries(own).map(([name, array]) => [`draft_${name}`, array]);
  return { ...kinds[kind](main, given), ...Object.fromEntries(named) };
}
