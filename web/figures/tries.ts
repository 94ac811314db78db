/** What a reader can try: buttons that set controls, with what to notice once they are set. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Language, Words } from '../languages.ts';
import { defaultOf } from '../state.ts';
import type { Controls, Settings, Try } from './figure.ts';

const words = { tries: { en: 'Try', zh: '试一试' } satisfies Words };

/** Returns the settings that `chosen` changes: its own, and the defaults of what the others set. */
function changesOf(
  tries: readonly Try[],
  chosen: Try | undefined,
  controls: Controls,
  language: Language,
): Settings {
  const keys = tries.flatMap(({ set }) => Object.keys(set));
  const before = Object.fromEntries(keys.map((key) => [key, defaultOf(controls[key]!, language)]));
  return { ...before, ...chosen?.set };
}

interface Use {
  state: Settings;
  /** The state after changes. */
  after(changes: Settings): Settings;
  change(changes: Settings): void;
}

export function tryButtons(
  tries: readonly Try[],
  controls: Controls,
  { state, after, change }: Use,
  language: Language,
): TemplateResult | typeof nothing {
  if (tries.length === 0) return nothing;
  const isSet = ({ set }: Try) => {
    const then = after(set);
    return Object.keys(state).every((key) => state[key] === then[key]);
  };
  const current = tries.find(isSet);
  const press = (chosen: Try) =>
    change(changesOf(tries, chosen === current ? undefined : chosen, controls, language));
  return html`<div class="tries" role="group" aria-label=${words.tries[language]}>
    <span aria-hidden="true">${words.tries[language]}</span>
    ${tries.map(
      (each) =>
        html`<button type="button" aria-pressed=${each === current} @click=${() => press(each)}>
          ${each.label[language]}
        </button>`,
    )}
    <p role="status">${current?.notice[language]}</p>
  </div>`;
}
