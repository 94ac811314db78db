/** The drawing of `extend-without-training`. */
import { html, nothing, svg } from 'lit';
import { numbers } from '../../figures/numbers.ts';
import { dotPlot } from '../../plots/dot_plot.ts';
import { limitAtY, lineChart, type Point, type Series } from '../../plots/line_chart.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import type { RecordedRun } from '../../trained/recordings.ts';
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

function methodDots(view: ExtensionView, width: number) {
  const { settings, language, say } = view;
  const rows = recordedMethods.flatMap(({ key, name }) => {
    const values = valuesOf(view, key, settings.length);
    if (values.length === 0) return [];
    const { mean, low, high } = spreadOf(values);
    const fresh = valuesOf(view, key, settings.length, 1);
    return {
      name: name[language],
      value: mean,
      low,
      high,
      look: 'is-rope',
      others: fresh.length > 0 ? [{ value: spreadOf(fresh).mean, look: 'is-fresh' }] : [],
    };
  });
  return html`${dotPlot({
    width,
    rows,
    x: { domain: [0, 1], label: say.repeated(settings.task) },
    label: describe(view),
  })}
  ${
    settings.task === 'repeats'
      ? html`<ul class="legend" .style=${'--start: 0px'}>
          <li>${key('is-rope')}${say.repeated('repeats')}</li>
          <li>${key('is-fresh')}${say.fresh}</li>
        </ul>`
      : nothing
  }`;
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
    below: (frame) => svg`${limitAtY(frame, 1, say.neighbours, 'above')}
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
        ? numbers(
            {
              measured: [say.measured, fixed(groups[0]?.accuracy ?? measured.scores.accuracy, 3)],
              ...(groups[1] && {
                'measured-fresh': [say.measuredFresh, fixed(groups[1].accuracy, 3)],
              }),
              seconds: [say.seconds, `${rounded(measured.seconds, 2)} s`],
            },
            true,
          )
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
  <p class="setting">${say.source}</p>`;
}

export function draw(view: ExtensionView) {
  const { data, settings, say, width } = view;
  const half = halfWidth(width);
  const { plan, results } = data.recorded;
  const about = say[settings.task](whole(plan.steps), String(results.length));
  return html`<p class="setting">${about}</p>
    <div class="charts" ?data-wide=${half < width}>
      <div>${methodDots(view, half)}</div>
      <div>
        ${lossChart(view, half)} ${live(view)}
      </div>
    </div>
    ${measuring(view)}
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
    ${published(view)}`;
}

export function describe(view: ExtensionView): string {
  const { settings, language, say } = view;
  const means = recordedMethods.map(({ key, name }) => {
    const found = valuesOf(view, key, settings.length);
    return { key, name: name[language], mean: found.length > 0 ? spreadOf(found).mean : -1 };
  });
  const best = means.reduce((a, b) => (b.mean > a.mean ? b : a));
  const direct = means.find(({ key }) => key === 'direct')!;
  return say.describe(settings.length, [best.name, fixed(best.mean, 2)], fixed(direct.mean, 2));
}
