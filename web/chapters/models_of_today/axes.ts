/** M-RoPE: a position has three axes, and each pair of a head rotates by one of them. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import { horizontalAxis, textWidth } from '../../plots/axis.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { pairCircle } from '../../plots/pair_circle.ts';
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

/** From this width on text and frames stand in one row. */
const wide = 560;
const gap = 12;
const cell = 42;
const nameHeight = 22;
/** Room for the rows at the left of a frame, and for the columns above it. */
const heads = { width: 34, height: 18 };

/** A frame of the clip, or the text before or after it; indices of tokens. */
interface Part {
  frame: number | undefined;
  tokens: number[];
}

function partsOf(tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  tokens.forEach(({ patch }, index) => {
    const last = parts.at(-1);
    if (last && last.frame === patch?.frame) last.tokens.push(index);
    else parts.push({ frame: patch?.frame, tokens: [index] });
  });
  return parts;
}

/** The picture behind the patches of a frame: a ball above a hill, further right in each frame. */
function drawScene(frame: number, width: number, height: number): SVGTemplateResult {
  const x = width * (0.25 + 0.45 * frame);
  const hill = 'M0,1V.8Q.55,.4,1,.75V1Z';
  return svg`<rect class="sky" width=${width} height=${height} />
    <path class="hill" d=${hill} transform="scale(${width}, ${height})" />
    <circle class="ball" cx=${x} cy=${height * 0.34} r=${height * 0.2} />`;
}

/** The box of a token; one of the text has one number for its three axes. */
function drawToken(view: AxesView, index: number, pitch: number): SVGTemplateResult {
  const { at, patch } = view.data.tokens[index]!;
  return svg`<rect class=${index === chosen(view) ? 'token is-at' : 'token'} width=${pitch - 2}
      height=${cell - 2} rx="2" />
    ${
      patch
        ? nothing
        : svg`<text class="number" x=${pitch / 2 - 1} y=${cell / 2 + 4}
            text-anchor="middle">${at[0]}</text>`
    }
    <rect class="pointer" width=${pitch} height=${cell}
      @pointerenter=${() => view.setFocus(index)} @pointerleave=${() => view.setFocus(undefined)}
      @click=${() => view.set({ token: index })} />`;
}

/** A part where it is drawn: its tokens by their places in it. */
interface PlacedPart extends Part {
  x: number;
  y: number;
  columns: number;
  rows: number;
  places: { index: number; row: number; column: number }[];
}

/** The text before the clip, the frames of the clip and the text after it, in one row or three. */
function layout({ data, width }: AxesView) {
  const parts = partsOf(data.tokens).map((part): PlacedPart => {
    const places = part.tokens.map((index, column) => ({
      index,
      ...(data.tokens[index]!.patch ?? { row: 0, column }),
    }));
    const [columns, rows] = (['column', 'row'] as const).map(
      (key) => 1 + Math.max(...places.map((place) => place[key])),
    ) as [number, number];
    return { ...part, x: 0, y: 0, columns, rows, places };
  });
  const lines = width >= wide ? [parts] : [[parts[0]!], parts.slice(1, -1), [parts.at(-1)!]];
  const headsOf = ({ frame }: Part) => (frame === undefined ? 0 : heads.width);
  const pitches = lines.map((line) => {
    const across = line.reduce((sum, { columns }) => sum + columns, 0);
    const beside = line.reduce((sum, part) => sum + headsOf(part), gap * (line.length - 1));
    return (width - 2 - beside) / across;
  });
  const pitch = Math.min(64, ...pitches);
  let height = 0;
  for (const line of lines) {
    const above = nameHeight + (line.some(headsOf) ? heads.height : 0);
    let x = 1;
    for (const part of line) {
      part.x = x + headsOf(part);
      part.y = height + above;
      x = part.x + part.columns * pitch + gap;
    }
    height += above + Math.max(...line.map(({ rows }) => rows)) * cell + 6;
  }
  return { parts, pitch, height };
}

/** The time, the rows and the columns of a frame, each once and in the color of its axis. */
function drawHeads({ data, say }: AxesView, { frame, places }: PlacedPart, pitch: number) {
  const axis = (k: number, at: number | undefined, x: number, y: number, anchor = 'middle') =>
    svg`<text class="number ${axes[k]!}" x=${x} y=${y}
      text-anchor=${anchor}>${axes[k]} ${at}</text>`;
  const at = (index: number) => data.tokens[index]!.at;
  const name = say.frame(frame! + 1);
  return svg`<text y=${-7 - heads.height}>${name}</text>
    ${axis(0, at(places[0]!.index)[0], textWidth(name) + 8, -7 - heads.height, 'start')}
    ${places.map(({ index, row, column }) => [
      column === 0 ? axis(1, at(index)[1], -6, row * cell + cell / 2 + 4, 'end') : nothing,
      row === 0 ? axis(2, at(index)[2], (column + 0.5) * pitch - 1, -6) : nothing,
    ])}`;
}

function drawTokens(view: AxesView): TemplateResult {
  const { width, say } = view;
  const { parts, pitch, height } = layout(view);
  return html`<div class="plot">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img"
      aria-label=${describe(view)}>
      ${parts.map((part) => {
        const { frame, x, y, columns, rows, places } = part;
        return svg`<g transform="translate(${x}, ${y})">
          ${
            frame === undefined
              ? svg`<text y="-7">${say.text}</text>`
              : [
                  drawScene(frame, columns * pitch - 2, rows * cell - 2),
                  drawHeads(view, part, pitch),
                ]
          }
          ${places.map(
            ({ index, row, column }) => svg`<g
              transform="translate(${column * pitch}, ${row * cell})">
              ${drawToken(view, index, pitch)}
            </g>`,
          )}
        </g>`;
      })}
    </svg>
  </div>`;
}

/** In the order of their years. */
const drawnOrders = ['consecutive', 'interleaved'] as const satisfies readonly Order[];

const stripe = { name: 22, height: 26, step: 44 };

/** The fastest pair of the columns. */
const fastest = ({ axisOfPair }: MropeAxes, order: Order) =>
  axisOfPair[order].indexOf(axes.indexOf('w'));

/** By how many degrees one column turns the fastest pair of the columns. */
const columnAngle = (data: MropeAxes, order: Order) =>
  360 / data.wavelengths[fastest(data, order)]!;

const degrees = (angle: number) => (angle < 0.01 ? fixed(angle, 4) : rounded(angle, 2));

/** The pairs in the color of their axis; for a token of the text all axes are one. */
function drawOrder(view: AxesView, order: Order, top: number): SVGTemplateResult {
  const { data, width, say } = view;
  const axisOfPair = data.axisOfPair[order];
  const { patch } = data.tokens[chosen(view)]!;
  const pitch = width / axisOfPair.length;
  const y = top + stripe.name;
  return svg`<text class="order" x="0" y=${top + 14}>${say.orders[order]}</text>
    ${Array.from(axisOfPair, (axis, pair) => {
      const look = patch ? axes[axis]! : 'all';
      return svg`<rect class="pair ${look}" x=${pair * pitch + 0.5} y=${y} width=${pitch - 1}
          height=${stripe.height} />
        ${
          patch && pitch >= 14
            ? svg`<text class="letter" x=${(pair + 0.5) * pitch} y=${y + 18}
                text-anchor="middle">${look}</text>`
            : nothing
        }`;
    })}
    ${patch ? drawStep(view, order, (fastest(data, order) + 0.5) * pitch, y) : nothing}`;
}

const dial = 30;

/** Frames the fastest pair of the columns, and draws by how much it turns in the next column. */
function drawStep({ data, width, say }: AxesView, order: Order, x: number, y: number) {
  const pitch = width / data.wavelengths.length;
  const angle = columnAngle(data, order);
  const text = say.step(degrees(angle));
  const isLeft = x + dial / 2 + 6 + textWidth(text) > width;
  const top = y + stripe.height + 8;
  const circle = pairCircle(dial, 2, 'top');
  const turned = circle.vectorAt((angle * Math.PI) / 180);
  return svg`<rect class="fastest" x=${x - pitch / 2} y=${y - 1} width=${pitch}
      height=${stripe.height + 2} />
    <line class="fastest" x1=${x} x2=${x} y1=${y + stripe.height} y2=${top} />
    <g transform="translate(${x - dial / 2}, ${top})">
      ${circle.outline()} ${circle.line(circle.vectorAt(0), 'before')} ${circle.line(turned, 'after')}
      <text x=${isLeft ? -6 : dial + 6} y=${dial / 2 + 5}
        text-anchor=${isLeft ? 'end' : 'start'}>${text}</text>
    </g>`;
}

function drawPairs(view: AxesView): TemplateResult {
  const { data, width, say } = view;
  const pitch = width / data.wavelengths.length;
  const each = stripe.name + stripe.height + stripe.step;
  const bottom = drawnOrders.length * each;
  const height = bottom + 42;
  const ticks = [0, 8, 16, data.wavelengths.length - 1].map((value) => ({
    value,
    text: rounded(data.wavelengths[value]!, 2),
  }));
  return html`<div class="plot">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" aria-hidden="true">
      ${drawnOrders.map((order, at) => drawOrder(view, order, at * each))}
      ${horizontalAxis(
        {
          at: (pair) => (pair + 0.5) * pitch,
          ticks,
          label: say.axis,
          start: 0,
          end: width,
          width,
        },
        bottom,
      )}
    </svg>
  </div>`;
}

/** The axes of the chosen token: names of the colors, and their values. */
function drawPosition(view: AxesView): TemplateResult {
  const { data, say } = view;
  const { at, patch } = data.tokens[chosen(view)]!;
  return html`<p class="position-of">
    ${patch ? say.patchIs : say.textIs}
    ${axes.map((axis, k) => html`<b class=${axis}>${say.axes[axis]} = ${at[k]}</b>`)}
  </p>`;
}

function describe(view: AxesView): string {
  const { data, say } = view;
  const { at, patch } = data.tokens[chosen(view)]!;
  if (!patch) return say.plain(at[0], data.plainPairs[chosen(view)]!, data.wavelengths.length);
  const [blocks, turns] = drawnOrders.map((order) => degrees(columnAngle(data, order)));
  return say.patch(blocks!, turns!);
}

export default defineFigure({
  claims: ['C47'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: (_, engine) => engine.mropeAxes(),
  draw: (view: AxesView) => html`${drawTokens(view)} ${drawPosition(view)} ${drawPairs(view)}`,
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
