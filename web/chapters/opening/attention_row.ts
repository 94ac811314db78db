/** Attention by hand: one query, three keys and values of two numbers each. */
import { css, html, nothing, svg } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { range } from '../../figures/shared_controls.ts';
import type { Words } from '../../languages.ts';
import { css as cssColor, colorOf, magnitudeScale } from '../../plots/colors.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { words } from './attention_row_text.ts';
import { tokens, type AttentionRow } from './jobs.ts';

const part = (label: Words, preset: number) =>
  range(label, { default: preset, min: -4, max: 4, step: 0.5 }, { hue: 'query' });

const controls = defineControls({
  first: part(words.first, 2),
  second: part(words.second, 1),
  causal: { kind: 'switch', label: words.causal, default: false },
});

type RowView = ViewOf<typeof controls, typeof words.strings, AttentionRow>;

const vector = (parts: readonly number[], digits?: number) =>
  `(${parts.map((one) => (digits === undefined ? rounded(one) : fixed(one, digits))).join(',\u00a0')})`;
const queryOf = ({ settings }: RowView) => vector([settings.first, settings.second]);

const rowHeight = 62;
const headHeight = 62;
const planeSize = 232;
const gap = 40;
/** Where the columns begin, as shares of the width. */
const columns = { key: 0.18, product: 0.41, score: 0.6, value: 0.85 };

function drawing(view: RowView) {
  const { width } = view;
  const isWide = width >= 760;
  const tableWidth = isWide ? width - planeSize - gap : width;
  const tableHeight = headHeight + rowHeight * tokens.keys.length;
  const height = isWide ? Math.max(tableHeight, planeSize) : tableHeight + planeSize + 12;
  return html`<div class="plot">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      role="img" aria-label=${describe(view)}>
      ${table(view, tableWidth)}
      <g transform="translate(${isWide ? tableWidth + gap : 0}, ${isWide ? 0 : tableHeight + 12})">
        ${plane(view)}
      </g>
    </svg>
  </div>`;
}

function table(view: RowView, width: number) {
  const heads = view.say.columns[width >= 640 ? 'wide' : 'narrow'];
  const at = (name: keyof typeof columns) => columns[name] * width;
  const head = (name: keyof typeof columns) =>
    svg`<text class=${name} x=${at(name)} y="48">${heads[name]}</text>`;
  return svg`<text class="query asking" y="16">
      ${view.say.query(view.say.words[tokens.querying]!, queryOf(view))}
    </text>
    ${head('key')} ${head('product')} ${head('score')} ${head('value')}
    ${tokens.keys.map((_, token) => row(view, token, width))}`;
}

function row({ data, say, theme }: RowView, token: number, width: number) {
  const weight = data.weights[token]!;
  const { words: names, weight: label } = say;
  const start = columns.key * width;
  const bar = weight * (width - start - 96);
  const color = cssColor(colorOf(magnitudeScale(theme, 1), weight));
  const isHidden = data.scores[token] === -Infinity;
  const cell = (name: keyof typeof columns, text: string) =>
    svg`<text class=${name} x=${columns[name] * width} y="23">${text}</text>`;
  return svg`<g class=${isHidden ? 'hidden' : nothing}
      transform="translate(0, ${headHeight + token * rowHeight})">
      <line class="rule" x2=${width} />
      <text class="word" y="24">${names[token]}</text>
      ${cell('key', vector(tokens.keys[token]!))}
      ${cell('product', rounded(data.products[token]!))}
      ${cell('score', fixed(data.scores[token]!, 2))}
      ${cell('value', vector(tokens.values[token]!))}
      <rect class="share" x=${start} y="35" width=${bar} height="16" fill=${color} />
      <text class="weight" x=${start + bar + 7} y="48">${label(fixed(weight, 2))}</text>
    </g>`;
}

/** Both axes end at 4.4; the names of the values stand outside their triangle. */
function plane({ data, say }: RowView) {
  const top = 24;
  const unit = (planeSize - top) / 5.2;
  const at = ([x, y]: readonly number[]) => [(x! + 1.2) * unit, planeSize - (y! + 0.6) * unit];
  const seen = tokens.values.filter((_, token) => data.scores[token] !== -Infinity);
  const names = [
    { dx: 0, dy: 20, anchor: 'middle' },
    { dx: -9, dy: 5, anchor: 'end' },
    { dx: 0, dy: -10, anchor: 'middle' },
  ];
  const [left, bottom] = at([0, 0]);
  const [right, high] = at([4.4, 4.4]);
  const [x, y] = at(data.output);
  return svg`<text class="axis-label" y="16">${say.plane}</text>
    <g class="axis">
      <line x1=${left} x2=${right} y1=${bottom} y2=${bottom} />
      <line x1=${left} x2=${left} y1=${bottom} y2=${high!} />
    </g>
    <polygon class="triangle" points=${seen.map((value) => at(value).join(',')).join(' ')} />
    ${tokens.values.map((value, token) => {
      const [x2, y2] = at(value);
      return svg`<line class="pull" x1=${x} y1=${y} x2=${x2} y2=${y2}
        stroke-width=${8 * data.weights[token]!} />`;
    })}
    ${tokens.values.map((value, token) => {
      const [cx, cy] = at(value);
      const { dx, dy, anchor } = names[token]!;
      const isHidden = data.scores[token] === -Infinity;
      return svg`<g class="value ${isHidden ? 'hidden' : ''}">
        <circle class="point" cx=${cx} cy=${cy} r="5" />
        <text class="name" x=${cx! + dx} y=${cy! + dy} text-anchor=${anchor}>
          ${say.words[token]}
        </text>
      </g>`;
    })}
    <circle class="output" cx=${x} cy=${y} r="7" />`;
}

function results({ data, say }: RowView) {
  const shares = tokens.values.map(
    (value, token) => `${fixed(data.weights[token]!, 2)} × ${vector(value)}`,
  );
  const sum = data.weights.reduce((total, weight) => total + weight);
  return numbers({
    output: [say.output, `${shares.join(' + ')} = ${vector(data.output, 2)}`],
    sum: [say.sum, fixed(sum, 4)],
  });
}

function describe(view: RowView): string {
  const { data, language, say } = view;
  const separator = language === 'zh' ? '，' : ', ';
  const shares = say.words.map((word, token) => `${word} ${fixed(data.weights[token]!, 2)}`);
  const top = say.words[data.weights.indexOf(Math.max(...data.weights))]!;
  return say.describe(top, shares.join(separator), vector(data.output, 2));
}

export default defineFigure({
  claims: [],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ first, second, causal }, engine) =>
    engine.attentionRow({ query: [first, second], causal }),
  draw: (view: RowView) => html`${drawing(view)} ${results(view)}`,
  describe,
  table({ data, say }: RowView) {
    const { words: names, table: heads } = say;
    const parts = [0, 1];
    return {
      columns: [
        heads.token,
        ...parts.map(heads.key),
        heads.product,
        heads.score,
        heads.weight,
        ...parts.map(heads.value),
        ...parts.map(heads.share),
      ],
      rows: tokens.keys.map((key, token) => [
        names[token]!,
        ...key,
        data.products[token]!,
        data.scores[token]!,
        data.weights[token]!,
        ...tokens.values[token]!,
        ...tokens.values[token]!.map((one) => one * data.weights[token]!),
      ]),
    };
  },
  styles: css`
    svg .word:not([fill]) {
      font: 1.0625rem var(--serif);
      fill: var(--ink);
    }
    svg .asking:not([fill]) {
      font: 1rem var(--serif);
      fill: var(--query);
    }
    svg :is(.product, .score, .weight):not([fill]) {
      fill: var(--ink);
    }
    svg .key:not([fill]) {
      fill: var(--key);
    }
    svg :is(text.value, .value .name):not([fill]) {
      fill: var(--value);
    }
    .rule {
      stroke: var(--rule);
    }
    /* Small weights are nearly as dark or pale as the page. */
    .share {
      stroke: var(--faint);
    }
    .point {
      fill: var(--value);
    }
    .triangle {
      fill: var(--value);
      fill-opacity: 0.08;
      stroke: var(--value);
      stroke-opacity: 0.5;
    }
    .pull {
      stroke: var(--value);
      stroke-opacity: 0.5;
    }
    .output {
      fill: var(--paper);
      stroke: var(--ink);
      stroke-width: 2.5;
    }
    .hidden {
      opacity: 0.45;
    }
  `,
});
