/** The picture of time by length on the page "Speed". */
import { contenders, works } from './groups/scaling.mjs';
import { at, line, logScale, names, svg, text } from './picture.mjs';
import { duration } from './tables.mjs';

const width = 840,
  height = 520;
const margin = { left: 76, right: 196, top: 76, bottom: 62 };
const inner = { right: width - margin.right, bottom: height - margin.bottom };
const titles = { causal: 'causal', window: 'within 4,096 keys', decode: 'one query' };
const hues = {
  causal: ['#b3261e', '#ff8a80'],
  window: ['#b86e00', '#ffb74d'],
  decode: ['#35775f', '#7fc8ab'],
};

/** The SVG of one report that holds the group scaling. */
export function growth({ machine, processes }) {
  const [{ scaling }] = processes;
  const { cases, heads, kind } = scaling;
  const lengths = cases.map(({ length }) => length);
  const timeOf = ({ figures }, work, who) => figures[work][who].median;
  const times = cases.flatMap((one) =>
    Object.keys(works).flatMap((work) => contenders.map((who) => timeOf(one, work, who))),
  );
  const first = Math.floor(Math.log10(Math.min(...times)));
  const last = Math.ceil(Math.log10(Math.max(...times)));
  const decades = Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k));
  const x = logScale([lengths[0], lengths.at(-1)], [margin.left, inner.right]);
  const y = logScale([decades[0], decades.at(-1)], [inner.bottom, margin.top]);
  const grid = [
    ...lengths.flatMap((length) => [
      line([x(length), margin.top], [x(length), inner.bottom], 'grid'),
      text([x(length), inner.bottom + 18], length.toLocaleString('en'), { anchor: 'middle' }),
    ]),
    ...decades.flatMap((time) => [
      line([margin.left, y(time)], [inner.right, y(time)], 'grid'),
      text([margin.left - 8, y(time) + 4], duration(time).replace(/\.0+ /, ' '), {
        anchor: 'end',
      }),
    ]),
  ];
  const path = (work, who) => {
    const points = cases.map((one) => `${at(x(one.length))},${at(y(timeOf(one, work, who)))}`);
    const style = who === contenders[0] ? 'strong' : 'dashed';
    return `<path class="${work} ${style}" d="M${points.join('L')}"/>`;
  };
  const ends = Object.keys(works).map((work) => ({
    id: work,
    title: titles[work],
    left: inner.right,
    top: y(timeOf(cases.at(-1), work, contenders[0])),
  }));
  const marks = [
    text([18, 28], `Time by length: ${heads > 1 ? `${heads} heads` : '1 head'} of 64, ${kind}`, {
      kind: 'title',
    }),
    text(
      [18, 50],
      `${machine.cpu}, ${machine.engine}; whole lines one instance, dashed a pool of two workers`,
      { kind: 'quiet' },
    ),
    ...grid,
    text([(margin.left + inner.right) / 2, inner.bottom + 44], 'tokens', {
      kind: 'quiet',
      anchor: 'middle',
    }),
    ...Object.keys(works).flatMap((work) => contenders.map((who) => path(work, who))),
    ...names(ends),
  ];
  return svg({ width, height, title: 'Time of attention by length', hues, marks });
}
