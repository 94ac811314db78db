/** The verdict as the page shows it: a function of what the worker found. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Diagnosis, Hypothesis, Place } from 'ropewalk/diagnose';
import type { Language } from '../languages.ts';
import { fileErrorIn } from '../notebook/file_errors.ts';
import { arrayIn, axisIn, configIn, dataIn, explanationIn } from './chinese.ts';
import './curve.ts';
import type { CheckResult } from './protocol.ts';
import { wordsOf, type CheckWords } from './text.ts';

/** What a template needs besides its own values. */
interface Reader {
  language: Language;
  words: CheckWords;
}

const named = (faults: readonly string[], { words }: Reader) =>
  faults.length === 0
    ? words.noFault
    : faults.map((id, i) => html`${i ? words.and : nothing}<code>${id}</code>`);

const plainName = (faults: readonly string[], { words }: Reader) =>
  faults.join(words.and) || words.noFault;

function placeText({ array, at }: Place, { language, words }: Reader): string {
  const parts = Object.entries(at).map(([name, value]) => `${axisIn(language, name)} ${value}`);
  return `${array}${words.colon}${parts.join(language === 'zh' ? '，' : ', ')}`;
}

const fact = (name: string, value: unknown) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

function hypothesis(each: Hypothesis, reader: Reader): TemplateResult {
  const { words, language } = reader;
  const { faults, error, runnerUp, where } = each;
  const { says, fix } = explanationIn(language, each);
  return html`<li>
    <h3>${named(faults, reader)}</h3>
    <p class="says">${says}</p>
    <dl class="evidence">
      ${fact(words.error, words.number(error))} ${fact(words.runnerUp, words.number(runnerUp))}
      ${where ? fact(words.where, placeText(where, reader)) : nothing}
    </dl>
    ${fix ? html`<p class="fix"><strong>${words.change}</strong> ${fix}</p>` : nothing}
  </li>`;
}

/** Faults with one line each: what they would do, or how far they are. */
function brief(title: string, list: readonly Hypothesis[], reader: Reader, hasErrors = false) {
  if (list.length === 0) return nothing;
  const { words, language } = reader;
  return html`<h3>${title}</h3>
    <ul class="brief">
      ${list.map(
        (each) =>
          html`<li>
            ${named(each.faults, reader)}${words.colon}${explanationIn(language, each).says}
            ${hasErrors ? html`<small>${words.error} ${words.number(each.error)}</small>` : nothing}
          </li>`,
      )}
    </ul>`;
}

function explained({ verdict, hypotheses }: Diagnosis, reader: Reader) {
  const { words } = reader;
  const [first, ...others] = hypotheses;
  if (verdict === 'unknown') return brief(words.nearest, hypotheses, reader, true);
  if (verdict === 'correct') return brief(words.hidden, others, reader);
  const full = verdict === 'faults' ? [first!] : hypotheses;
  const rest = verdict === 'faults' ? others : [];
  return html`<ol class="hypotheses">
      ${full.map((each) => hypothesis(each, reader))}
    </ol>
    ${brief(words.same, rest, reader)}`;
}

function lists(diagnosis: Diagnosis, reader: Reader): TemplateResult {
  const { language, words } = reader;
  const list = (title: string, lines: readonly string[]) =>
    html`<div>
      <h3>${title}</h3>
      <ul>
        ${lines.map((line) => html`<li>${line}</li>`)}
      </ul>
    </div>`;
  return html`<div class="sides">
    ${list(
      words.data,
      diagnosis.data.map((line) => dataIn(language, line)),
    )}
    ${list(
      words.expected,
      diagnosis.expected.map((line) => configIn(language, line)),
    )}
  </div>`;
}

function diagnosed(diagnosis: Diagnosis, reader: Reader): TemplateResult {
  const { language, words } = reader;
  const { verdict, faults, hypotheses, curve, further, ignored } = diagnosis;
  const best = hypotheses.find((each) => each.faults.length > 0);
  return html`<p class="headline ${verdict}" role="status">
      ${words.verdict[verdict](faults.length)}
    </p>
    ${explained(diagnosis, reader)}
    ${further ? html`<p>${words.further(arrayIn(language, further))}</p>` : nothing}
    ${
      curve
        ? html`<rw-curve
            .curve=${curve}
            .language=${language}
            .name=${best ? plainName(best.faults, reader) : ''}
          ></rw-curve>`
        : nothing
    }
    ${lists(diagnosis, reader)}
    ${ignored.length ? html`<p class="of">${words.ignored(ignored.join(', '))}</p>` : nothing}`;
}

/** @param files names of the files that were taken */
export function verdict(
  { diagnosis, errors }: CheckResult,
  files: readonly string[],
  language: Language,
): TemplateResult {
  const words = wordsOf(language);
  const waiting = files.length > 0 ? words.onlyConfig : words.waiting;
  const isWaiting = !diagnosis && errors.length === 0;
  return html`${files.length ? html`<p class="of">${words.files}${words.colon}${files.join(', ')}</p>` : nothing}
  ${errors.map(
    ({ file, error }) =>
      html`<p class="refused" role="alert">
        ${file && `${file}: `}${fileErrorIn(language, error)}
      </p>`,
  )}
  ${isWaiting ? html`<p class="of">${waiting}</p>` : nothing}
  ${diagnosis ? diagnosed(diagnosis, { language, words }) : nothing}`;
}
