/** The smallest base for a context length, beside the bases of models. */
import { css, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls } from '../../figures/figure.ts';
import { ropeModels, type RopeModel } from '../../figures/rope_models.ts';
import { nameIn, type Frame } from '../../plots/line_chart.ts';
import { whole } from '../../plots/number.ts';
import { textWidth } from '../../plots/axis.ts';
import { smallestBases } from './base_records.ts';
import { words } from './base_text.ts';

/** Two significant digits: the record is that of a search in small steps. */
const about = (value: number) => whole(Number(value.toPrecision(2)));

const least = (length: number) => smallestBases.find(([at]) => at === length)![1];

/** The record is that of heads of 128 numbers. */
const models = ropeModels.filter(({ dim }) => dim === 128);

const isEnough = ({ base, length }: RopeModel) => base >= least(length);

const controls = defineControls({
  model: {
    kind: 'choice',
    label: words.model,
    default: 'llama-2',
    look: 'menu',
    display: true,
    options: models.map(({ id, name }) => ({ value: id, label: { en: name, zh: name } })),
  },
});

/** The bases that are too small, and the names of the models, clear of the line. */
function behind(data: typeof smallestBases, text: string, frame: Frame) {
  const { x, y, left, right, bottom } = frame;
  const line = data.map(([length, base]) => `L${x(length)},${y(base)}`).join('');
  const end = x(data.at(-1)![0]);
  return svg`<path class="too-small" d="M${left},${bottom}${line}L${end},${bottom}Z" />
    ${nameIn(frame, text, { x: end - 10, y: bottom - 12, anchor: 'end' }, 'too-small-label')}
    ${models.map((model, at) => {
      const { name, length, base } = model;
      if (!isEnough(model))
        return nameIn(
          frame,
          name,
          { x: Math.min(x(length) + 8, right - textWidth(name)), y: y(base) + 4 },
          '',
        );
      // Of two side by side the second is named above.
      const isAbove = models[at - 1]?.base === base;
      const [aside, rise] = isAbove ? [14, -12] : [-8, 4];
      return nameIn(frame, name, { x: x(length) + aside, y: y(base) + rise, anchor: 'end' }, '');
    })}`;
}

export default chartFigure({
  claims: ['C46'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: async () => smallestBases,
  show({ data, settings, say }) {
    const model = models.find(({ id }) => id === settings.model)!;
    const needed = about(least(model.length));
    const [base, length] = [whole(model.base), whole(model.length)];
    return {
      description: say.verdict(model.name, length, needed, base, isEnough(model)),
      charts: [
        {
          height: { share: 0.55, min: 340, max: 400 },
          x: { domain: [data[0]![0], data.at(-1)![0]], label: say.lengthAxis, scale: 'log' },
          y: { domain: [1e3, 1e7], label: say.baseAxis, scale: 'log' },
          series: [
            { name: say.bound, points: data, look: 'plain bold' },
            {
              name: say.models,
              points: models.map((each) => [each.length, each.base] as const),
              look: 'faint bold',
              dots: true,
            },
            {
              name: say.chosen(model.name),
              points: [[model.length, model.base]],
              look: 'position bold',
              dots: true,
            },
          ],
          below: (frame) => behind(data, say.tooSmall, frame),
        },
      ],
      table: { columns: say.columns, rows: data },
    };
  },
  styles: css`
    .too-small { fill: var(--warning); fill-opacity: 0.1; }
    svg .too-small-label:not([fill]) { fill: var(--warning); }
  `,
});
