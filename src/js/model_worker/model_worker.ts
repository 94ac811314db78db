/** The functions of a worker that holds one model. */
import { blobSource } from '../formats/byte_source.js';
import { createModelIn, type ModelFiles } from '../model/create_model.js';
import type { GenerateOptions, Model } from '../model/model.js';
import type { ModelTrainer, ModelTrainerOptions } from '../model/model_trainer.js';
import type { WeightFile } from '../model/weights.js';
import type { Instance } from '../pool/protocol.js';
import { functions } from '../ropewalk.js';
import { startedForTraining } from '../runtime/train_module.js';

/** What the worker says of the model that it has loaded. */
export type LoadedModel = Pick<Model, 'options' | 'contextLength'>;

/** The next values of an iterator, tokens or steps of training, and whether it has ended. */
export interface NextValues<Value> {
  values: Value[];
  done: boolean;
}

/** A file as the worker gets it: Node's clones of a File have no name. */
export interface SentFile {
  blob: Blob;
  /** Absent: it is called by its place in the list. */
  name?: string | undefined;
}

/** Milliseconds of work between two messages. */
const sendEvery = 10;

/** A file that was sent, as createModel() takes it. */
function received(file: unknown): WeightFile {
  const { blob, name } = (file ?? {}) as Partial<SentFile>;
  if (blob === undefined) return file as WeightFile;
  return name === undefined ? blob : blobSource(blob, name);
}

export async function instanceOf(module: WebAssembly.Module): Promise<Instance> {
  const core = await startedForTraining(module);
  const rw = functions(core);
  let model: Model;
  let count = 0;
  let trainer: ModelTrainer | undefined;
  const running = new Map<number, AsyncGenerator<unknown, void, undefined>>();
  const begun = (iterator: AsyncGenerator<unknown, void, undefined>): number => {
    running.set(++count, iterator);
    return count;
  };
  const trained = (): ModelTrainer => {
    if (trainer) return trainer;
    throw new Error('the trainer has been disposed of');
  };
  const requests = {
    async load({ weights, ...files }: ModelFiles): Promise<LoadedModel> {
      const list = Array.isArray(weights) ? weights.map(received) : received(weights);
      model = await createModelIn(core, rw, { ...files, weights: list });
      const { options, contextLength } = model;
      return { options, contextLength };
    },
    generate: (tokens: ArrayLike<number>, options?: GenerateOptions) =>
      begun(model.generate(tokens, options)),
    async next(iterator: number): Promise<NextValues<unknown>> {
      const start = performance.now();
      const values: unknown[] = [];
      do {
        const { value, done } = await running.get(iterator)!.next();
        if (done) return { values, done: true };
        values.push(value);
      } while (performance.now() - start < sendEvery);
      return { values, done: false };
    },
    async end(iterator: number): Promise<void> {
      await running.get(iterator)?.return();
      running.delete(iterator);
    },
    trainer(options?: ModelTrainerOptions): void {
      trainer = model.trainer(options);
    },
    step: (steps?: number) => trained().step(steps),
    stepOn: (windows: readonly ArrayLike<number>[], learningRate?: number) =>
      trained().stepOn(windows, learningRate),
    run: () => begun(trained().run()),
    disposeTrainer(): void {
      trainer?.dispose();
      trainer = undefined;
    },
  };
  type Request = (...args: unknown[]) => unknown;
  return {
    call({ name, args }, report) {
      if (name === 'load') return requests.load({ ...(args[0] as ModelFiles), onProgress: report });
      // Layers may share arrays, and an array can be sent once.
      if (name === 'layerPositions')
        return model.layerPositions(args[0] as number).map((layer) => structuredClone(layer));
      if (Object.hasOwn(requests, name))
        return (requests[name as keyof typeof requests] as Request)(...args);
      return (model[name as 'logits'] as Request).apply(model, args);
    },
    onNotice(notice) {
      if ('release' in notice) core.raw.releaseMemory();
    },
  };
}
