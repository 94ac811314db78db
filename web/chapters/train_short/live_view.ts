/** The row that starts, pauses and stops live runs, and how far each of them is. */
import { html, nothing, type TemplateResult } from 'lit';
import { whenGone } from '../../components/when_gone.ts';
import type { Language } from '../../languages.ts';
import { errorIn } from '../../error_text.ts';
import { fixed, whole } from '../../plots/number.ts';
import type { RunDescription } from '../../worker/training.ts';
import type { LiveRun, LiveRuns } from '../../trained/live_runs.ts';
import { liveWords } from '../../trained/live_text.ts';

export interface LiveBar {
  live: LiveRuns;
  language: Language;
  /** What a press of the button trains. */
  chosen: readonly RunDescription[];
  nameOf(run: LiveRun): string;
}

export function liveBar({ live, language, chosen, nameOf }: LiveBar): TemplateResult {
  const say = liveWords[language];
  const button = (label: string, action: () => unknown, isDisabled = false) =>
    html`<button type="button" ?disabled=${isDisabled} @click=${action}>${label}</button>`;
  const { length: count } = chosen;
  const buttons = live.isActive
    ? [
        live.isPaused
          ? button(say.resume, () => live.resume())
          : button(say.pause, () => live.pause()),
        button(say.cancel, live.cancel),
      ]
    : button(say.train(count), () => live.start(chosen), count === 0);
  return html`<div class="live" ${whenGone(live.cancel)}>
    <div class="live-buttons">${buttons}
      <span role="status" data-live=${stateOf(live)}>${summary(live, language)}</span>
    </div>
    ${live.isActive || live.runs.some(({ state }) => state === 'failed') ? rows(live, language, nameOf) : nothing}
  </div>`;
}

/** Read by tests. */
function stateOf(live: LiveRuns): string {
  if (live.isActive) return live.isPaused ? 'paused' : 'running';
  return live.runs.some(({ state }) => state === 'done') ? 'done' : 'idle';
}

function summary(live: LiveRuns, language: Language): string {
  const say = liveWords[language];
  const done = live.runs.filter(({ state }) => state === 'done').length;
  if (live.runs.length === 0) return say.idle;
  return say.done(done, live.runs.length);
}

function rows({ runs }: LiveRuns, language: Language, nameOf: LiveBar['nameOf']) {
  const say = liveWords[language];
  const shown = runs.filter(({ state }) => state !== 'done');
  const status = (run: LiveRun) => {
    const { steps } = run.description;
    if (run.state === 'failed') return say.failed(errorIn(language, run.reason ?? ''));
    if (run.state === 'waiting') return say.waiting;
    if (run.step >= steps!) return say.evaluating;
    const [, loss = NaN] = run.curve.at(-1) ?? [];
    return say.progress(whole(run.step), whole(steps!), fixed(loss, 3), Math.ceil(run.secondsLeft));
  };
  return html`<ul class="live-rows">
    ${shown.map((run) => {
      const name = nameOf(run);
      return html`<li>
        <span class="live-name">${name}</span>
        <progress max=${run.description.steps!} .value=${run.step} aria-label=${name}></progress>
        <span class="live-status">${status(run)}</span>
      </li>`;
    })}
  </ul>`;
}
