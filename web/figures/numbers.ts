/** Results in words and digits under a drawing; tests and screen readers find them by name. */
import { html, type TemplateResult } from 'lit';

/** Each key is read by tests: it stays when words and languages change. */
export type Results = Record<string, readonly [label: string, value: string]>;

export function numbers(results: Results): TemplateResult {
  return html`<dl class="numbers">
    ${Object.entries(results).map(
      ([id, [label, value]]) =>
        html`<div><dt>${label}</dt><dd data-number=${id}>${value}</dd></div>`,
    )}
  </dl>`;
}
