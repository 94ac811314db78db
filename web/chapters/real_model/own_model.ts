/** The reader's model: chosen, estimated, loaded, and what it writes. */
import type { AboutModel, FolderSize, Story, StoryRequest } from '../../worker/model_requests.ts';
import { WorkerModel } from '../../worker/models.ts';

type Files = Readonly<Record<string, Blob>>;

/** How far the model is. */
export type Phase =
  | { kind: 'empty' }
  | { kind: 'reading' }
  /** Nothing is loaded before the reader has seen the estimate. */
  | { kind: 'chosen'; size: FolderSize }
  | { kind: 'loading'; size: FolderSize; share: number }
  | { kind: 'ready'; size: FolderSize; about: AboutModel };

export interface Written {
  story: Story;
  isWriting: boolean;
  error?: Error;
}

/** Largest share of the memory of a device: a phone ends a tab that takes half of it. */
const largestShare = { desk: 0.5, touch: 0.25 };
/** Memory of a device whose browser does not say it, as WebKit and Firefox do not. */
const assumedDevice = { desk: 8 * 2 ** 30, touch: 4 * 2 ** 30 };
/** WebAssembly addresses 4 GB. */
const mostBytes = 0.9 * 2 ** 32;
/** WebKit reloads a page that takes much more. */
const mostInWebKit = 2 ** 31;

/** The most bytes that this device can be expected to have for a model. */
export function roomForModel(): number {
  const { deviceMemory, vendor } = navigator as { deviceMemory?: number; vendor: string };
  const kind = matchMedia('(pointer: coarse)').matches ? 'touch' : 'desk';
  const device = deviceMemory ? deviceMemory * 2 ** 30 : assumedDevice[kind];
  const most = vendor.startsWith('Apple') ? mostInWebKit : mostBytes;
  return Math.min(most, largestShare[kind] * device);
}

export class OwnModel {
  phase: Phase = { kind: 'empty' };
  error: Error | undefined;
  /** Called after each change of how far it is. */
  redraw = () => {};
  /** Called when the model is loaded. */
  recompute = () => {};
  #files: Files = {};
  /** Files that were chosen and stories that were begun, so far: only the last count. */
  #choice = 0;
  #writing = 0;
  #model = new WorkerModel(async (engine) => {
    await engine.readFolder(this.#files);
    await engine.startLoading();
  });

  #enter(phase: Phase) {
    this.phase = phase;
    this.redraw();
  }

  /**
   * Takes files in place of those before, and estimates what they need.
   * @returns whether they are a model, and still the last that were chosen
   */
  async choose(files: Files | Promise<Files>): Promise<boolean> {
    const choice = ++this.#choice;
    this.#writing++;
    this.error = undefined;
    this.#enter({ kind: 'reading' });
    try {
      const own = await files;
      if (choice !== this.#choice) return false;
      this.#files = own;
      const size = await this.#model.readFolder(own);
      if (choice === this.#choice) this.#enter({ kind: 'chosen', size });
    } catch (error) {
      if (choice === this.#choice) this.#fail(error as Error);
    }
    return choice === this.#choice && !this.error;
  }

  #fail(error: Error) {
    this.error = error;
    this.#enter({ kind: 'empty' });
  }

  /** Ends what is being written. */
  stop() {
    this.#writing++;
  }

  /** Loads the chosen model. */
  async load() {
    if (this.phase.kind !== 'chosen') return;
    const choice = this.#choice;
    const { size } = this.phase;
    this.#enter({ kind: 'loading', size, share: 0 });
    this.#model.onProgress = (share) => {
      if (choice === this.#choice) this.#enter({ kind: 'loading', size, share });
    };
    try {
      const about = await this.#model.load();
      if (choice !== this.#choice) return;
      this.#enter({ kind: 'ready', size, about });
      this.recompute();
    } catch (error) {
      if (choice === this.#choice) this.#fail(error as Error);
    }
  }

  /** Writes a story; what it returns changes until the story is written. */
  write(request: StoryRequest): Promise<Written> {
    const own = ++this.#writing;
    return new Promise((resolve, reject) => {
      let written: Written | undefined;
      const show = (story: Story, isWriting: boolean) => {
        if (written) Object.assign(written, { story, isWriting });
        else resolve((written = { story, isWriting }));
        this.redraw();
      };
      const onPart = (story: Story) => {
        show(story, true);
        return own === this.#writing;
      };
      this.#model.story(request, onPart).then(
        (story) => show(story, false),
        (error) => {
          if (!written) return reject(error);
          Object.assign(written, { isWriting: false, error });
          return this.redraw();
        },
      );
    });
  }
}
