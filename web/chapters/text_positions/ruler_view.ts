/** The rulers one below the other: lines lead from each token to where a ruler puts it. */
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { scaleLinear } from 'd3-scale';
import { horizontalAxis, textWidth, within } from '../../plots/axis.ts';
import { fixed } from '../../plots/number.ts';
import { textRulers, type Ruler } from './jobs.ts';
import { keyOf, type RulerView } from './ruler_controls.ts';
import { words } from './ruler_text.ts';
import { shortened } from './sentence.ts';

const side = 16;
const nameHeight = 22;
const fanHeight = 46;
const axisHeight = 30;
const gap = 14;

/** What a ruler reaches at least, per token: under FoX that of gates of 0.6. */
const reach: Record<Ruler, number> = { plain: 1, fox: 0.5, cope: 1, repo: 1, selective: 1 };

/** Distances grow to the left, from the query. */
function scaleOf(view: RulerView, ruler: Ruler) {
  const { data, width } = view;
  const { distances } = data.measured[ruler];
  const low = Math.min(0, ...distances);
  const high = Math.max(reach[ruler] * Math.max(1, data.query), ...distances);
  return scaleLinear([high, low], [side, width - side]);
}

function classOf({ data }: RulerView, key: number, place: number): string {
  const changed = data.sentence.places.includes(place) ? 'is-changed' : '';
  if (place === data.query) return `is-query ${changed}`;
  return place === key ? `is-key ${changed}` : changed;
}

/** Between two tokens of the plain ruler. */
const stepOf = ({ data, width }: RulerView) => (width - 2 * side) / Math.max(1, data.query);

const labelHeight = 17;
const mostLabelRows = 4;

interface Label {
  place: number;
  x: number;
  /** Rows above the ruler, from 0. */
  row: number;
}

/**
 * Names of tokens above the plain ruler, in as few rows as they need. Query and key come first; a
 * token whose name would touch others in every row has none.
 */
function labelsOf(view: RulerView, key: number): Label[] {
  const { data, width } = view;
  const at = scaleOf(view, 'plain');
  const found: (Label & { half: number })[] = [];
  const others = data.measured.plain.distances.map((_, place) => place);
  for (const place of new Set([data.query, key, ...others])) {
    const name = shortened(data.tokens[place]!);
    const half = textWidth(name) / 2;
    const x = within(at(data.query - place), name, width);
    const row = Array.from({ length: mostLabelRows }, (_, each) => each).find((each) =>
      found.every((label) => label.row !== each || Math.abs(label.x - x) > label.half + half + 3),
    );
    if (row !== undefined) found.push({ place, x, row, half });
  }
  return found;
}

const rowsOf = (labels: readonly Label[]) => 1 + Math.max(...labels.map(({ row }) => row));

/** The plain ruler, with the tokens above it; tokens are pointed at and chosen here. */
function drawTokens(view: RulerView, key: number, top: number): SVGTemplateResult {
  const { data, width, set, setFocus } = view;
  const at = scaleOf(view, 'plain');
  const { distances } = data.measured.plain;
  const step = stepOf(view);
  const labels = labelsOf(view, key);
  return svg`<g>
    ${labels.map(
      ({ place, x, row }) => svg`<text class="token ${classOf(view, key, place)}" x=${x}
          y=${top - 9 - row * labelHeight} text-anchor="middle">${shortened(data.tokens[place]!)}</text>`,
    )}
    ${distances.map(
      (distance, place) =>
        svg`<circle class="dot ${classOf(view, key, place)}" cx=${at(distance)} cy=${top} r="4" />`,
    )}
    ${distances.map((distance, place) => {
      const half = Math.max(4, step / 2);
      const left = Math.max(0, at(distance) - half);
      const right = Math.min(width, at(distance) + half);
      return svg`<rect class="pointer" x=${left} y=${top - 40} width=${right - left} height="60"
        @pointerenter=${() => setFocus(place)} @pointerleave=${() => setFocus(undefined)}
        @click=${() => set({ key: place + 1 })} />`;
    })}
  </g>`;
}

/** One ruler: its name, the lines from the plain one, its dots and its axis. */
function drawRuler(view: RulerView, ruler: Ruler, key: number, top: number): SVGTemplateResult {
  const { data, width, language, say } = view;
  const from = scaleOf(view, 'plain');
  const at = scaleOf(view, ruler);
  const { distances } = data.measured[ruler];
  const line = top + nameHeight + fanHeight;
  const count = Math.max(2, Math.min(8, Math.floor(width / 80)));
  const ticks = at.ticks(count).map((value) => ({ value, text: at.tickFormat(count)(value) }));
  const order = distances.map((_, place) => place).filter((place) => place !== key);
  const place = (each: number) => {
    const x = at(distances[each]!);
    return svg`<g class=${classOf(view, key, each)}>
      <path class="fan" d="M${from(data.query - each)},${top + nameHeight}L${x},${line}" />
      <circle class="dot" cx=${x} cy=${line} r="4" />
    </g>`;
  };
  const x = at(distances[key]!);
  const label = fixed(distances[key]!, 2);
  const half = textWidth(label) / 2;
  return svg`<g class="ruler" data-ruler=${ruler}>
    <text class="ruler-name" x="0" y=${top + 12}>${words.rulers[ruler][language]}<tspan class="unit" dx="8">${say.axes[ruler]}</tspan></text>
    ${horizontalAxis({ at, ticks, label: '', start: side, end: width - side, width }, line)}
    ${order.map(place)} ${place(key)}
    <text class="key-value" x=${Math.min(width - half, Math.max(half, x))} y=${line - 9}
      text-anchor="middle">${label}</text>
  </g>`;
}

export function drawRulers(view: RulerView, label: string): TemplateResult {
  const { data, width, language, say } = view;
  const key = keyOf(view);
  const first = nameHeight + 10 + rowsOf(labelsOf(view, key)) * labelHeight;
  const each = nameHeight + fanHeight + axisHeight + gap;
  const topOf = (index: number) => first + axisHeight + gap + index * each;
  const at = scaleOf(view, 'plain');
  const count = Math.max(2, Math.min(12, data.query));
  const ticks = at
    .ticks(count)
    .filter(Number.isInteger)
    .map((value) => ({ value, text: String(value) }));
  const height = first + axisHeight + gap + textRulers.length * each;
  return html`<div class="plot">
    <svg class="chart" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      role="img" aria-label=${label}>
      <text class="ruler-name" x="0" y="12">${words.rulers.plain[language]}<tspan class="unit" dx="8">${say.axes.plain}</tspan></text>
      ${horizontalAxis({ at, ticks, label: '', start: side, end: width - side, width }, first)}
      ${textRulers.map((ruler, i) => drawRuler(view, ruler, key, topOf(i)))}
      ${drawTokens(view, key, first)}
    </svg>
  </div>`;
}
