/** Draws a stack of layers, the first at the bottom; a bar is as wide as its attention window. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { horizontalAxis, textWidth } from '../plots/axis.ts';
import { whole } from '../plots/number.ts';
import { logScale } from '../plots/scale.ts';
import { isBiased, isOther, type Layer } from './layer_kinds.ts';

/** Layers with equal plans. */
export interface LayerKind {
  layer: Layer;
  /** Indices from 0. */
  layers: number[];
  /** CSS class of the bars: the color of the base, or of what stands in place of a rotation. */
  look: string;
}

/**
 * Returns the kinds in the order of their first layers. The smallest base has one color, all larger
 * bases have another.
 */
export function kindsOf(layers: readonly Layer[]): LayerKind[] {
  const kinds = new Map<string, LayerKind>();
  const bases = [...new Set(layers.flatMap(({ base }) => base ?? []))].sort((a, b) => a - b);
  layers.forEach((layer, at) => {
    const name = JSON.stringify(layer);
    const look = layer.rotates
      ? `is-base-${Math.min(1, bases.indexOf(layer.base!))}`
      : isOther(layer.kind)
        ? 'is-recurrent'
        : isBiased(layer)
          ? 'is-biased'
          : 'is-unrotated';
    const kind = kinds.get(name) ?? { layer, layers: [], look };
    kind.layers.push(at);
    kinds.set(name, kind);
  });
  return [...kinds.values()];
}

interface Stack {
  layers: readonly Layer[];
  kinds: readonly LayerKind[];
  /** Index of the marked layer, from 0. */
  at: number;
  width: number;
  label: string;
  axis: string;
  /** Label of the right edge, which bars of layers without a window reach. */
  full: string;
  /** Label of the layer numbers. */
  side: string;
  point(layer: number | undefined): void;
  pick(layer: number): void;
}

const top = 30;

interface Bar {
  x: number;
  y: number;
  /** x of the right edge. */
  until: number;
  height: number;
}

/** Draws one layer: dashes for scaled frequencies, an edge for chunks, a dot for a temperature. */
export function drawLayer(layer: Layer, look: string, bar: Bar): SVGTemplateResult {
  const { x, y, until, height } = bar;
  const middle = y + height / 2;
  return svg`<rect class="layer ${look}" x=${x} y=${y} width=${until - x} height=${height} />
    ${layer.chunk === undefined ? nothing : svg`<path class="edge" d="M${until},${y}v${height}" />`}
    ${layer.isScaled ? svg`<path class="scaled" d="M${x + 4},${middle}h${Math.min(40, until - x - 8)}" />` : nothing}
    ${layer.temperature ? svg`<circle class="warm" cx=${until - 8} cy=${middle} r=${height / 2 - 1} />` : nothing}`;
}

export function drawStack(stack: Stack): TemplateResult {
  const { layers, kinds, at, width, label, axis, full, side, point, pick } = stack;
  const pitch = layers.length > 40 ? 9 : layers.length > 24 ? 11 : 14;
  const left = Math.max(34, textWidth('128') + 14);
  const end = width - 4;
  const bottom = top + layers.length * pitch;
  const seen = layers.flatMap(({ window, chunk }) => window ?? chunk ?? []);
  const smallest = Math.min(512, ...seen);
  const largest = Math.max(8192, ...seen);
  // Bars of layers without a window go past the axis, to the right edge.
  const last = left + (end - left) * 0.8;
  const x = logScale([smallest / 4, largest], [left, last]);
  const ticks = Array.from({ length: 31 }, (_, power) => 2 ** power)
    .filter((value) => value >= smallest / 4 && value <= largest)
    .map((value) => ({ value, text: whole(value) }));
  const y = (layer: number) => bottom - (layer + 1) * pitch;
  const lookOf = (layer: number) => kinds.find((kind) => kind.layers.includes(layer))!.look;
  const bar = (layer: Layer, index: number) => {
    const reach = layer.window ?? layer.chunk;
    const until = reach === undefined ? end : x(reach);
    return drawLayer(layer, lookOf(index), { x: left, y: y(index) + 1, until, height: pitch - 2 });
  };
  const named = layers
    .map((_, index) => index)
    .filter((index) => index === 0 || (index + 1) % 4 === 0);
  return html`<div class="plot">
    <svg class="chart" width=${width} height=${bottom + 44} viewBox="0 0 ${width} ${bottom + 44}"
      role="img" aria-label=${label}>
      <text class="axis-label" x="0" y="14">${side}</text>
      <text x=${end} y="24" text-anchor="end">${full}</text>
      ${layers.map(bar)}
      ${named.map(
        (index) => svg`<text x=${left - 10} y=${y(index) + pitch / 2 + 4} text-anchor="end"
        class=${index === at ? 'is-at' : ''}>${index + 1}</text>`,
      )}
      ${horizontalAxis({ at: x, ticks, label: axis, start: left, end: last, width }, bottom + 2)}
      <rect class="mark" x=${left - 2} y=${y(at)} width=${end - left + 4} height=${pitch} />
      ${layers.map(
        (_, index) => svg`<rect class="pointer" x="0" y=${y(index)} width=${width} height=${pitch}
          @pointerenter=${() => point(index)} @pointerleave=${() => point(undefined)}
          @click=${() => pick(index)} />`,
      )}
    </svg>
  </div>`;
}

/** How many layers are alike, in words. */
export function drawKinds(
  kinds: readonly LayerKind[],
  say: { count(layers: number): string; kind(layer: Layer): string },
): TemplateResult {
  return html`<ul class="kinds">
    ${kinds.map(
      ({ layers, look, layer }) => html`<li>
        <svg width="40" height="12" aria-hidden="true">${drawLayer(layer, look, { x: 1, y: 1, until: 37, height: 10 })}</svg>
        <span><b>${say.count(layers.length)}</b>${say.kind(layer)}</span>
      </li>`,
    )}
  </ul>`;
}
