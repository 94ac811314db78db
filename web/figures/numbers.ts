/** Results in words and digits under a drawing; tests and screen readers find them by name. */
import { html, type TemplateResult } from 'lit';

/** Each key is read by tests: it stays when words and languages change. */
export type Results = Record<string, readonly [label: string, value: string]>;

/** They show with the value table; `areMain` of a figure that is about them: always. */
export function numbers(results: Results, areMain = false): TemplateResult {
  return html`<dl class="numbers ${areMain ? 'are-main' : ''}">
    ${Object.entries(results).map(
      ([id, [label, value]]) =>
        html`<div><dt>${label}</dt><dd data-number=${id}>${value}</dd></div>`,
    )}
  </dl>`;
}
