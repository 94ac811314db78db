/** The roofline picture of CONTRIBUTING.md: what each one reaches of what the machine could. */
import { bestPeer, rate } from './contestants.mjs';
import { peaksOf } from './groups/attention.mjs';

const width = 840,
  height = 540;
const margin = { left: 58, right: 176, top: 92, bottom: 76 };
const indent = 18;
const inner = { right: width - margin.right, bottom: height - margin.bottom };
const intensityEnds = [0.13, 4096];
const x = logScale(intensityEnds, [margin.left, inner.right]);
const y = logScale([0.25, 100], [inner.bottom, margin.top]);

/**
 * From values to pixels; equal ratios are equal distances.
 * @param {number[]} domain its ends
 * @param {number[]} range their pixels
 */
export function logScale([low, high], [start, end]) {
  return (/** @type {number} */ value) =>
    start + ((end - start) * Math.log(value / low)) / Math.log(high / low);
}

const series = [
  { id: 'relaxed', title: 'Ropewalk, relaxed', of: (figures) => figures['ropewalk relaxed'] },
  { id: 'simd128', title: 'Ropewalk, simd128', of: (figures) => figures['ropewalk simd128'] },
  { id: 'litert', title: 'LiteRT', of: (figures) => bestPeer(figures, 'LiteRT') },
  { id: 'tfjs', title: 'tfjs', of: (figures) => bestPeer(figures, 'tfjs') },
  { id: 'onnx', title: 'onnxruntime-web', of: (figures) => bestPeer(figures, 'onnxruntime-web') },
  { id: 'plain', title: 'plain JS', of: (figures) => bestPeer(figures, 'plain JS') },
];

const hues = {
  relaxed: ['#b3261e', '#ff8a80'],
  simd128: ['#b86e00', '#ffb74d'],
  litert: ['#6a4c93', '#c3a6e8'],
  onnx: ['#3f66a3', '#90b4e8'],
  tfjs: ['#35775f', '#7fc8ab'],
  plain: ['#777', '#aaa'],
};
const colored = (hues, scheme) =>
  Object.entries(hues)
    .map(
      ([id, pair]) =>
        `text.${id}, circle.${id} { fill: ${pair[scheme]} } path.${id} { stroke: ${pair[scheme]} }`,
    )
    .join('\n');

/** Colors of marks by their class: [light, dark]. */
const style = (hues) => `
text { font: 13px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #333;
  paint-order: stroke; stroke: #fff; stroke-width: 4px; stroke-linejoin: round }
.title { font-size: 17px; font-weight: 600 } .quiet { fill: #666 }
.paper { fill: #fff } .grid { stroke: #e4e4e4; stroke-width: 1 } .roof { stroke: #888; stroke-width: 1.5 }
path { fill: none; stroke-width: 1.5 } path.strong { stroke-width: 2.5 } path.dashed { stroke-dasharray: 5 4 }
${colored(hues, 0)}
@media (prefers-color-scheme: dark) {
text { fill: #ddd; stroke: #16171b } .quiet { fill: #aaa } .paper { fill: #16171b }
.grid { stroke: #2e3036 }
${colored(hues, 1)}
}`;

/** The file: marks on paper, in the reader's colors. */
export const svg = ({ width, height, title, hues, marks }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"
  width="${width}" height="${height}" aria-label="${title}">
<style>${style(hues)}
</style>
<rect class="paper" width="${width}" height="${height}"/>
${marks.filter(Boolean).join('\n')}
</svg>
`;

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
export const at = (value) => Number(value.toFixed(1));
export const line = (from, to, kind) =>
  `<path class="${kind}" d="M${from.map(at)}L${to.map(at)}"/>`;
export const text = (
  /** @type {number[]} */ [left, top],
  content,
  { kind = '', anchor = 'start' } = {},
) =>
  `<text class="${kind}" x="${at(left)}" y="${at(top)}" text-anchor="${anchor}">` +
  `${escaped(content)}</text>`;

/** Arithmetic per byte that has to be read or written at least once. */
const intensities = {
  attention: ({ length }) => length / 4,
  decode: 0.5,
  rotate: 3 / 8,
};

/** The points of each series, from left to right: { across, up, label }. */
function pointsOf({ attention, decode, rotate }, { of, id }) {
  const points = attention.cases
    .filter(({ causal }) => !causal)
    .map((one) => ({
      across: intensities.attention(one),
      up: rate(of(one.figures)),
      label: `N ${one.length}`,
    }));
  const others = [];
  if (decode)
    others.push({ across: intensities.decode, up: rate(of(decode.figures)), label: 'decode' });
  const rotated = rotate?.cases[0].figures[`ropewalk ${id}, in wasm`];
  if (rotated) {
    const count = 8 * 4096 * 64;
    others.push({
      across: intensities.rotate,
      up: (3 * count) / rotated.median / 1e6,
      label: 'rotate',
    });
  }
  return { line: points.filter(({ up }) => up), others: others.filter(({ up }) => up) };
}

function axes() {
  const marks = [];
  for (const value of [0.25, 1, 4, 16, 64, 256, 1024, 4096]) {
    const top = inner.bottom + 18;
    marks.push(line([x(value), margin.top], [x(value), inner.bottom], 'grid'));
    marks.push(text([x(value), top], value < 1 ? '¼' : String(value), { anchor: 'middle' }));
    if (value < 16 || value > 1024) continue;
    marks.push(text([x(value), top + 18], `N ${4 * value}`, { kind: 'quiet', anchor: 'middle' }));
  }
  for (const value of [0.5, 1, 2, 5, 10, 20, 50, 100]) {
    marks.push(line([margin.left, y(value)], [inner.right, y(value)], 'grid'));
    marks.push(text([margin.left - 8, y(value) + 4], String(value), { anchor: 'end' }));
  }
  const middle = [(margin.left + inner.right) / 2, inner.bottom + 60];
  marks.push(
    text(middle, 'FLOP per byte of inputs and output', { kind: 'quiet', anchor: 'middle' }),
  );
  marks.push(text([indent, margin.top - 14], 'GFLOP/s', { kind: 'quiet' }));
  return marks;
}

/** The slope that memory allows and the ceilings of both kinds of multiply-add. */
function roofs(peaks, gigabytes) {
  const highest = Math.max(...Object.values(peaks));
  const corner = (peak) => [x(peak / gigabytes), y(peak)];
  const [start] = intensityEnds;
  const marks = [line([x(start), y(start * gigabytes)], corner(highest), 'roof')];
  const above = [x(highest / gigabytes) - 4, y(highest) - 8];
  marks.push(text(above, `reading ${gigabytes.toFixed(0)} GB/s`, { kind: 'quiet', anchor: 'end' }));
  for (const peak of Object.values(peaks)) {
    marks.push(line(corner(peak), [inner.right, y(peak)], 'roof'));
  }
  const titles = { relaxed: 'relaxed multiply-add', simd128: 'multiply then add' };
  const named = Object.entries(peaks).map(([kind, peak]) => `${titles[kind]} ${peak.toFixed(0)}`);
  const place = [inner.right, y(highest) - 8];
  marks.push(text(place, `${named.join(', ')} GFLOP/s`, { kind: 'quiet', anchor: 'end' }));
  return marks;
}

/** Names at the right ends of the lines, pushed apart where they would touch. */
export function names(ends) {
  const sorted = ends.toSorted((a, b) => a.top - b.top);
  sorted.forEach((end, i) => {
    if (i > 0) end.top = Math.max(end.top, sorted[i - 1].top + 17);
  });
  return sorted.map(({ id, title, left, top }) => text([left + 10, top + 4], title, { kind: id }));
}

const isOurs = (id) => ['relaxed', 'simd128'].includes(id);

function drawn({ id, line: points, others }) {
  const place = ({ across, up }) => `${at(x(across))},${at(y(up))}`;
  const dot = (point, radius) =>
    `<circle class="${id}" cx="${at(x(point.across))}" cy="${at(y(point.up))}" r="${radius}"/>`;
  return [
    `<path class="${id} ${isOurs(id) ? 'strong' : ''}" d="M${points.map(place).join('L')}"/>`,
    ...points.map((point) => dot(point, 3)),
    ...others.map((point) => dot(point, 4)),
  ];
}

/** The SVG of one report that holds the groups attention, decode and rotate. */
export function roofline({ machine, processes }) {
  const [results] = processes;
  const { attention, decode } = results;
  const peaks = peaksOf(attention.cases);
  const gigabytes = (2 * 8 * 4096 * 64 * 4) / decode.figures['read keys and values'].median / 1e6;
  const all = series
    .map((one) => ({ ...one, ...pointsOf(results, one) }))
    .filter((one) => one.line.length > 0);
  const ends = all.map(({ id, title, line: points }) => ({
    id,
    title,
    left: inner.right,
    top: y(points.at(-1).up),
  }));
  const singles = all.flatMap(({ others }) => others);
  const marks = [
    text([indent, 28], 'Exact attention in one wasm thread, 8 heads of 64', { kind: 'title' }),
    text([indent, 50], `${machine.cpu}, ${machine.engine}; medians in one process, by turns`, {
      kind: 'quiet',
    }),
    ...axes(),
    ...roofs(peaks, gigabytes),
    ...all.flatMap(drawn),
    ...names(ends),
    ...['decode', 'rotate'].map((label) => named(label, singles)),
  ];
  const title = 'Roofline: the rate of attention by length, beside what the machine can do';
  return svg({ width, height, title, hues, marks });
}

/** The name of what stands alone at the left, beside the highest of its points. */
function named(label, points) {
  const own = points.filter((point) => point.label === label);
  if (own.length === 0) return undefined;
  const top = Math.max(...own.map(({ up }) => up));
  return text([x(own[0].across) + 10, y(top) + 4], label, { kind: 'quiet' });
}
