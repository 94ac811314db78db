import { html, nothing } from 'lit';
import type { CheckWords } from './text.ts';

/** What to save next, with a link to the lines that save it where a reader needs them. */
export const nextStep = (text: string, words: CheckWords, hasLink = true) =>
  html`<p class="fix">
    <strong>${words.nextStep}</strong> ${text}
    ${hasLink ? html`<a href="#hooks">${words.hooks}</a>` : nothing}
  </p>`;
