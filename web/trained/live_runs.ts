/** Runs that are trained in the reader's browser. */
import type { Plan, Recorded } from './recordings.ts';
import type { RunDescription, RunProgress, RunResult, TrainingPool } from '../worker/training.ts';
import { startTrainingPool } from '../worker/training.ts';

export interface LiveRun {
  /** Plan, variant, seed and steps. */
  id: string;
  description: RunDescription;
  state: 'waiting' | 'running' | 'done' | 'failed';
  step: number;
  /** Estimated seconds until the last step. */
  secondsLeft: number;
  /** Pairs of a step and the mean loss up to it, so far. */
  curve: RunResult['curve'];
  result?: RunResult;
  /** The trained model: a .safetensors file. */
  checkpoint?: Uint8Array;
  /** Why the run failed. */
  reason?: string | Error;
}

/** The runs of one variant of a plan, one per seed. A shorter run has a shorter schedule. */
export function descriptionsOf(
  { name, trainer, steps: planned, curve, evaluations, variants }: Plan,
  variant: string,
  seeds: readonly number[],
  mostSteps = planned,
) {
  const steps = Math.min(planned, mostSteps);
  const schedule = { ...trainer.schedule, steps };
  return seeds.map((seed): RunDescription => ({
    trainer: { ...trainer, ...variants[variant], schedule, seed },
    steps,
    curve,
    evaluations,
    plan: name,
    variant,
  }));
}

const idOf = ({ plan, variant, trainer, steps }: RunDescription) =>
  `${plan}/${variant}/${trainer.seed}/${steps}`;

/** Time between two drawings of progress, in milliseconds. Drawing the charts takes a few. */
const drawingInterval = 200;

/**
 * The training runs of one figure, spread over the cores. They stop when the reader leaves the page
 * or the figure shows another plan. Results stay until their run starts again.
 */
export class LiveRuns {
  runs: readonly LiveRun[] = [];
  isPaused = false;
  /** Called after each change. */
  redraw = () => {};
  /** Called after a run ends. */
  onModel = () => {};
  #pool: TrainingPool | undefined;
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get isActive(): boolean {
    return this.runs.some(({ state }) => state === 'waiting' || state === 'running');
  }

  of(plan: string, variant: string): readonly LiveRun[] {
    return this.runs.filter(
      ({ description }) => description.plan === plan && description.variant === variant,
    );
  }

  /** Trains the runs that are not done; if all are done, trains all again. */
  async start(descriptions: readonly RunDescription[]) {
    if (this.isActive) return;
    const isDone = (description: RunDescription) =>
      this.runs.some(({ id, state }) => id === idOf(description) && state === 'done');
    const missing = descriptions.filter((description) => !isDone(description));
    const chosen = missing.length > 0 ? missing : descriptions;
    const fresh = chosen.map((description): LiveRun => ({
      id: idOf(description),
      description,
      state: 'waiting',
      step: 0,
      secondsLeft: NaN,
      curve: [],
    }));
    const ids = new Set(fresh.map(({ id }) => id));
    this.runs = [...this.runs.filter(({ id }) => !ids.has(id)), ...fresh];
    this.isPaused = false;
    this.#stop = new AbortController();
    addEventListener('pagehide', this.cancel);
    this.redraw();
    const { signal } = this.#stop;
    try {
      this.#pool = await startTrainingPool(Math.min(fresh.length, cores()));
      await Promise.all(fresh.map((run) => this.#train(run, this.#pool!, signal)));
    } catch (error) {
      // Without workers no run can start.
      for (const { id } of fresh) this.#change(id, { state: 'failed', reason: reasonOf(error) });
    } finally {
      if (!signal.aborted) this.#end();
    }
  }

  async #train({ id, description }: LiveRun, pool: TrainingPool, signal: AbortSignal) {
    const curve: RunResult['curve'] = [];
    const onProgress = ({ step, loss, secondsLeft }: RunProgress) => {
      if (loss !== undefined && step > (curve.at(-1)?.[0] ?? 0)) curve.push([step, loss]);
      this.#update(id, { state: 'running', step, secondsLeft, curve: [...curve] });
      this.#timer ??= setTimeout(() => this.#draw(), drawingInterval);
    };
    try {
      const result = await pool.run(description, { onProgress, signal, keepModel: true });
      const { failed } = result;
      if (failed !== undefined) this.#change(id, { state: 'failed', reason: failed });
      else
        this.#change(id, {
          state: 'done',
          curve: result.curve,
          result,
          ...(result.checkpoint && { checkpoint: result.checkpoint }),
        });
      this.onModel();
    } catch (error) {
      if (!signal.aborted) this.#change(id, { state: 'failed', reason: reasonOf(error) });
    }
  }

  #change(id: string, changes: Partial<LiveRun>) {
    this.#update(id, changes);
    this.redraw();
  }

  #update(id: string, changes: Partial<LiveRun>) {
    this.runs = this.runs.map((run) => (run.id === id ? { ...run, ...changes } : run));
  }

  #draw() {
    this.#timer = undefined;
    this.redraw();
  }

  pause() {
    this.isPaused = true;
    void this.#pool?.pause();
    this.redraw();
  }

  resume() {
    this.isPaused = false;
    this.#pool?.resume();
    this.redraw();
  }

  /** Stops at once and removes the runs that are not done. */
  cancel = () => {
    if (!this.isActive) return;
    this.#stop.abort();
    this.runs = this.runs.filter(({ state }) => state === 'done' || state === 'failed');
    this.#end();
    this.redraw();
  };

  #end() {
    removeEventListener('pagehide', this.cancel);
    this.#pool?.close();
    this.#pool = undefined;
  }
}

/** The runs of each figure of the page, by its channel to the engine. */
const liveOf = new WeakMap<object, LiveRuns>();

/** The live runs of a figure; those of another plan stop. */
export function liveRunsOf(engine: object, { plan }: Recorded): LiveRuns {
  const live = liveOf.get(engine) ?? new LiveRuns();
  liveOf.set(engine, live);
  if (live.runs.some(({ description }) => description.plan !== plan.name)) live.cancel();
  return live;
}

const cores = () => navigator.hardwareConcurrency || 1;

const reasonOf = (error: unknown) => (error instanceof Error ? error : String(error));
