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
import { signedScale } from '../../plots/colors.ts';
import { lineChart, nameIn, type Point } from '../../plots/line_chart.ts';
import { fixed, whole } from '../../plots/number.ts';
import { matrixPlot } from '../../plots/matrix_plot.ts';
import { checkpointOf } from '../../trained/models.ts';
import { recorded as recordedFile, recording, type Recorded } from '../../trained/recordings.ts';
import { attentionOf, type Model } from '../../worker/training.ts';
import { limitHeadroom, liveControls, trainedLimit } from './contest.ts';
import { contestWords } from './contest_text.ts';
import {
  recordedPeriod,
  symbolsOf,
  unpacked,
  type HeadWeights,
  type RecordedHeads,
} from './head_weights.ts';
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
  period: range(words.period, { default: recordedPeriod, min: 4, max: 16 }, { symbol: 'P' }),
  layer: choice(words.layer, words.layers, '2', { display: true }),
  model: choice(words.model, words.models, 'recorded'),
  steps: liveControls.steps,
});

interface Heads {
  recorded: Recorded;
  live: LiveRuns;
  tokens: number[];
  /** Weights of each layer; undefined without a model. */
  layers: HeadWeights[] | undefined;
}

type HeadsView = ViewOf<typeof controls, typeof words.strings, Heads, number>;

function modelOf(live: LiveRuns, recorded: Recorded, variant: string): Model | undefined {
  const done = live.of(recorded.plan.name, variant).filter(({ checkpoint }) => checkpoint);
  const last = done.at(-1);
  return last && { id: last.id, options: last.description.trainer, checkpoint: last.checkpoint! };
}

async function load(settings: SettingsOf<typeof controls>, engine: object): Promise<Heads> {
  const recorded = await recording('heads_repeats');
  const live = liveRunsOf(engine, recorded);
  const tokens = symbolsOf(settings.period, Number(settings.length));
  return { recorded, live, tokens, layers: await layersOf() };

  async function layersOf(): Promise<HeadWeights[] | undefined> {
    const { scheme, period, model } = settings;
    if (model === 'recorded' && period === recordedPeriod) {
      const file = await recordedFile<RecordedHeads>(`trained_heads_${scheme}`);
      return unpacked(file, tokens.length);
    }
    const chosen =
      model === 'own' ? modelOf(live, recorded, scheme) : await checkpointOf(recorded, scheme);
    const layers = chosen && (await attentionOf(chosen, tokens));
    return layers?.map(({ data, shape }) => ({ data, heads: shape[0]! }));
  }
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

const headOf = ({ data }: HeadWeights, head: number, length: number) =>
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

/** The weights of a head; where it should look they are negative, which has the color blue. */
function signedWeights(view: HeadsView, weights: Float32Array) {
  const { length } = view.data.tokens;
  const distances = distancesOf(view);
  const isRight = (i: number) => distances.includes(Math.floor(i / length) - (i % length));
  return weights.map((weight, i) => (isRight(i) ? -weight : weight));
}

/** All weights of a head; of the best, those past the training length, if there are any. */
function map(view: HeadsView, head: number, best: number | undefined) {
  const { data, settings, say, width, theme } = view;
  const layer = data.layers![Number(settings.layer) - 1]!;
  const { length } = data.tokens;
  const ticks = ticksEvery(length, originalLength);
  const isBest = head === best;
  const first = isBest && length > originalLength ? originalLength : 0;
  const side = Math.min(width, mapWidth);
  return html`<div class="head-map">
    <p class=${isBest ? 'is-best' : ''}>${say.head(head + 1)}${isBest ? say.best[settings.layer] : ''}${first > 0 ? say.past : ''}</p>
    ${matrixPlot({
      id: `head-${head}`,
      width: first > 0 ? width : side,
      height: first > 0 ? Math.min(pastHeight, width - 60) : side - 60,
      matrix: {
        values: signedWeights(view, headOf(layer, head, length)).subarray(first * length),
        rows: length - first,
        columns: length,
      },
      scale: signedScale(theme, strongWeight),
      columns: { label: say.key, ticks },
      rows: {
        label: say.query,
        ticks: ticks
          .filter(({ value }) => value >= first)
          .map(({ value, text }) => ({ value: value - first, text })),
      },
      legend: say.weight,
      ends: [say.right, say.elsewhere],
      label: say.head(head + 1),
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
      <rect class="wrong-area" x=${frame.left} width=${frame.right - frame.left}
        y=${frame.y(0.5)} height=${frame.bottom - frame.y(0.5)} />
      ${length > originalLength ? trainedLimit(frame, originalLength, language) : nothing}
      ${nameIn(frame, say.wrong, { x: frame.left + 6, y: frame.bottom - 8 }, 'wrong-name')}`,
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
    <p class="example">${say.example[settings.layer]}</p>
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
