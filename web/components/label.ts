/** The visible name of a control: words, then the letter that stands for it in the formulas. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Hue } from '../languages.ts';

export interface Labeled {
  id: string;
  label: string;
  symbol?: string | undefined;
  hue?: Hue | undefined;
}

export function labelText({ label, symbol, hue }: Labeled): TemplateResult {
  const letter = symbol ? html` <i class="symbol ${hue ?? ''}">${symbol}</i>` : nothing;
  return html`${label}${letter}`;
}
