/** Yes or no: a native check box. */
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { labelText, type Labeled } from './label.ts';

export interface Switch extends Labeled {
  value: boolean;
  onInput(value: boolean): void;
}

export function toggle(props: Switch): TemplateResult {
  const { id, value, onInput } = props;
  const changed = (event: Event) => onInput((event.target as HTMLInputElement).checked);
  return html`<div class="control switch">
    <input id=${id} type="checkbox" .checked=${live(value)} @change=${changed} />
    <label for=${id}>${labelText(props)}</label>
  </div>`;
}
