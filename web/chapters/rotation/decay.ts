/** A score against distance; among the values, its bound and the mean of the partial sums. */
import { html, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls } from '../../figures/figure.ts';
import { baseRange, choice, modelRange, range } from '../../figures/shared_controls.ts';
import { lineChart } from '../../plots/line_chart.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { words } from './decay_text.ts';
import { usualBase } from './jobs.ts';
import { rotationStyle } from './style.ts';

export default chartFigure({
  claims: ['C24'],
  text: words.strings,
  tries: words.tries,
  styles: rotationStyle,
  controls: defineControls(
    {
      vectors: choice(words.vectors, { random: words.random, ones: words.ones }, 'random'),
      base: baseRange(100, 1e7),
      offset: range(
        words.offset,
        { default: 92, min: 0, max: 2048 },
        { symbol: 'Δ', hue: 'position', display: true },
      ),
      dim: modelRange('dim', words.dim, { default: 128, min: 4, max: 256 }),
      range: range(words.range, { default: 256, min: 32, max: 2048, step: 32 }),
      seed: range(words.seed, { default: 1, min: 1, max: 999 }),
    },
    { offset: ({ range }) => range },
  ),
  cursor: 'offset',
  compute: ({ dim, base, range, vectors, seed }, engine) =>
    engine.rotaryDecayCurves({ dim, base, range, vectors, seed }),
  show({ data, settings, cursor: offset, say, width }) {
    const { base, range, dim } = settings;
    const { mean, usual, score, magnitude, bound } = data;
    const most = Math.max(...bound);
    const top = score.indexOf(Math.max(...score));
    // What is smaller than this share of the bound runs along the frame's edge, without spikes.
    const least = most * 1e-4;
    const sizes = (values: Float64Array) => values.map((value) => Math.max(Math.abs(value), least));
    const climbsOf = (values: Float64Array) =>
      values.filter((value, at) => at > 0 && value > values[at - 1]!).length;
    const shares = magnitude.map((value, at) => value / bound[at]!);
    const [low, high] = [Math.min(0, ...score), Math.max(...score)];
    const room = 0.06 * (high - low);
    const x = { domain: [0, range], label: say.offsetAxis } as const;
    const means = lineChart({
      width,
      height: 240,
      x,
      y: { domain: [0, ((dim / 2 + 1) / 2) * 1.03], label: say.meanAxis },
      series: [
        { name: say.yours(whole(base)), values: mean, look: 'position bold' },
        ...(base === usualBase
          ? []
          : [{ name: say.usual(whole(usualBase)), values: usual, look: 'faint' }]),
      ],
      label: say.meanLabel(fixed(mean[0]!, 2), range, fixed(mean[range]!, 2)),
      cursor: offset,
    });
    const bounds = lineChart({
      width,
      height: 280,
      x,
      y: { domain: [least, most * 1.5], label: say.sizeAxis, scale: 'log' },
      series: [
        { name: say.bound, values: bound, look: 'plain dashed' },
        { name: say.magnitude, values: sizes(magnitude), look: 'plain' },
        { name: say.score, values: sizes(score), look: 'query' },
      ],
      label: say.boundLabel,
      cursor: offset,
      digits: 1,
    });
    return {
      description:
        top === 0
          ? say.falls(fixed(score[0]!, 1), range, climbsOf(score))
          : say.rises(fixed(score[0]!, 1), fixed(score[top]!, 1), top),
      charts: [
        {
          height: { share: 0.45, min: 240, max: 340 },
          x,
          y: { domain: [low - room, high + room], label: say.scoreColumn },
          series: [{ name: '', values: score, look: 'query bold' }],
          digits: 1,
          below: (frame) =>
            svg`${[...new Set([0, top])].map(
              (at) =>
                svg`<circle class="ring" cx=${frame.x(at)} cy=${frame.y(score[at]!)} r="7" />`,
            )}`,
        },
      ],
      after: html`<div class="values-only">${means} ${bounds}</div>`,
      numbers: {
        mean: [say.mean(offset), fixed(mean[offset]!, 4)],
        climbs: [say.climbs(range), String(climbsOf(mean))],
        score: [say.scoreAt(offset), fixed(score[offset]!, 4)],
        bound: [say.boundAt(offset), rounded(bound[offset]!, 5)],
        closest: [say.closest(range), `${fixed(100 * Math.max(...shares), 1)}%`],
      },
      table: [
        ['Δ', mean.map((_, at) => at)],
        [say.meanAxis, mean],
        [say.scoreColumn, score],
        [say.magnitude, magnitude],
        [say.bound, bound],
      ],
    };
  },
});
