/** M-RoPE: a position has three axes, and each pair of a head rotates by one of them. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import { horizontalAxis, textWidth } from '../../plots/axis.ts';
import { rounded } from '../../plots/number.ts';
import { words } from './axes_text.ts';
import { axesStyle } from './axes_style.ts';
import { axes, orders, type MropeAxes, type Order, type Token } from './jobs.ts';

const controls = defineControls({
  token: range(words.token, { default: 12, min: 0, max: 18 }, { display: true }),
});

/** The focus is the index of a token. */
type AxesView = ViewOf<typeof controls, typeof words.strings, MropeAxes, number>;

const chosen = ({ focus, settings, data }: AxesView) =>
  Math.min(data.tokens.length - 1, focus ?? settings.token);

const gap = 5;
const cell = 30;

interface Placed {
  token: Token;
  index: number;
  x: number;
  y: number;
}

/** The text before the clip, the frames side by side, and the text after it, from the top down. */
function placesOf({ data, width, say }: AxesView) {
  const { tokens } = data;
  const patches = tokens.filter(({ patch }) => patch).map(({ patch }) => patch!);
  const first = tokens.findIndex(({ patch }) => patch);
  const [frames, rows, columns] = (['frame', 'row', 'column'] as const).map(
    (key) => 1 + Math.max(...patches.map((patch) => patch[key])),
  ) as [number, number, number];
  const left = Math.max(44, textWidth(say.text) + 8);
  const pitch = Math.min(64, (width - left - gap * (frames - 1)) / (frames * columns));
  const clipTop = cell + 26;
  const textTop = clipTop + rows * cell + 10;
  const places = tokens.map((token, index): Placed => {
    const { patch } = token;
    if (!patch) {
      const isBefore = index < first;
      const place = isBefore ? index : index - first - patches.length;
      return { token, index, x: left + place * pitch, y: isBefore ? 0 : textTop };
    }
    const { frame, row, column } = patch;
    const x = left + frame * (columns * pitch + gap) + column * pitch;
    return { token, index, x, y: clipTop + row * cell };
  });
  const frameNames = Array.from({ length: frames }, (_, frame) => ({
    text: say.frame(frame + 1),
    x: left + frame * (columns * pitch + gap),
  }));
  return { places, pitch, clipTop, textTop, frameNames, height: textTop + cell };
}

function drawToken(view: AxesView, { token, index, x, y }: Placed, pitch: number) {
  const { at } = token;
  const middle = x + pitch / 2 - 1;
  const apart = Math.min(17, pitch / 3.4);
  return svg`<g>
    <rect class=${index === chosen(view) ? 'token is-at' : 'token'} x=${x} y=${y}
      width=${pitch - 3} height=${cell - 3} rx="2" />
    ${axes.map(
      (axis, k) => svg`<text class="number ${axis}" x=${middle + (k - 1) * apart} y=${y + 18}
        text-anchor="middle">${at[k]}</text>`,
    )}
    <rect class="pointer" x=${x} y=${y} width=${pitch} height=${cell}
      @pointerenter=${() => view.setFocus(index)} @pointerleave=${() => view.setFocus(undefined)}
      @click=${() => view.set({ token: index })} />
  </g>`;
}

const lane = 24;

const orderHeight = 26 + axes.length * lane;

/** Each pair on the line of its axis, with the position of the chosen token there. */
function drawPairs(view: AxesView, order: Order, top: number): SVGTemplateResult {
  const { data, width, say } = view;
  const { wavelengths, tokens } = data;
  const axisOfPair = data.axisOfPair[order];
  const { at, patch } = tokens[chosen(view)]!;
  const left = textWidth('t = 10') + 6;
  const pitch = (width - left - 16) / axisOfPair.length;
  const bottom = top + axes.length * lane;
  const ticks = [0, 11, 22, axisOfPair.length - 1].map((value) => ({
    value,
    text: rounded(wavelengths[value]!, 2),
  }));
  const isLast = order === orders.at(-1);
  return svg`<text class="order" x="0" y=${top - 8}>${say.orders[order]}</text>
  ${axes.map((axis, k) => {
    const middle = top + k * lane + lane / 2;
    return svg`<text class="number ${axis}" x="0" y=${middle + 5}>${axis} = ${at[k]}</text>
      <line class="lane" x1=${left} x2=${width - 16} y1=${middle} y2=${middle} />`;
  })}
  ${Array.from(
    axisOfPair,
    (
      axis,
      pair,
    ) => svg`<rect class="pair ${patch ? axes[axis] : 'all'}" x=${left + pair * pitch + 1}
      y=${top + axis * lane + 3} width=${Math.max(2, pitch - 2)} height=${lane - 6} />`,
  )}
  ${
    isLast
      ? horizontalAxis(
          {
            at: (pair) => left + (pair + 0.5) * pitch,
            ticks,
            label: say.axis,
            start: left,
            end: width - 16,
            width,
          },
          bottom + 4,
        )
      : nothing
  }`;
}

/** The fastest wavelength of the columns. */
const fastest = ({ axisOfPair, wavelengths }: MropeAxes, order: Order) =>
  wavelengths[axisOfPair[order].indexOf(axes.indexOf('w'))]!;

function sentence(view: AxesView): string {
  const { data, say } = view;
  const { at, patch } = data.tokens[chosen(view)]!;
  if (!patch) return say.plain(at[0], data.plainPairs[chosen(view)]!, data.wavelengths.length);
  const [turns, blocks] = orders.map((order) => rounded(fastest(data, order), 2)) as [
    string,
    string,
  ];
  return say.patch(turns, blocks);
}

function draw(view: AxesView): TemplateResult {
  const { width, say } = view;
  const { places, pitch, clipTop, textTop, frameNames, height } = placesOf(view);
  const top = height + 42;
  const all = top + orders.length * orderHeight + 20;
  return html`<div class="plot">
      <svg width=${width} height=${all} viewBox="0 0 ${width} ${all}" role="img"
        aria-label=${describe(view)}>
        <text x="0" y="18">${say.text}</text>
        ${frameNames.map(({ text, x }) => svg`<text x=${x} y=${clipTop - 8}>${text}</text>`)}
        <text x="0" y=${textTop + 18}>${say.text}</text>
        ${places.map((placed) => drawToken(view, placed, pitch))} 
        ${orders.map((order, at) => drawPairs(view, order, top + at * orderHeight))}
      </svg>
    </div>
    <p class="readout" role="status">${sentence(view)}</p>`;
}

function describe({ data, say }: AxesView): string {
  const { tokens, axisOfPair } = data;
  const patches = tokens.filter(({ patch }) => patch).length;
  return say.describe(
    tokens.length,
    patches,
    ...(orders.map((order) => Array.from(axisOfPair[order], (axis) => axes[axis]).join(' ')) as [
      string,
      string,
    ]),
  );
}

export default defineFigure({
  claims: ['C47'],
  text: words.strings,
  tries: words.tries,
  hasOwnFinding: true,
  controls,
  compute: (_, engine) => engine.mropeAxes(),
  draw,
  describe,
  table(view: AxesView) {
    const { data, say } = view;
    const { at } = data.tokens[chosen(view)]!;
    return {
      columns: say.columns,
      rows: Array.from(data.wavelengths, (wavelength, pair) => {
        const [turns, blocks] = orders.map((order) => data.axisOfPair[order][pair]!);
        return [pair, axes[turns!]!, axes[blocks!]!, wavelength, at[turns!]!, at[blocks!]!];
      }),
    };
  },
  styles: axesStyle,
});
