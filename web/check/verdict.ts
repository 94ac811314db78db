/** The verdict as the page shows it: a function of what the worker found. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Diagnosis, Hypothesis, Place } from 'ropewalk/diagnose';
import type { Language } from '../languages.ts';
import { fileErrorIn } from '../notebook/file_errors.ts';
import { arrayIn, axisIn, configIn, dataIn, explanationIn } from './chinese.ts';
import './curve.ts';
import { nextStep } from './next_step.ts';
import type { CheckResult } from './protocol.ts';
import { wordsOf, type CheckWords } from './text.ts';
import { widths } from './widths.ts';

/** What a template needs besides its own values. */
interface Reader {
  language: Language;
  words: CheckWords;
}

const named = (faults: readonly string[], { words }: Reader) =>
  faults.length === 0
    ? words.noFault
    : faults.map((id, i) => html`${i ? words.and : nothing}<code>${id}</code>`);

function placeText({ array, at }: Place, { language, words }: Reader): string {
  const parts = Object.entries(at).map(([name, value]) => `${axisIn(language, name)} ${value}`);
  return `${array}${words.colon}${parts.join(language === 'zh' ? '，' : ', ')}`;
}

const fact = (name: string, value: unknown) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** The id of a hypothesis, how well it fits, and where it shows first. */
function evidence(each: Hypothesis, reader: Reader): TemplateResult {
  const { words } = reader;
  const { faults, error, runnerUp, where } = each;
  return html`<dl class="evidence">
    ${fact(words.id, named(faults, reader))} ${fact(words.error, words.number(error))}
    ${fact(words.runnerUp, words.number(runnerUp))}
    ${where ? fact(words.where, placeText(where, reader)) : nothing}
  </dl>`;
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

/** The other hypotheses, with their ids. */
function others({ verdict, hypotheses }: Diagnosis, reader: Reader) {
  const { words } = reader;
  if (verdict === 'unknown') return brief(words.nearest, hypotheses, reader, true);
  const rest = hypotheses.slice(1);
  return verdict === 'undecided'
    ? nothing
    : brief(verdict === 'correct' ? words.hidden : words.same, rest, reader);
}

/** Of two faults together each has a line. */
function change(each: Hypothesis, { words, language }: Reader): TemplateResult {
  const { fix } = explanationIn(language, each);
  return html`<p class="fix"><strong>${words.todo}</strong> ${fix}</p>`;
}

/** The verdict in one sentence, and what to do in another. */
function sentences(diagnosis: Diagnosis, reader: Reader): TemplateResult {
  const { words, language } = reader;
  const { verdict, hypotheses, further: array } = diagnosis;
  const says =
    verdict === 'faults' ? explanationIn(language, hypotheses[0]!).says : words.says[verdict];
  const further = {
    correct: words.exclude,
    faults: words.distinguish,
    undecided: words.decide,
    unknown: words.decide,
  }[verdict];
  const next = [
    ...(verdict === 'undecided' ? [] : [words.next[verdict]]),
    ...(array ? [further(arrayIn(language, array))] : []),
  ].join(words.betweenSentences);
  const isOpen = verdict === 'undecided' || verdict === 'unknown';
  const step = next ? nextStep(next, words, isOpen) : nothing;
  return html`<p class="headline ${verdict}" role="status">${says}</p>
    ${isOpen ? step : nothing}
    ${
      verdict === 'undecided'
        ? html`<ol class="candidates">
            ${hypotheses.map(
              (each) =>
                html`<li>${explanationIn(language, each).says} ${change(each, reader)}</li>`,
            )}
          </ol>`
        : nothing
    }
    ${verdict === 'faults' ? change(hypotheses[0]!, reader) : nothing}
    ${isOpen ? nothing : step}`;
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
  const { verdict, hypotheses, curve, ignored } = diagnosis;
  const shown = verdict === 'faults' ? hypotheses.slice(0, 1) : hypotheses;
  const [first] = hypotheses;
  const isOfWidth = verdict === 'faults' && first!.faults.join() === 'rotary_width_wrong';
  // One channel does not picture how many rotate; frequencies by pair do.
  const isPictured = curve && !(isOfWidth && curve.axis !== 'pair');
  return html`${sentences(diagnosis, reader)}
    ${isOfWidth ? widths(first!.parameters, words) : nothing}
    ${
      isPictured
        ? html`<rw-curve
            .curve=${curve}
            .language=${language}
            .name=${words.byHypothesis[verdict]}
          ></rw-curve>`
        : nothing
    }
    <details class="behind">
      <summary>${words.details}</summary>
      ${
        verdict === 'faults' || verdict === 'undecided'
          ? html`<ol class="hypotheses">
              ${shown.map((each) => html`<li>${evidence(each, reader)}</li>`)}
            </ol>`
          : nothing
      }
      ${others(diagnosis, reader)} ${lists(diagnosis, reader)}
      ${ignored.length ? html`<p class="of">${words.ignored(ignored.join(', '))}</p>` : nothing}
    </details>`;
}

/** @param files names of the files that were taken */
export async function verdict(
  { diagnosis, about, model, errors }: CheckResult,
  files: readonly string[],
  language: Language,
): Promise<TemplateResult> {
  const words = wordsOf(language);
  const scheme = about?.scheme?.type === 'rotary' ? 'rotary' : 'other';
  const next = nextStep(about ? words.onlyConfig[scheme] : words.onlyReference, words);
  const isWaiting = !diagnosis && !about && !model && errors.length === 0;
  return html`${files.length ? html`<p class="of">${words.files}${words.colon}${files.join(', ')}</p>` : nothing}
  ${errors.map(
    ({ file, error }) =>
      html`<p class="refused" role="alert">
        ${file && `${file}: `}${fileErrorIn(language, error)}
      </p>`,
  )}
  ${isWaiting ? next : nothing}
  ${about ? (await import('./about.ts')).about(about, language, next) : nothing}
  ${
    model
      ? (await import('./model_file.ts')).modelFile(model.verdict, model.size, language)
      : nothing
  }
  ${diagnosis ? diagnosed(diagnosis, { language, words }) : nothing}`;
}
