/** The rulers one below the other: lines lead from each token to where a ruler puts it. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { horizontalAxis, textWidth, within } from '../../plots/axis.ts';
import { fixed } from '../../plots/number.ts';
import { linearScale, roundTicks } from '../../plots/scale.ts';
import type { Ruler } from './jobs.ts';
import { keyOf, mostAdding, shownRulers, type RulerView } from './ruler_controls.ts';
import { words } from './ruler_text.ts';
import { shortened } from './sentence.ts';

const side = 16;
const nameHeight = 20;
const fanHeight = 38;
const axisHeight = 30;
const gap = 24;

/** The longest distance in tokens, whatever the query. */
const longest = ({ data }: RulerView) => Math.max(1, data.tokens.length - 1);

/**
 * Distances grow to the left, from the query. A scale depends on the number of tokens alone, so
 * that lengths can be compared; what is farther stands at its end.
 */
function scaleOf(view: RulerView, ruler: Ruler) {
  const [most, least] = domainOf(view, ruler);
  const at = linearScale([most, least], [side, view.width - side]);
  return (distance: number) => at(Math.min(most, Math.max(least, distance)));
}

function domainOf(view: RulerView, ruler: Ruler): [most: number, least: number] {
  const most = longest(view);
  return [most, ruler === 'repo' ? -most : 0];
}

/** A dot, or at the end of the scale an arrow to what lies beyond. */
function drawDot(x: number, y: number, beyond: number, looks: string): SVGTemplateResult {
  if (beyond === 0) return svg`<circle class="dot ${looks}" cx=${x} cy=${y} r="4" />`;
  const back = x + 7 * beyond;
  return svg`<path class="dot beyond ${looks}" d="M${x - 5 * beyond},${y}L${back},${y - 5}V${y + 5}Z" />`;
}

function classOf({ data }: RulerView, key: number, place: number): string {
  const changed = data.sentence.places.includes(place) ? 'is-changed' : '';
  if (place === data.query) return `is-query ${changed}`;
  return place === key ? `is-key ${changed}` : changed;
}

/** Between two tokens of the plain ruler. */
const stepOf = (view: RulerView) => (view.width - 2 * side) / longest(view);

/** The query says that it is one: its token may stand in the sentence twice. */
function nameOf({ data, say }: RulerView, place: number): string {
  const token = shortened(data.tokens[place]!);
  return place === data.query ? say.query(token) : token;
}

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
    const name = nameOf(view, place);
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
          y=${top - 9 - row * labelHeight} text-anchor="middle">${nameOf(view, place)}</text>`,
    )}
    ${distances.map((distance, place) => drawDot(at(distance), top, 0, classOf(view, key, place)))}
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

function axisOf(view: RulerView, ruler: Ruler) {
  const { width } = view;
  const at = scaleOf(view, ruler);
  const count = Math.max(2, Math.min(12, Math.floor(width / 60)));
  const ticks = roundTicks(domainOf(view, ruler), count).filter(({ value }) =>
    Number.isInteger(value),
  );
  return { at, ticks, label: '', start: side, end: width - side, width };
}

/** By how much one token stretches FoX: from where it stands to the token before it. */
function drawStretch(view: RulerView, place: number, y: number, labelEnd: number) {
  const { data, say, width } = view;
  const { distances, terms } = data.measured.fox;
  const at = scaleOf(view, 'fox');
  const [from, to] = [at(distances[place]!), at(distances[place - 1]!)];
  if (Math.abs(from - to) < 24) return nothing;
  const middle = (from + to) / 2;
  const term = fixed(terms[place]!, 1);
  const name = [say.adds(shortened(data.tokens[place]!), term), term].find((each) => {
    const half = textWidth(each) / 2;
    return middle - half > labelEnd + 6 && middle + half < width;
  });
  return svg`<path class="stretch" d="M${from - 6},${y}H${to + 6}" />
    <text class="stretch-name" x=${middle} y=${y + 17} text-anchor="middle">${name}</text>`;
}

/** One ruler: its name, the lines from the plain one, and its dots. */
function drawRuler(view: RulerView, ruler: Ruler, key: number, top: number): SVGTemplateResult {
  const { data, width, language, say } = view;
  const from = scaleOf(view, 'plain');
  const at = scaleOf(view, ruler);
  const { distances } = data.measured[ruler];
  const line = top + nameHeight + fanHeight;
  const [most, least] = domainOf(view, ruler);
  const order = distances.map((_, place) => place).filter((place) => place !== key);
  const place = (each: number) => {
    const distance = distances[each]!;
    const x = at(distance);
    const beyond = distance > most ? 1 : distance < least ? -1 : 0;
    return svg`<g class=${classOf(view, key, each)}>
      <path class="fan" d="M${from(data.query - each)},${top + nameHeight}L${x},${line}" />
      ${drawDot(x, line, beyond, '')}
    </g>`;
  };
  const stretching = ruler === 'fox' && key < data.query ? mostAdding(view, key) : undefined;
  const label = fixed(distances[key]!, 1);
  const x = within(at(distances[key]!), label, width);
  const labelEnd = x + textWidth(label) / 2;
  // Below, where no line leads; the axis of RePo is there.
  const labelY = ruler === 'repo' ? line - 9 : line + 17;
  return svg`<g class="ruler" data-ruler=${ruler}>
    <text class="ruler-name" x="3" y=${top + 12}>${words.rulers[ruler][language]}<tspan class="unit" dx="8">${say.axes[ruler]}</tspan></text>
    <line class="ruler-line" x1=${side} x2=${width - side} y1=${line} y2=${line} />
    ${order.map(place)} ${place(key)}
    ${stretching === undefined ? nothing : drawStretch(view, stretching, line, labelEnd)}
    <text class="key-value" x=${x} y=${labelY}
      text-anchor="middle">${label}</text>
  </g>`;
}

export function drawRulers(view: RulerView, label: string): TemplateResult {
  const { width, language, say } = view;
  const key = keyOf(view);
  // All but RePo share one scale: there a token may also lie on the other side of the query.
  const [, ...rulers] = shownRulers(view);
  const oneSided = rulers.filter((ruler) => ruler !== 'repo');
  const hasRepo = rulers.includes('repo');
  const first = nameHeight + 10 + rowsOf(labelsOf(view, key)) * labelHeight;
  const each = nameHeight + fanHeight + gap;
  const topOf = (index: number) => first + gap + index * each;
  const shared = topOf(oneSided.length);
  const alone = shared + axisHeight + gap;
  const zero = scaleOf(view, 'repo')(0);
  const last = alone + nameHeight + fanHeight;
  const height = (hasRepo ? last : shared) + axisHeight;
  const axis = axisOf(view, 'plain');
  return html`<div class="plot">
    <svg class="chart" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      role="img" aria-label=${label}>
      <text class="ruler-name" x="3" y="12">${words.rulers.plain[language]}<tspan class="unit" dx="8">${say.axes.plain}</tspan></text>
      <g class="grid" aria-hidden="true">
        ${axis.ticks.map(
          ({ value }) =>
            svg`<line x1=${axis.at(value)} x2=${axis.at(value)} y1=${first} y2=${shared} />`,
        )}
        ${hasRepo ? svg`<line class="zero" x1=${zero} x2=${zero} y1=${alone + nameHeight} y2=${last} />` : nothing}
      </g>
      <line class="ruler-line" x1=${side} x2=${width - side} y1=${first} y2=${first} />
      ${horizontalAxis(axis, shared)}
      ${hasRepo ? horizontalAxis(axisOf(view, 'repo'), last) : nothing}
      ${oneSided.map((ruler, i) => drawRuler(view, ruler, key, topOf(i)))}
      ${hasRepo ? drawRuler(view, 'repo', key, alone) : nothing}
      ${drawTokens(view, key, first)}
    </svg>
  </div>`;
}
