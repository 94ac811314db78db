/** The row that starts, pauses and stops live runs, and how far they are. */
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
    <p class="live-progress">${live.isActive ? progress(live, language, nameOf) : nothing}</p>
    ${failures(live, language, nameOf)}
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

/** One line for all runs, so that nothing below it moves: the steps of all, and one in words. */
function progress({ runs }: LiveRuns, language: Language, nameOf: LiveBar['nameOf']) {
  const say = liveWords[language];
  const active = runs.filter(({ state }) => state === 'waiting' || state === 'running');
  const sum = (count: (run: LiveRun) => number) =>
    active.reduce((total, run) => total + count(run), 0);
  const run = active.find(({ state }) => state === 'running') ?? active[0]!;
  const name = nameOf(run);
  const { steps } = run.description;
  const [, loss = NaN] = run.curve.at(-1) ?? [];
  const status =
    run.state === 'waiting'
      ? say.waiting
      : run.step >= steps!
        ? say.evaluating
        : say.progress(whole(run.step), whole(steps!), fixed(loss, 3), Math.ceil(run.secondsLeft));
  return html`<progress max=${sum(({ description }) => description.steps!)}
      .value=${sum(({ step }) => step)} aria-label=${name}></progress>
    <span>${name}: ${status}</span>`;
}

function failures({ runs }: LiveRuns, language: Language, nameOf: LiveBar['nameOf']) {
  const failed = runs.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return nothing;
  return html`<ul class="live-rows">${failed.map(
    (run) =>
      html`<li>${nameOf(run)}: ${liveWords[language].failed(errorIn(language, run.reason ?? ''))}</li>`,
  )}</ul>`;
}
