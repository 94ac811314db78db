/** The row below a drawing that starts and stops a training in the reader's browser. */
import { html, type TemplateResult } from 'lit';
import { whenGone } from '../../components/when_gone.ts';
import { errorIn } from '../../error_text.ts';
import type { Language } from '../../languages.ts';
import type { Lesson } from '../../worker/lessons.ts';
import { lessonRowWords } from './lesson_row_text.ts';

export interface LessonRow {
  lesson: Lesson;
  language: Language;
  /** What is trained. */
  name: string;
  steps: number;
  /** What is done before the first step. */
  preparing: string;
  start(): Promise<void>;
}

export function lessonRow(row: LessonRow): TemplateResult {
  const { lesson, language, name, steps, preparing, start } = row;
  const say = lessonRowWords[language];
  const status = {
    idle: lesson.step > 0 ? say.stopped(lesson.step, steps) : say.idle,
    running: lesson.step === 0 ? preparing : say.progress(lesson.step, steps),
    done: say.done(steps, Math.round(lesson.seconds)),
    failed: lesson.reason && say.failed(errorIn(language, lesson.reason)),
  }[lesson.state];
  return html`<div class="live" ${whenGone(lesson.stop)}>
    ${
      lesson.state === 'running'
        ? html`<button type="button" @click=${lesson.stop}>${say.stop}</button>
            <progress max=${steps} .value=${lesson.step} aria-label=${say.training}></progress>`
        : html`<button type="button" @click=${start}>${say.train(name)}</button>`
    }
    <span role="status" data-live=${lesson.state}>${status}</span>
  </div>`;
}
