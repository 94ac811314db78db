/** Trainings that the page watches step by step: each in a worker of its own. */
import { createEngine, type Engine } from './client.ts';
import type * as jobs from './lesson_jobs.ts';
import type { LessonPart } from './lesson_parts.ts';
import { spawner } from './spawn.ts';
import address from './training_worker.ts?worker&url';

/** Time between two drawings of progress, in milliseconds. Drawing the charts takes a few. */
const drawingInterval = 200;

type Jobs = Engine<typeof jobs>;

const handler = () =>
  Promise.reject(new Error('this page may start no worker, and a training needs one'));

/** A training that the reader may start and stop. Its results stay until it starts again. */
export class Lesson<Subject extends string = string> {
  #jobs: Jobs | undefined;
  /** Changes with each start and stop: a loop of another run ends. */
  #run = 0;
  #subject: Subject | undefined;
  state: 'idle' | 'running' | 'done' | 'failed' = 'idle';
  step = 0;
  losses: number[] = [];
  measured: { step: number; places: number[] }[] = [];
  unchanged: number[] | undefined;
  /** By the step after which they were written. */
  texts = new Map<number, string>();
  /** Since the first step. */
  seconds = 0;
  reason: Error | undefined;
  /** Called after each change. */
  redraw = () => {};

  /** @param begin asks the worker to begin */
  async start(begin: (jobs: Jobs) => Promise<void>): Promise<void> {
    this.#clear();
    const run = this.#run;
    this.state = 'running';
    this.redraw();
    try {
      const own = (this.#jobs ??= createEngine<typeof jobs>(spawner({ address, handler })));
      await begin(own);
      const start = performance.now();
      let drawn = 0;
      for (let isDone = false; !isDone;) {
        const part = await own.advanceLesson();
        if (this.#run !== run) return;
        const now = performance.now();
        this.#take(part, (now - start) / 1000);
        ({ isDone } = part);
        if (part.text === undefined && now - drawn < drawingInterval) continue;
        drawn = now;
        this.redraw();
      }
    } catch (error) {
      if (this.#run !== run) return;
      this.state = 'failed';
      this.reason = error as Error;
      this.redraw();
    }
  }

  #take({ step, loss, measured, unchanged, text, isDone }: LessonPart, seconds: number) {
    this.step = step;
    this.seconds = seconds;
    if (loss !== undefined) this.losses.push(loss);
    if (measured) this.measured.push({ step, places: measured });
    if (unchanged) this.unchanged = unchanged;
    if (text !== undefined) this.texts.set(step, text);
    if (isDone) this.state = 'done';
  }

  /** What is trained, or was. */
  get subject(): Subject | undefined {
    return this.#subject;
  }

  /** Stops the training of another subject, and forgets its results. */
  choose(subject: Subject) {
    if (this.#subject !== subject) this.#clear();
    this.#subject = subject;
  }

  #clear() {
    this.stop();
    ++this.#run;
    Object.assign(this, { state: 'idle', step: 0, losses: [], measured: [], seconds: 0 });
    this.unchanged = this.reason = undefined;
    this.texts = new Map();
  }

  /** Stops the training; its results so far stay. */
  stop = () => {
    if (this.state !== 'running') return;
    this.#run++;
    this.state = 'idle';
    void this.#jobs?.endLesson();
    this.redraw();
  };
}
