/**
 * Rotary formulas as published (modeling_rope_utils of transformers), in doubles.
 *
 * A model is plain data: D head width, r rotated width, base, layout 'half' or 'inter', type and the
 * options of its type, and the changes that a fault makes. Nothing here comes from the package.
 */

const range = (count) => Array.from({ length: count }, (_, i) => i);

const plain = (base, width, count = width / 2) =>
  range(count).map((i) => base ** ((-2 * i) / width));

export const mscale = (factor, m = 1) => (factor <= 1 ? 1 : 0.1 * m * Math.log(factor) + 1);

function yarn({ factor, original, ramp, truncate = true, fast = 32 }, base, width, count) {
  const slow = 1;
  const place = (turns) =>
    (width * Math.log(original / (turns * 2 * Math.PI))) / (2 * Math.log(base));
  let [low, high] = [place(fast), place(slow)];
  if (truncate) [low, high] = [Math.floor(low), Math.ceil(high)];
  [low, high] = [Math.max(low, 0), Math.min(high, width - 1)];
  if (low === high) high += 0.001;
  return plain(base, width, count).map((f, i) => {
    const turns = (original * f) / (2 * Math.PI);
    const kept = ramp === 'paper' ? (turns - slow) / (fast - slow) : 1 - (i - low) / (high - low);
    const keep = Math.min(1, Math.max(0, kept));
    return (f / factor) * (1 - keep) + f * keep;
  });
}

function llama3({ factor, original, low = 1, high = 4 }, base, width, count) {
  return plain(base, width, count).map((f) => {
    const turns = (original * f) / (2 * Math.PI);
    if (turns < low) return f / factor;
    if (turns > high) return f;
    const smooth = (turns - low) / (high - low);
    return ((1 - smooth) * f) / factor + smooth * f;
  });
}

/** inv_freq, the factor on cos and sin, and the factor on the softmax scale. */
export function frequenciesOf(m, length) {
  const { given, ...rest } = m;
  if (given) return { ...frequenciesOf(rest, length), inv: given };
  const { D, r, base, type = 'default', factor = 1, original = m.max } = m;
  const at = m.seqLen ?? length ?? original;
  const over = m.width === 'head' ? D : r;
  const count = r / 2;
  let [att, soft] = [1, 1];
  let inv;
  if (type === 'proportional') {
    inv = [...plain(base, m.width === 'rotary' ? r : D, count), ...range((D - r) / 2).fill(0)];
  } else if (type === 'dynamic') {
    const grown = (factor * Math.max(at, original)) / original - (factor - 1);
    inv = plain(base * grown ** (r / (r - 2)), r);
  } else if (type === 'ntk') inv = plain(base * factor ** (r / (r - 2)), r);
  else if (type === 'linear') inv = plain(base, over, count).map((f) => f / factor);
  else if (type === 'llama3') inv = llama3(m, base, over, count);
  else if (type === 'longrope') {
    const list = (m.list ?? (at > original ? 'long' : 'short')) === 'long' ? m.long : m.short;
    inv = plain(base, over, count).map((f, i) => f / list[i]);
    const s = m.max / original;
    att = s > 1 ? Math.sqrt(1 + Math.log(s) / Math.log(original)) : 1;
  } else if (type === 'yarn') {
    inv = yarn({ ...m, original }, base, over, count);
    att = m.ownFactor ?? mscale(factor);
    if (m.onSoftmax) [att, soft] = [1, mscale(factor) ** 2];
  } else inv = plain(base, over, count);
  if (m.width === 'head, ramp over rotary')
    inv = inv.map((f, i) => (f / plain(base, r)[i]) * plain(base, D, count)[i]);
  if (m.scaledTwice) inv = inv.map((f, i) => f ** 2 / plain(base, over, count)[i]);
  const own = att === 1 ? Math.sqrt(soft) : att;
  if (m.attention === 'missing') [att, soft] = [1, 1];
  if (m.attention === 'twice') att = own ** 2;
  if (m.attention === 'wrong') [att, soft] = att === 1 ? [own, 1] : [1, own ** 2];
  return { inv, att, soft };
}

function axisOfPair(m, pairs) {
  const { sections } = m;
  const order = m.sectionAxes ?? range(sections.length);
  const axes = m.sectionsInterleaved
    ? range(pairs).map((i) => (i % 3 > 0 && i < 3 * sections[i % 3] ? i % 3 : 0))
    : sections.flatMap((count, axis) => range(count).fill(axis));
  if (!m.alternates) return axes.map((axis) => order[axis]);
  const [height, width, time] = sections;
  return [...range(height + width).map((i) => order[1 + (i % 2)]), ...range(time).fill(order[0])];
}

/**
 * cos and sin of each row and pair.
 * @param positions one list, or one per axis
 * @param role 'q' or 'k', whose positions or rows a fault may change
 */
export function tableOf(m, positions, length, role = 'q') {
  const lists = Array.isArray(positions[0]) ? positions : [positions];
  const moved = m.positions && (m.appliesTo ?? role) === role ? lists.map(m.positions) : lists;
  const round = m.rounding ?? {};
  const rows = range(lists[0].length).map((row) => {
    const isOlder = m.cached && role === 'k' && row < m.cached.rows;
    const own = isOlder ? { ...m, ...m.cached.change } : m;
    const at = own.perRow ? lists[0][row] + 1 : length;
    const { inv: exact, att } = frequenciesOf(own, at);
    const inv = round.frequency ? exact.map(round.frequency) : exact;
    const axes = m.sections && lists.length > 1 ? axisOfPair(m, inv.length) : undefined;
    const cells = inv.map((f, pair) => {
      const position = moved[axes ? axes[pair] : 0][row];
      const product = m.isSingle ? Math.fround(Math.fround(f) * position) : f * position;
      const angle = round.angle ? round.angle(product) : product;
      const sign = m.inverted ? -1 : 1;
      const [c, s] = [Math.cos(angle) * att, Math.sin(angle) * att];
      const made = m.swapped ? [s, c] : [c, s];
      const narrow = round.table ?? m.native;
      const [x, y] = narrow ? made.map(narrow) : made;
      return [m.swapped ? x * sign : x, m.swapped ? y : y * sign];
    });
    return { cos: cells.map(([c]) => c), sin: cells.map(([, s]) => s) };
  });
  return rows;
}

/** One rotation of a vector of `width` values; the others stay. */
function turned(m, x, { cos, sin }) {
  const pairs = cos.length;
  const width = x.length;
  const from = m.part === 'trailing' && width === m.D ? width - 2 * pairs : 0;
  const y = Float64Array.from(x);
  const n = m.native ?? ((value) => value);
  for (let i = 0; i < pairs; i++) {
    const isHalf = m.layout === 'half';
    const [a, b] = isHalf ? [i, i + pairs] : [2 * i, 2 * i + 1];
    const [c, d] = isHalf || m.deinterleaves ? [i, i + pairs] : [a, b];
    const [p, q] = [x[from + a], x[from + b]];
    y[from + c] = n(n(p * cos[i]) - n(q * sin[i]));
    y[from + d] = n(n(p * sin[i]) + n(q * cos[i]));
  }
  return y;
}

/** x [heads, rows, width] as doubles, rotated as often as the model rotates this side. */
export function rotated(m, x, table, role) {
  const { heads, rows, width, data } = x;
  const out = new Float64Array(data.length);
  const times = m.rotates === false ? 0 : (m.times?.[role] ?? 1);
  for (let head = 0; head < heads; head++)
    for (let row = 0; row < rows; row++) {
      const from = (head * rows + row) * width;
      let y = Float64Array.from(data.subarray(from, from + width));
      for (let time = 0; time < times; time++) y = turned(m, y, table[row]);
      out.set(y, from);
    }
  return { ...x, data: out };
}
