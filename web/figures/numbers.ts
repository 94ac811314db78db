/** Results in words and digits under a drawing; tests and screen readers find them by name. */
import { html, type TemplateResult } from 'lit';

export interface Result {
  /** Read by tests: stays when words and languages change. */
  id: string;
  label: string;
  value: string;
}

export function numbers(results: readonly Result[]): TemplateResult {
  return html`<dl class="numbers">
    ${results.map(
      ({ id, label, value }) =>
        html`<div><dt>${label}</dt><dd data-number=${id}>${value}</dd></div>`,
    )}
  </dl>`;
}
