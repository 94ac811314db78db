/** One of several: radio buttons in a row that read as segments, or a menu. */
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { labelText, type Labeled } from './label.ts';

export interface Choice extends Labeled {
  value: string;
  /** Neighbors of one group stand under its name in a menu. */
  options: readonly { value: string; label: string; group?: string | undefined }[];
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
  const { id, options, onInput, onReset } = props;
  const chosen = (event: Event) => onInput((event.target as HTMLSelectElement).value);
  const groups = new Map<string | undefined, Choice['options'][number][]>();
  for (const option of options) {
    groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  }
  const inGroup = (group: string | undefined, own: Choice['options']) =>
    group === undefined
      ? choices(props, own)
      : html`<optgroup label=${group}>${choices(props, own)}</optgroup>`;
  return html`<div class="control menu">
    <label for=${id} @dblclick=${onReset}>${labelText(props)}</label>
    <select id=${id} @change=${chosen}>
      ${Array.from(groups, ([group, own]) => inGroup(group, own))}
    </select>
  </div>`;
}

const choices = ({ value }: Choice, options: Choice['options']) =>
  options.map(
    (option) =>
      html`<option value=${option.value} .selected=${live(option.value === value)}>
        ${option.label}
      </option>`,
  );
