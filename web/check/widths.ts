/** How many channels of a head rotate by the config, and in the data: two bars. */
import { html, svg, type TemplateResult } from 'lit';
import type { CheckWords } from './text.ts';

/** Parameters of the fault `rotary_width_wrong`. */
interface Widths {
  rotary: number;
  expected: number;
  /** Channels of a head. */
  of: number;
}

export function widths(parameters: Record<string, unknown>, words: CheckWords): TemplateResult {
  const { rotary, expected, of } = parameters as unknown as Widths;
  const row = (name: string, width: number) =>
    html`<dt>${name}${words.colon}${words.rotated(width, of)}</dt>
      <dd>
        <svg viewBox="0 0 ${of} 1" preserveAspectRatio="none" aria-hidden="true">
          ${svg`<rect width=${of} height="1" /><rect class="rotated" width=${width} height="1" />`}
        </svg>
      </dd>`;
  return html`<dl class="widths">
    ${row(words.byConfig, expected)} ${row(words.observed, rotary)}
  </dl>`;
}
