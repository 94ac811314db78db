/** The drawing of `extend-without-training`. */
import { html, nothing, svg } from 'lit';
import { mainNumbers } from '../../figures/numbers.ts';
import { dotPlot } from '../../plots/dot_plot.ts';
import { limitAtY, lineChart, type Point, type Series } from '../../plots/line_chart.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import type { Recorded, RecordedRun } from '../../trained/recordings.ts';
import { halfWidth, spreadText } from './contest.ts';
import { contestWords } from './contest_text.ts';
import { planRuns, type ExtensionView } from './extend_controls.ts';
import { recordedLeaks, recordedMethods, recordedWindows } from './extend_methods.ts';
import { liveBar } from './live_view.ts';
import { joined, spreadOf } from './recorded.ts';

/** Accuracy of a run: on text that repeats (or all of it), and on fresh text. */
export function scoresOf(run: RecordedRun, key: string, length: string): number[] | undefined {
  const [scores] = run.evaluations[`${key}@${length}`] ?? [];
  if (!scores) return undefined;
  return scores.groups?.map(({ accuracy }) => accuracy) ?? [scores.accuracy];
}

const valuesOf = ({ data }: ExtensionView, key: string, length: string, group = 0) =>
  data.recorded.results.flatMap((run) => scoresOf(run, key, length)?.[group] ?? []);

const height = { share: 0.55, min: 240, max: 300 };

function lossChart(view: ExtensionView, width: number) {
  const { data, say } = view;
  const { recorded, live } = data;
  const series: Series[] = [
    ...recorded.results.map(({ curve }) => ({ name: '', look: 'is-rope', points: curve })),
    ...live.of(recorded.plan.name, 'rope').map(({ curve }) => ({
      name: '',
      look: 'is-rope live-line',
      points: curve,
    })),
  ];
  const most = Math.max(1, ...series.flatMap(({ points }) => points.map(([, loss]) => loss)));
  return lineChart({
    width,
    height,
    x: { domain: [0, recorded.plan.steps], label: say.stepAxis },
    y: { domain: [0, Math.min(4, most)], label: say.lossAxis },
    series,
    label: say.lossAxis,
  });
}

/** The mean of a method's scores in a recording, or NaN. */
const meanIn = ({ results }: Recorded, key: string, length: string) =>
  spreadOf(results.flatMap((run) => scoresOf(run, key, length)?.[0] ?? [])).mean;

/** The main methods: on the chosen task, best first, and beside it on the other one. */
function methodDots(view: ExtensionView) {
  const { data, settings, language, say, width } = view;
  const rows = recordedMethods
    .filter(({ isMain }) => isMain)
    .map(({ key, name }) => {
      const { mean, low, high } = spreadOf(valuesOf(view, key, settings.length));
      const other = { value: meanIn(data.other, key, settings.length), look: 'is-other' };
      return {
        name: name[language],
        ...{ value: mean, low, high, look: 'is-rope' },
        others: [other],
        isMarked: key === 'pi' || key === 'ntk',
        isJoined: true,
      };
    })
    .sort((a, b) => b.value - a.value);
  const [task, other] = settings.task === 'repeats' ? say.needs : say.needs.toReversed();
  return html`${dotPlot({
    width,
    rows,
    x: { domain: [0, 1], label: say.accuracy },
    label: describe(view),
  })}
  <ul class="legend" .style=${'--start: 0px'}>
    <li>${key('is-rope')}${task}</li>
    <li>${key('is-other')}${other}</li>
  </ul>`;
}

const key = (look: string) =>
  html`<svg width="12" height="10" aria-hidden="true"
    ><circle class="dot ${look}" cx="6" cy="5" r="4" /></svg>`;

/** Why, in angles: which pairs keep one step as trained, and which the longest distance. */
function angleChart(view: ExtensionView, width: number) {
  const { data, settings, say } = view;
  const factor = Number(settings.length);
  const { used, trained } = data;
  const ratios = used.map((theta, i) => theta / trained[i]!);
  const least = Math.min(0.5 / factor, ...ratios);
  return lineChart({
    width,
    height,
    x: { domain: [0, used.length - 1], label: say.pairAxis, whole: true },
    y: { domain: [least * 0.9, 1.6], label: say.ratioAxis, scale: 'log' },
    series: [{ name: '', look: 'plain', values: ratios }],
    label: say.ratioAxis,
    below: (frame) => svg`${limitAtY(frame, 1, say.neighbors, 'above')}
      ${limitAtY(frame, 1 / factor, say.order(String(factor)), 'below')}`,
  });
}

/** Accuracy against a slider's value, where it was recorded. */
function sweep(
  view: ExtensionView,
  width: number,
  { values, key, label, at }: { values: number[]; key: string; label: string; at: number },
) {
  const { settings, say, data } = view;
  const lists = data.recorded.results.map((run) =>
    values.flatMap((value): Point[] => {
      const scores = scoresOf(run, `${key}_${value}`, settings.length);
      return scores ? [[value, scores[0]!]] : [];
    }),
  );
  return lineChart({
    width,
    height,
    x: { domain: [2, 64], label, scale: 'log', ticks: [2, 4, 8, 16, 32, 64] },
    y: { domain: [0, 1], label: say.accuracy },
    series: [{ name: '', look: 'is-rope', ...joined(lists.filter(({ length }) => length > 0)) }],
    label: say.accuracyOver(label),
    cursor: Math.max(2, at),
    digits: 2,
  });
}

function measuring(view: ExtensionView) {
  const { data, settings, say, control } = view;
  const { measured, isMissing } = data;
  const { method } = settings;
  const usesFactor = !['direct', 'rerope', 'leaky', 'window'].includes(method);
  const groups = measured?.scores.groups ?? [];
  return html`<div class="controls measuring">
      ${control('model')} ${control('method')}
      ${usesFactor ? control('factor') : nothing}
      ${['rerope', 'leaky', 'window'].includes(method) ? control('window') : nothing}
      ${method === 'leaky' ? control('leak') : nothing} ${control('logN')}
    </div>
    ${isMissing ? html`<p class="setting" role="status">${say.missing}</p>` : nothing}
    ${
      measured
        ? mainNumbers({
            measured: [say.measured, fixed(groups[0]?.accuracy ?? measured.scores.accuracy, 3)],
            ...(groups[1] && {
              'measured-fresh': [say.measuredFresh, fixed(groups[1].accuracy, 3)],
            }),
            seconds: [say.seconds, `${rounded(measured.seconds, 2)} s`],
          })
        : nothing
    }`;
}

function live(view: ExtensionView) {
  const { data, language, redraw, recompute, control } = view;
  Object.assign(data.live, { redraw, onModel: recompute });
  const chosen = planRuns(view);
  const nameOf = () => contestWords[language].run('RoPE', view.settings.seed);
  return html`${liveBar({ live: data.live, language, chosen, nameOf })}
    <div class="controls">${control('seed')} ${control('steps')}</div>`;
}

/** Our numbers beside those of Su's posts, whose task is a language model's next token. */
function published(view: ExtensionView) {
  const { settings, language, say } = view;
  const isRepeats = settings.task === 'repeats';
  const share = (value: number) => fixed(value / 100, 3);
  const ours = (method: string, group: number) =>
    spreadText(valuesOf(view, method, settings.length, group));
  return html`<div class="scrolling values-only" tabindex="0" role="region" aria-label=${say.methods}>
    <table>
      <thead><tr>
        <th scope="col">${say.methodColumn}</th>
        <th scope="col">${isRepeats ? say.oursRepeated : say.ours}</th>
        ${isRepeats ? html`<th scope="col">${say.oursFresh}</th>` : nothing}
        <th scope="col">${say.publishedRepeated}</th><th scope="col">${say.publishedFresh}</th>
      </tr></thead>
      <tbody>${recordedMethods.map(
        (method) => html`<tr>
          <th scope="row">${method.name[language]}</th>
          <td data-number="recorded-${method.key}">${ours(method.key, 0)}</td>
          ${isRepeats ? html`<td>${ours(method.key, 1)}</td>` : nothing}
          ${[0, 1].map(
            (column) => html`<td>${method.published ? share(method.published[column]!) : '–'}</td>`,
          )}
        </tr>`,
      )}</tbody>
    </table>
  </div>
  <p class="setting values-only">${say.source}</p>`;
}

/** A model is trained or chosen, and any method measured on it. */
function workshop(view: ExtensionView) {
  const { data, settings, say, width } = view;
  const half = halfWidth(width);
  const { plan, results } = data.recorded;
  return html`<details class="about" ?open=${settings.model !== 'off'}>
    <summary>${say.workshop}</summary>
    <p class="setting">${say[settings.task](whole(plan.steps), String(results.length))}</p>
    ${lossChart(view, width)} ${live(view)} ${measuring(view)}
    <div class="charts" ?data-wide=${half < width}>
      ${angleChart(view, half)}
      ${
        settings.method === 'leaky'
          ? sweep(view, half, {
              values: recordedLeaks,
              key: 'leaky_rerope_16',
              label: say.leakAxis,
              at: settings.leak,
            })
          : sweep(view, half, {
              values: recordedWindows,
              key: 'rerope',
              label: say.windowAxis,
              at: settings.window,
            })
      }
    </div>
  </details>`;
}

export const draw = (view: ExtensionView) =>
  html`${methodDots(view)} ${workshop(view)} ${published(view)}`;

export function describe({ data, settings, language, say }: ExtensionView): string {
  const { task, length } = settings;
  const { recorded, other } = data;
  const [repeats, drawers] = task === 'repeats' ? [recorded, other] : [other, recorded];
  const meansOf = (method: string) =>
    [repeats, drawers].map((each) => meanIn(each, method, length));
  const pair = (method: string) => meansOf(method).map((mean) => fixed(mean, 2));
  const both = recordedMethods
    .filter(({ isMain, key }) => isMain && meansOf(key).every((mean) => mean > 0.8))
    .sort((a, b) => meanIn(recorded, b.key, length) - meanIn(recorded, a.key, length))
    .map(({ name }) => name[language]);
  return say.describe(both, pair('pi'), pair('ntk'));
}
