/** Words on a line of positions: the reader drags them along it, or moves them by arrow keys. */
import { css, html, nothing, svg, type TemplateResult } from 'lit';
import type { Hue } from '../languages.ts';
import { horizontalAxis, textWidth } from '../plots/axis.ts';
import { linearScale, roundTicks } from '../plots/scale.ts';

export interface LineWord {
  text: string;
  hue: Hue;
  at: number;
  /** Where it was before, as a pale dot. */
  before?: number;
  /** Without it the word stays where it is. */
  drag?: {
    /** What a screen reader calls the word, beside its position. */
    label: string;
    min: number;
    max: number;
    move(at: number): void;
  };
}

interface WordLine {
  width: number;
  domain: readonly [low: number, high: number];
  /** Name of the axis; without it a chart below has one, with the same room at its sides. */
  label?: string;
  sides?: { left: number; right: number };
  /** From the top: each has a row of its own, so that words may stand at one position. */
  words: readonly LineWord[];
}

/** Beside the line: half a word fits there. */
const even = { left: 46, right: 46 };
const rowHeight = 34;
const axisHeight = 44;

/** Steps of keys; Home and End go to the ends. */
const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

export function wordLine({ width, domain, label, sides = even, words }: WordLine): TemplateResult {
  const [start, end] = [sides.left, width - sides.right];
  const x = linearScale(domain, [start, end]);
  const line = words.length * rowHeight + 10;
  const height = line + (label === undefined ? 8 : axisHeight);
  const ticks = roundTicks(domain, width / 80).filter(({ value }) => Number.isInteger(value));
  const rowOf = (row: number) => row * rowHeight + 13;
  const isOn = (at: number | undefined): at is number =>
    at !== undefined && at >= domain[0] && at <= domain[1];
  return html`<div class="word-line">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" aria-hidden="true">
      ${words.map(
        ({ at, hue }, row) => svg`<line class="stem ${hue}" x1=${x(at)} x2=${x(at)}
          y1=${rowOf(row)} y2=${line} />`,
      )}
      ${
        label === undefined
          ? svg`<line class="tick" x1=${start} x2=${end} y1=${line} y2=${line} />`
          : horizontalAxis({ at: x, ticks, label, start, end, width }, line)
      }
      ${words.map(({ at, before, hue }) => [
        isOn(before)
          ? svg`<circle class="stand ghost ${hue}" cx=${x(before)} cy=${line} r="5" />`
          : nothing,
        svg`<circle class="stand ${hue}" cx=${x(at)} cy=${line} r="5" />`,
      ])}
    </svg>
    ${words.map((word, row) => {
      const half = 0.65 * textWidth(word.text) + 12;
      const middle = Math.min(width - half, Math.max(half, x(word.at)));
      const style = `left: ${middle}px; top: ${rowOf(row) - 13}px`;
      if (!word.drag)
        return html`<span class="line-word ${word.hue}" .style=${style}>${word.text}</span>`;
      const { label: name, min, max, move } = word.drag;
      const go = (at: number) => {
        const next = Math.min(max, Math.max(min, Math.round(at)));
        if (next !== word.at) move(next);
      };
      return html`<span class="line-word is-dragged ${word.hue}" .style=${style}
        role="slider" tabindex="0" aria-label=${name} aria-orientation="horizontal"
        aria-valuemin=${min} aria-valuemax=${max} aria-valuenow=${word.at}
        @keydown=${(event: KeyboardEvent) => {
          const step = steps[event.key];
          if (step === undefined) return;
          event.preventDefault();
          go(word.at + step);
        }}
        @pointerdown=${(event: PointerEvent) =>
          (event.currentTarget as Element).setPointerCapture(event.pointerId)}
        @pointermove=${(event: PointerEvent) => {
          const handle = event.currentTarget as Element;
          if (!handle.hasPointerCapture(event.pointerId)) return;
          const box = handle.parentElement!.getBoundingClientRect();
          // A figure that is fitted to a box is drawn smaller than it is laid out.
          go(x.invert(((event.clientX - box.left) * width) / box.width));
        }}>${word.text}</span>`;
    })}
  </div>`;
}

export const wordLineStyle = css`
  .word-line {
    position: relative;
    margin-top: 0.6rem;
    user-select: none;
  }
  .word-line svg {
    display: block;
  }
  .word-line .tick {
    stroke: var(--faint);
  }
  .stem {
    stroke: currentColor;
    stroke-width: 1.5;
  }
  .stand {
    fill: currentColor;
  }
  .ghost {
    opacity: 0.4;
  }
  .line-word {
    position: absolute;
    transform: translateX(-50%);
    padding: 0 0.6rem;
    font: 1rem/24px var(--serif);
    white-space: nowrap;
    color: var(--paper);
    background: var(--hue);
    border: 1px solid var(--hue);
  }
  .line-word.is-dragged {
    cursor: ew-resize;
    touch-action: pan-y;
  }
  .line-word.query {
    --hue: var(--query);
  }
  .line-word.key {
    --hue: var(--key);
  }
  .line-word.position {
    --hue: var(--position);
  }
`;
