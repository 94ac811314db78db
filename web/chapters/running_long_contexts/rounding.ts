/** The dtype microscope: positions, angles and scores as narrow formats hold them. */
import { html } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { roundingText, words } from './rounding_text.ts';
import { firstPositions, positionsShown, type Rounding } from './jobs.ts';
import { runningStyle } from './style.ts';

const controls = defineControls({
  start: {
    kind: 'range',
    label: words.start,
    hue: 'position',
    default: 480,
    min: 0,
    max: 60000,
    step: 20,
  },
  distance: { kind: 'range', label: words.distance, symbol: 'Δ', default: 1, min: 0, max: 64 },
  format: {
    kind: 'choice',
    label: words.format,
    default: 'bf16',
    options: (['bf16', 'f16', 'f32', 'f64'] as const).map((value) => ({
      value,
      label: words.formats[value],
    })),
  },
  stage: {
    kind: 'choice',
    label: words.stage,
    default: 'position',
    options: (['position', 'frequency', 'angle', 'table', 'vectors', 'all'] as const).map(
      (value) => ({ value, label: words.stages[value] }),
    ),
  },
});

type RoundingView = View<SettingsOf<typeof controls>, Rounding, number>;

const placeOf = ({ focus, data }: RoundingView) =>
  Math.min(positionsShown - 1, Math.max(0, Math.round((focus ?? 0) - data.positions[0]!)));

function frame({ data, width, focus, setFocus }: RoundingView, share: number) {
  return {
    width,
    height: Math.round(Math.min(300, Math.max(230, width * share))),
    cursor: focus,
    onCursor: setFocus,
    domain: [data.positions[0]!, data.positions.at(-1)!] as const,
  };
}

function steps(view: RoundingView) {
  const { data, language } = view;
  const strings = words.strings[language];
  const { domain, ...common } = frame(view, 0.3);
  const points = (values: number[]) => values.map((value, k): Point => [data.positions[k]!, value]);
  return lineChart({
    ...common,
    x: { domain, label: strings.positionAxis },
    y: {
      domain: [Math.min(domain[0], ...data.held), Math.max(domain[1], ...data.held)],
      label: strings.heldAxis,
    },
    series: [
      { name: strings.exactPosition, points: points(data.positions), look: 'faint' },
      { name: strings.heldPosition, points: points(data.held), look: 'position', dots: true },
    ],
    label: describe(view),
    digits: 0,
  });
}

function scores(view: RoundingView) {
  const { data, language } = view;
  const strings = words.strings[language];
  const { domain, ...common } = frame(view, 0.3);
  const [low, high] = [Math.min(data.exact, ...data.scores), Math.max(data.exact, ...data.scores)];
  const room = Math.max(1e-9, (high - low) * 0.15, Math.abs(data.exact) * 1e-3);
  return lineChart({
    ...common,
    x: { domain, label: strings.positionAxis },
    y: { domain: [low - room, high + room], label: strings.scoreAxis },
    series: [
      {
        name: strings.scores,
        points: data.scores.map((score, k): Point => [data.positions[k]!, score]),
        look: 'query bold',
      },
      {
        name: strings.exactScore,
        points: data.positions.map((position): Point => [position, data.exact]),
        look: 'faint dashed',
      },
    ],
    label: strings.scoresLabel(fixed(data.exact, 4), fixed(low, 4), fixed(high, 4)),
    digits: 5,
  });
}

function draw(view: RoundingView) {
  const { data, settings, language } = view;
  const strings = words.strings[language];
  const place = placeOf(view);
  const worst = Math.max(...data.scores.map((score) => Math.abs(score - data.exact)));
  return html`${steps(view)} ${scores(view)}
    ${numbers([
      { id: 'here', label: strings.here(positionsShown), value: String(data.distinctHere) },
      { id: 'first', label: strings.first(firstPositions), value: String(data.distinctOfFirst) },
      {
        id: 'held',
        label: strings.held(data.positions[place]!),
        value: fixed(data.held[place]!, 0),
      },
      { id: 'exact', label: strings.exact(settings.distance), value: fixed(data.exact, 6) },
      { id: 'worst', label: strings.worst, value: rounded(worst, 3) },
    ])}`;
}

function describe({ data, language }: RoundingView): string {
  const [first, last] = [data.positions[0]!, data.positions.at(-1)!];
  return words.strings[language].describe(first, last, data.distinctHere);
}

export default defineFigure({
  claims: [],
  text: roundingText,
  controls,
  compute: ({ format, stage, start, distance }, engine) =>
    engine.rotaryRounding({ format, stage, start, distance }),
  draw,
  describe,
  table: ({ data, language }: RoundingView) => {
    const strings = words.strings[language];
    return {
      columns: [strings.positionAxis, strings.heldPosition, strings.scores],
      rows: data.positions.map((position, k) => [position, data.held[k]!, data.scores[k]!]),
    };
  },
  styles: runningStyle,
});
