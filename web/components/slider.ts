/** A number on a range: a native slider to move it and a field to type it. */
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { labelText, type Labeled } from './label.ts';

export interface Slider extends Labeled {
  value: number;
  min: number;
  max: number;
  /** 'log': equal moves are equal ratios. */
  step: number | 'log';
  exactLabel: string;
  onInput(value: number): void;
  onReset(): void;
}

/** Places of a logarithmic slider: fine enough that a move of one is a few per cent. */
const logPlaces = 200;

export function slider(props: Slider): TemplateResult {
  const { id, value, min, max, step, onInput, onReset } = props;
  const isLog = step === 'log';
  const place = isLog
    ? Math.round((logPlaces * Math.log(value / min)) / Math.log(max / min))
    : value;
  const moved = (event: Event) => {
    const at = (event.target as HTMLInputElement).valueAsNumber;
    onInput(isLog ? twoDigits(min * (max / min) ** (at / logPlaces)) : at);
  };
  return html`<div class="control slider">
    <label for=${id} @dblclick=${onReset}>${labelText(props)}</label>
    <input
      id=${id}
      type="range"
      min=${isLog ? 0 : min}
      max=${isLog ? logPlaces : max}
      step=${isLog ? 1 : step}
      .value=${live(String(place))}
      aria-valuetext=${shown(value)}
      @input=${moved}
      @dblclick=${onReset}
    />
    <input
      class="exact"
      type="text"
      inputmode="decimal"
      autocomplete="off"
      aria-label=${props.exactLabel}
      .value=${live(shown(value))}
      @change=${(event: Event) => typed(event.target as HTMLInputElement, props)}
    />
  </div>`;
}

/**
 * What was typed, with or without commas between thousands, brought onto the range; anything that
 * is no number leaves the value alone.
 */
function typed(field: HTMLInputElement, { value, min, max, step, onInput }: Slider) {
  const text = field.value.trim().replace('\u2212', '-');
  const given = text ? Number(text.replace(/,(?=\d{3}(?!\d))/g, '')) : NaN;
  if (!Number.isFinite(given)) {
    field.value = shown(value);
    return;
  }
  const within = Math.min(max, Math.max(min, given));
  const nearest = step === 'log' ? within : min + Math.round((within - min) / step) * step;
  field.value = shown(nearest);
  onInput(nearest);
}

const shown = (value: number) => String(value).replace('-', '\u2212');

const twoDigits = (value: number) => Number(value.toPrecision(2));
