/** The reader's sentence, and which of its tokens have a changed gate. */
import { html, nothing, type TemplateResult } from 'lit';
import { defineControls } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import type { Language } from '../../languages.ts';
import { fixed } from '../../plots/number.ts';
import { readText, type TextFault } from '../../toy/tokens.ts';
import { sentenceWords as words } from './sentence_text.ts';

/** Most tokens of a sentence here: the drawing has a place for each. */
export const mostTokens = 24;
const limits = { characters: 300, tokens: mostTokens };

export const sentenceControls = defineControls({
  text: {
    kind: 'text',
    label: words.text,
    default: words.sentence,
    maxLength: 300,
  },
  query: range(words.query, { default: mostTokens, min: 1, max: mostTokens }, { hue: 'query' }),
  changed: {
    kind: 'text',
    label: words.changed,
    default: '5',
    maxLength: 80,
    place: 'drawing',
  },
  logit: range(words.logit, { default: -3, min: -8, max: 8, step: 0.5 }, { symbol: 'x' }),
  seed: range(words.seed, { default: 14, min: 1, max: 99 }),
});

interface SentenceSettings {
  text: string;
  query: number;
  changed: string;
  logit: number;
}

/** A token as a drawing or a label has room for it. */
export const shortened = (token: string): string =>
  token.length > 12 ? `${token.slice(0, 11)}…` : token;

/** What a figure computes with, and why not with the text in the field. */
export interface Sentence {
  tokens: string[];
  /** Place of the query, from 0. */
  query: number;
  /** Places whose gates are changed. */
  places: number[];
  gateLogits: Record<number, number>;
  fault: TextFault | undefined;
}

/** How many tokens the text has, for controls that name one of them. */
export const tokenCount = (text: string): number =>
  readText(text, undefined, limits).tokens?.length ?? mostTokens;

/** A text that cannot be read leaves the example on show. */
export function sentenceOf(settings: SentenceSettings, language: Language): Sentence {
  const { tokens: read, fault } = readText(settings.text, undefined, limits);
  const tokens = read ?? readText(words.sentence[language], undefined, limits).tokens!;
  const places = placesIn(settings.changed).filter((place) => place < tokens.length);
  return {
    tokens,
    query: Math.min(settings.query, tokens.length) - 1,
    places,
    gateLogits: Object.fromEntries(places.map((place) => [place, settings.logit])),
    fault,
  };
}

/** "5,7" names the fifth and the seventh token. */
const placesIn = (changed: string): number[] =>
  [...new Set(changed.match(/\d+/g)?.map((number) => Number(number) - 1))]
    .filter((place) => place >= 0)
    .sort((a, b) => a - b);

const toggled = (changed: string, place: number): string => {
  const places = placesIn(changed);
  const others = places.filter((other) => other !== place);
  const next = others.length < places.length ? others : [...others, place];
  return next
    .sort((a, b) => a - b)
    .map((other) => other + 1)
    .join(',');
};

interface Chips {
  sentence: Sentence;
  settings: { changed: string; logit: number };
  language: Language;
  /** Each token's gate; absent: only the reader's changes are shown. */
  gates?: readonly number[];
  set(changes: { changed: string }): void;
}

/** A button per token that changes its gate, and the gates as they are. */
export function tokenChips(props: Chips): TemplateResult {
  const { sentence, settings, language, gates, set } = props;
  const say = words.strings[language];
  const { tokens, query, places, fault } = sentence;
  const note = (place: number) => {
    const text = gates
      ? fixed(gates[place]!, 2)
      : places.includes(place) && say.gate(settings.logit);
    return text ? html`<span class="chip-gate">${text}</span>` : nothing;
  };
  return html`<div class="sentence">
    ${fault ? html`<p class="text-fault" role="status">${say.fault(fault)}</p>` : nothing}
    <p class="chips-name">${gates ? say.chipsWithGates : say.chips}</p>
    <ol class="chips">
      ${tokens.map(
        (token, place) => html`<li>
          <button
            type="button"
            class="chip ${place === query ? 'is-query' : ''} ${place > query ? 'is-later' : ''}"
            aria-pressed=${places.includes(place)}
            @click=${() => set({ changed: toggled(settings.changed, place) })}
          >
            <bdi>${token}</bdi>${note(place)}
          </button>
        </li>`,
      )}
    </ol>
  </div>`;
}
