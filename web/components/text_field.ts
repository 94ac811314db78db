/** A text that the reader types; a double click on its label resets it, in the text it selects. */
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { labelText, type Labeled } from './label.ts';

export interface TextField extends Labeled {
  value: string;
  isLine: boolean;
  onInput(value: string): void;
  onReset(): void;
}

export function textField(props: TextField): TemplateResult {
  const { id, value, isLine, onInput, onReset } = props;
  const changed = (event: Event) =>
    onInput((event.target as HTMLInputElement | HTMLTextAreaElement).value);
  return html`<div class="control text-field">
    <label for=${id} @dblclick=${onReset}>${labelText(props)}</label>
    ${
      isLine
        ? html`<input id=${id} type="text" dir="auto" spellcheck="false" autocomplete="off"
            autocapitalize="off" .value=${live(value)} @input=${changed} />`
        : html`<textarea id=${id} rows="2" dir="auto" spellcheck="false" .value=${live(value)}
            @input=${changed}></textarea>`
    }
  </div>`;
}
