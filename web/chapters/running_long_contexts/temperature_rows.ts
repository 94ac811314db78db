/** One row of attention three times: in training, over more keys, and with the scores enlarged. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { within } from '../../plots/axis.ts';
import { fittingKey, trainedKeys, type RowOfKeys } from './jobs.ts';

export interface RowWords {
  /** What each of the three is. */
  rows: readonly string[];
  /** Stands before the share of the fitting key. */
  fitting: string;
  trainedKeys: string;
  /** The keys that training did not have. */
  moreKeys(count: number): string;
}

interface Options {
  width: number;
  /** What a screen reader says for the drawing. */
  label: string;
  say: RowWords & { share(weight: number): string };
}

const titleHeight = 21;
const barHeight = 62;
const rowHeight = titleHeight + barHeight + 14;
const footHeight = 22;
const gap = 14;

/** Width of the one bar for all keys that training did not have. */
const blockWidthIn = (width: number) => Math.max(78, 0.2 * width);

/** The keys of training as thin bars, and one wide bar for the sum of all others. */
function drawRow(row: RowOfKeys, name: string, base: number, { width, say }: Options) {
  const end = width - blockWidthIn(width) - gap;
  const step = end / trainedKeys;
  const bar = (weight: number, k: number) => {
    const high = Math.max(1, weight * barHeight);
    const isFitting = k === fittingKey;
    return svg`<rect class=${isFitting ? 'fitting' : 'other'} x=${k * step} y=${base - high}
      width=${Math.max(1, isFitting ? step : step - 2)} height=${high} />`;
  };
  const fitting = row.weights[fittingKey]!;
  return svg`${row.weights.map(bar)}
    <text class="share" x=${(fittingKey + 1) * step + 6}
      y=${Math.min(base - 6, base - fitting * barHeight + 12)}>${name}${say.share(fitting)}</text>
    <line class="base" x2=${end} y1=${base} y2=${base} />
    ${row.keys > trainedKeys ? drawBlock(row.rest, end + gap, base, { width, say }) : nothing}`;
}

function drawBlock(rest: number, x: number, base: number, { width, say }: Omit<Options, 'label'>) {
  const y = base - rest * barHeight;
  return svg`<rect class="more" x=${x} y=${y} width=${width - x} height=${base - y} />
    <line class="base" x1=${x} x2=${width} y1=${base} y2=${base} />
    <text x=${(x + width) / 2} y=${Math.min(base - 6, y + 16)}
      text-anchor="middle">${say.share(rest)}</text>`;
}

export function drawRows(rows: readonly RowOfKeys[], options: Options): TemplateResult {
  const { width, label, say } = options;
  const height = rows.length * rowHeight + footHeight;
  const middle = width - blockWidthIn(width) / 2;
  const count = rows.at(-1)!.keys - trainedKeys;
  const more = say.moreKeys(count);
  return html`<div class="plot diluted">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
      ${rows.map((row, k) => {
        const base = k * rowHeight + titleHeight + barHeight;
        // Close above its own bars, and never on the share beside a low one.
        const highest = Math.max(21, barHeight * Math.max(...row.weights));
        return svg`<g class=${k === 2 ? 'parts' : 'plain'}>
          <text class="row-title" x="0" y=${base - highest - 7}>${say.rows[k]}</text>
          ${drawRow(row, k === 0 ? say.fitting : '', base, options)}
        </g>`;
      })}
      <text x="0" y=${height - 4}>${say.trainedKeys}</text>
      ${
        count > 0
          ? svg`<text x=${within(middle, more, width)} y=${height - 4}
              text-anchor="middle">${more}</text>`
          : nothing
      }
    </svg>
  </div>`;
}
