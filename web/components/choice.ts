/** One of several: radio buttons in a row that read as segments, or a menu. */
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { labelText, type Labelled } from './label.ts';

export interface Choice extends Labelled {
  value: string;
  options: readonly { value: string; label: string }[];
  onInput(value: string): void;
  onReset(): void;
}

export function segments(props: Choice): TemplateResult {
  const { id, value, options, onInput, onReset } = props;
  return html`<fieldset class="control segments">
    <legend @dblclick=${onReset}>${labelText(props)}</legend>
    ${options.map(
      (option) => html`<label>
        <input
          type="radio"
          name=${id}
          value=${option.value}
          .checked=${live(option.value === value)}
          @change=${() => onInput(option.value)}
        /><span>${option.label}</span>
      </label>`,
    )}
  </fieldset>`;
}

export function menu(props: Choice): TemplateResult {
  const { id, value, options, onInput, onReset } = props;
  const chosen = (event: Event) => onInput((event.target as HTMLSelectElement).value);
  return html`<div class="control menu">
    <label for=${id} @dblclick=${onReset}>${labelText(props)}</label>
    <select id=${id} @change=${chosen}>
      ${options.map(
        (option) =>
          html`<option value=${option.value} .selected=${live(option.value === value)}>
            ${option.label}
          </option>`,
      )}
    </select>
  </div>`;
}
