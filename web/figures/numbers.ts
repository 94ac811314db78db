/** Results in words and digits under a drawing; tests and screen readers find them by name. */
import { html, type TemplateResult } from 'lit';

/** Each key is read by tests: it stays when words and languages change. */
export type Results = Record<string, readonly [label: string, value: string]>;

/** Results that show with the value table. */
export const numbers = (results: Results) => list(results, 'numbers values-only');

/** Results of a figure that is about them: they always show. */
export const mainNumbers = (results: Results) => list(results, 'numbers');

const list = (results: Results, look: string): TemplateResult =>
  html`<dl class=${look}>
    ${Object.entries(results).map(
      ([id, [label, value]]) =>
        html`<div><dt>${label}</dt><dd data-number=${id}>${value}</dd></div>`,
    )}
  </dl>`;
