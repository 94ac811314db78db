/** What the heads of trained models attend to, within the training length and beyond. */
import { html, nothing, svg } from 'lit';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { ticksEvery } from '../../plots/axis.ts';
import { magnitudeScale } from '../../plots/colors.ts';
import { limitAtY, lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed, whole } from '../../plots/number.ts';
import { matrixPlot, type MatrixFrame } from '../../plots/matrix_plot.ts';
import { checkpointOf } from '../../trained/models.ts';
import { recording, type Recorded } from '../../trained/recordings.ts';
import { attentionOf, type Model } from '../../worker/training.ts';
import { limitHeadroom, liveControls, trainedLimit } from './contest.ts';
import { contestWords } from './contest_text.ts';
import { words } from './heads_text.ts';
import { liveBar } from './live_view.ts';
import { descriptionsOf, liveRunsOf, type LiveRuns } from '../../trained/live_runs.ts';
import { looks, schemeNames } from './schemes.ts';
import { shortStyle } from './style.ts';

const originalLength = 32;
const liveSeed = 3;
const shown = ['rope', 'sinusoidal', 'alibi', 'fox'] as const;

const controls = defineControls({
  scheme: {
    kind: 'choice',
    label: words.scheme,
    default: 'rope',
    options: shown.map((value) => ({ value, label: schemeNames[value] })),
  },
  length: {
    kind: 'choice',
    label: words.length,
    default: '96',
    options: (['32', '64', '96', '128'] as const).map((value) => ({
      value,
      label: { en: value, zh: value },
    })),
  },
  period: range(words.period, { default: 10, min: 4, max: 16 }, { symbol: 'P' }),
  layer: choice(words.layer, words.layers, '2', { display: true }),
  model: choice(words.model, words.models, 'recorded'),
  steps: liveControls.steps,
});

interface Heads {
  recorded: Recorded;
  live: LiveRuns;
  tokens: number[];
  /** Weights of each layer, each [heads, length, length]; undefined without a model. */
  layers: { data: Float32Array; heads: number }[] | undefined;
}

type HeadsView = ViewOf<typeof controls, typeof words.strings, Heads, number>;

/** A block of different symbols, repeated to the length. */
const symbolsOf = (period: number, length: number) =>
  Array.from({ length }, (_, place) => (11 * (place % period) + 5) % 32);

function modelOf(live: LiveRuns, recorded: Recorded, variant: string): Model | undefined {
  const done = live.of(recorded.plan.name, variant).filter(({ checkpoint }) => checkpoint);
  const last = done.at(-1);
  return last && { id: last.id, options: last.description.trainer, checkpoint: last.checkpoint! };
}

async function load(settings: SettingsOf<typeof controls>, engine: object): Promise<Heads> {
  const { scheme, period, length, model } = settings;
  const recorded = await recording('heads_repeats');
  const live = liveRunsOf(engine, recorded);
  const tokens = symbolsOf(period, Number(length));
  const chosen =
    model === 'own' ? modelOf(live, recorded, scheme) : await checkpointOf(recorded, scheme);
  if (!chosen) return { recorded, live, tokens, layers: undefined };
  const layers = await attentionOf(chosen, tokens);
  return {
    recorded,
    live,
    tokens,
    layers: layers.map(({ data, shape }) => ({ data, heads: shape[0]! })),
  };
}

/** The weight of a query on the keys at these distances. */
const weightAt = (weights: Float32Array, length: number, query: number, distances: number[]) =>
  distances
    .filter((distance) => distance <= query)
    .reduce((sum, distance) => sum + weights[query * length + query - distance]!, 0);

/** The same, averaged over queries. */
function meanWeight(
  weights: Float32Array,
  length: number,
  distances: number[],
  [first, end]: readonly [number, number],
) {
  let sum = 0;
  for (let query = first; query < end; query++) sum += weightAt(weights, length, query, distances);
  return end > first ? sum / (end - first) : NaN;
}

const headOf = ({ data }: { data: Float32Array }, head: number, length: number) =>
  data.subarray(head * length ** 2, (head + 1) * length ** 2);

/** Where a head of the layer looks: one back, or at the symbols after earlier occurrences. */
function distancesOf({ data, settings }: HeadsView): number[] {
  if (settings.layer === '1') return [1];
  const { period } = settings;
  const count = Math.floor(data.tokens.length / period);
  return Array.from({ length: count }, (_, k) => (k + 1) * period - 1);
}

/** From here on every query has such a key. */
const firstQuery = ({ settings }: HeadsView) => (settings.layer === '1' ? 1 : settings.period);

/** The head of the layer that looks there most, within the training length. */
function strongest(view: HeadsView): { head: number; within: number; beyond: number } | undefined {
  const { data, settings } = view;
  const layer = data.layers?.[Number(settings.layer) - 1];
  if (!layer) return undefined;
  const { length } = data.tokens;
  const distances = distancesOf(view);
  const means = Array.from({ length: layer.heads }, (_, head) => {
    const weights = headOf(layer, head, length);
    const end = Math.min(length, originalLength);
    return {
      head,
      within: meanWeight(weights, length, distances, [firstQuery(view), end]),
      beyond: meanWeight(weights, length, distances, [originalLength, length]),
    };
  });
  return means.toSorted((a, b) => b.within - a.within)[0];
}

/**
 * Queries beyond the training length at which the head gives less than half of its weight to where
 * it should look.
 */
function wrongQueries(view: HeadsView, head: number): number[] {
  const { data, settings } = view;
  const layer = data.layers![Number(settings.layer) - 1]!;
  const { length } = data.tokens;
  const weights = headOf(layer, head, length);
  const distances = distancesOf(view);
  return data.tokens.flatMap((_, query) =>
    query >= originalLength && weightAt(weights, length, query, distances) < 0.5 ? [query] : [],
  );
}

/** Positions in pixels of the edges between cells. */
interface Edges {
  x(key: number): number;
  y(query: number): number;
}

/** Outlines where the head should look; they stand clear of the cells, whose weights count. */
function targets(view: HeadsView, { x, y }: Edges) {
  const { length } = view.data.tokens;
  const clear = 1.5;
  return distancesOf(view).map((distance) => {
    const first = Math.max(originalLength, distance);
    const steps = length - 1 - first;
    const edges = [
      [x(first - distance + 1) + clear, y(first) - clear],
      [x(first - distance) - clear, y(first + 1) + clear],
    ] as const;
    const lines = edges.map(
      ([left, top]) => `M${left},${top}l${x(steps) - x(0)},${y(steps) - y(0)}`,
    );
    return svg`<path class="target" d=${lines.join('')} />`;
  });
}

/** The one stripe that is named; in the rows below it the keys to its right are still to come. */
const namedRow = originalLength + 5;

/** On the map of the strongest head: where it should look, and the queries that do not. */
function marks(view: HeadsView, best: number, { left, top, width, height }: MatrixFrame) {
  const { data, say } = view;
  const { length } = data.tokens;
  const edges = {
    x: (key: number) => left + (key / length) * width,
    y: (query: number) => top + ((query - originalLength) / (length - originalLength)) * height,
  };
  const wrong = wrongQueries(view, best);
  const right = left + width;
  const [nearest] = distancesOf(view);
  const [stripe, name] = [edges.x(namedRow - nearest! + 1) + 3, edges.x(namedRow + 3)];
  const level = edges.y(namedRow);
  return svg`${targets(view, edges)}
    <line class="target" x1=${stripe} x2=${name} y1=${level} y2=${level} />
    <text class="target-name" x=${name + 4} y=${level + 4}>${say.right}</text>
    ${wrong.map(
      (query) => svg`<rect class="wrong-row" x=${right - 8} width="8" y=${edges.y(query)}
        height=${height / (length - originalLength)} />`,
    )}
    ${
      wrong.length > 0
        ? svg`<text class="wrong-name" x=${right} y=${top - 6}
            text-anchor="end">${say.wrong}</text>`
        : nothing
    }`;
}

/** All weights of a head; of the best, those past the training length, if there are any. */
function map(view: HeadsView, head: number, best: number | undefined) {
  const { data, settings, say, width, theme } = view;
  const layer = data.layers![Number(settings.layer) - 1]!;
  const { length } = data.tokens;
  const ticks = ticksEvery(length, originalLength);
  const isBest = head === best;
  const first = isBest && length > originalLength ? originalLength : 0;
  const rows = length - first;
  const side = Math.min(width, mapWidth);
  return html`<div class="head-map">
    <p class=${isBest ? 'is-best' : ''}>${say.head(head + 1)}${isBest ? say.best[settings.layer] : ''}${first > 0 ? say.past : ''}</p>
    ${matrixPlot({
      id: `head-${head}`,
      width: first > 0 ? width : side,
      height: first > 0 ? Math.min(pastHeight, width - 60) : side - 60,
      matrix: {
        values: headOf(layer, head, length).subarray(first * length),
        rows,
        columns: length,
      },
      scale: magnitudeScale(theme, strongWeight),
      columns: { label: say.key, ticks },
      rows: {
        label: say.query,
        ticks: ticks
          .filter(({ value }) => value >= first)
          .map(({ value, text }) => ({ value: value - first, text })),
      },
      legend: say.weight,
      label: say.head(head + 1),
      ...(first > 0 && { over: (frame: MatrixFrame) => marks(view, head, frame) }),
    })}
  </div>`;
}

function maps(view: HeadsView) {
  const { data, settings, say } = view;
  const layer = data.layers?.[Number(settings.layer) - 1];
  if (!layer) return html`<p class="setting" role="status">${say.missing}</p>`;
  const best = strongest(view)?.head;
  const heads = Array.from({ length: layer.heads }, (_, head) => head);
  return html`${byPlace(view)} ${best === undefined ? nothing : map(view, best, best)}
    <div class="head-maps values-only">
      ${heads.filter((head) => head !== best).map((head) => map(view, head, best))}
    </div>`;
}

/** Weights from here on have the darkest color: beyond the training length few are larger. */
const strongWeight = 0.4;

/** Width of a square map with its axes, and height of the one past the training length. */
const mapWidth = 304;
const pastHeight = 270;

/** How much the strongest head looks there, by place. */
function byPlace(view: HeadsView) {
  const { data, settings, language, say, width } = view;
  const layer = data.layers?.[Number(settings.layer) - 1];
  const best = strongest(view);
  if (!layer || !best) return nothing;
  const { length } = data.tokens;
  const weights = headOf(layer, best.head, length);
  const distances = distancesOf(view);
  const points = Array.from({ length: length - firstQuery(view) }, (_, i): Point => {
    const query = firstQuery(view) + i;
    return [query, weightAt(weights, length, query, distances)];
  });
  const wrong = wrongQueries(view, best.head);
  return lineChart({
    width,
    height: 230,
    x: { domain: [0, length - 1], label: say.placeAxis, whole: true },
    y: { domain: [0, 1], label: say.weightAxis[settings.layer] },
    series: [
      { name: '', look: looks[settings.scheme], points },
      {
        name: '',
        look: 'is-wrong bold',
        points: points.filter(([query]) => wrong.includes(query)),
        dots: true,
      },
    ],
    label: describe(view),
    headroom: length > originalLength ? limitHeadroom : 0,
    below: (frame) => svg`
      ${length > originalLength ? trainedLimit(frame, originalLength, language) : nothing}
      <g class="is-wrong">${limitAtY(frame, 0.5, say.wrong, 'below')}</g>`,
  });
}

function draw(view: HeadsView) {
  const { data, settings, language, say, redraw, recompute, control } = view;
  const { live, recorded } = data;
  Object.assign(live, { redraw, onModel: recompute });
  const chosen = descriptionsOf(recorded.plan, settings.scheme, [liveSeed], settings.steps);
  const nameOf = () => contestWords[language].run(schemeNames[settings.scheme][language], liveSeed);
  const best = strongest(view);
  return html`${
    settings.model === 'own'
      ? html`${liveBar({ live, language, chosen, nameOf })}
            <div class="controls">${control('steps')}</div>`
      : nothing
  }
    ${maps(view)}
    <details class="about">
      <summary>${contestWords[language].about}</summary>
      <p class="setting">${say.setting(whole(recorded.plan.steps))}</p>
    </details>
    ${
      best
        ? numbers({
            head: [say.strongest[settings.layer], String(best.head + 1)],
            within: [say.within, fixed(best.within, 3)],
            beyond: [say.beyond, fixed(best.beyond, 3)],
          })
        : nothing
    }`;
}

function describe(view: HeadsView): string {
  const { settings, language, say } = view;
  const best = strongest(view);
  if (!best) return say.missing;
  const wrong = wrongQueries(view, best.head);
  const beyond = Math.max(0, view.data.tokens.length - originalLength);
  return say.describe(
    [schemeNames[settings.scheme][language], best.head + 1, say.target[settings.layer]],
    fixed(best.within, 2),
    [wrong.length, beyond],
  );
}

export default defineFigure({
  claims: ['E2'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: load,
  draw,
  describe,
  table: (view: HeadsView) => {
    const { data, settings, say } = view;
    const { length } = data.tokens;
    const layer = data.layers?.[Number(settings.layer) - 1];
    const head = strongest(view)?.head ?? 0;
    return {
      columns: [say.query, ...data.tokens.map((_, key) => String(key))],
      rows: layer
        ? data.tokens.map((_, query) => [
            query,
            ...headOf(layer, head, length).subarray(query * length, (query + 1) * length),
          ])
        : [],
    };
  },
  styles: shortStyle,
});
