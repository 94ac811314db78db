/** Models that somebody else trained, as the page sees them: each in a worker of its own. */
import type { LabRequest, LabResult } from '../toy/forward.ts';
import { createEngine, type Engine } from './client.ts';
import type * as modelJobs from './model_jobs.ts';
import {
  lost,
  type AboutModel,
  type FolderSize,
  type Reading,
  type Story,
  type StoryRequest,
} from './model_requests.ts';
import { spawner } from './spawn.ts';
import address from './training_worker.ts?worker&url';

export type { FolderSize, StoryRequest } from './model_requests.ts';
export type { AboutModel, Reading, SentChange, SentFiles, Story } from './model_requests.ts';

/** Models would block the page, so they run in a worker or not at all. */
const handler = () =>
  Promise.reject(new Error('this page may start no worker, and a trained model needs one'));

/** A model in a worker, which loads it with the first request that needs it. */
export class WorkerModel {
  readonly #begin: (engine: Engine<typeof modelJobs>) => Promise<void>;
  #engine: Engine<typeof modelJobs> | undefined;
  #about: Promise<AboutModel> | undefined;
  /** Called with the share of the weights that are loaded. */
  onProgress = (_share: number) => {};

  /** @param begin makes the worker load the model; called again after a failure */
  constructor(begin: (engine: Engine<typeof modelJobs>) => Promise<void>) {
    this.#begin = begin;
  }

  get #jobs(): Engine<typeof modelJobs> {
    return (this.#engine ??= createEngine<typeof modelJobs>(spawner({ address, handler })));
  }

  /** Loads the model once, and again with the next call where that failed. */
  load(): Promise<AboutModel> {
    if (this.#about) return this.#about;
    const about = this.#load();
    this.#about = about;
    about.catch(() => (this.#about = undefined));
    return about;
  }

  async #load(): Promise<AboutModel> {
    await this.#begin(this.#jobs);
    for (;;) {
      const loading = await this.#jobs.loadingOf();
      if ('about' in loading) return loading.about;
      this.onProgress(loading.share);
    }
  }

  /** Reads what a folder has, in place of the model before; load() loads it. */
  readFolder(files: Readonly<Record<string, Blob>>): Promise<FolderSize> {
    this.#about = undefined;
    return this.#jobs.readFolder(files);
  }

  /** Does something with the loaded model. A worker that was started again loads it again. */
  async #use<Result>(act: (jobs: Engine<typeof modelJobs>) => Promise<Result>): Promise<Result> {
    await this.load();
    try {
      return await act(this.#jobs);
    } catch (error) {
      if ((error as Error).message !== lost) throw error;
      this.#about = undefined;
      await this.load();
      return act(this.#jobs);
    }
  }

  /** The loss at each place of a text, in nats. */
  losses(tokens: readonly number[], reading: Reading = {}): Promise<Float64Array> {
    return this.#use((jobs) => jobs.lossesOf(tokens, reading));
  }

  /** What the attention lab shows of one layer. */
  lab(request: LabRequest): Promise<LabResult> {
    return this.#use((jobs) => jobs.labOfText(request));
  }

  /**
   * Continues a text.
   * @param onPart gets the story as far as it is written; false ends it there
   * @returns the story as far as it was written
   */
  story(request: StoryRequest, onPart: (story: Story) => boolean = () => true): Promise<Story> {
    return this.#use(async (jobs) => {
      await jobs.startStory(request);
      for (;;) {
        const part = await jobs.moreOfStory();
        if (part.isDone || !onPart(part)) return part;
      }
    });
  }
}
