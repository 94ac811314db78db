/** The entry `ropewalk/model`: language models that somebody trained, loaded from their files. */
import { createModelIn, estimateModelIn, type ModelFiles } from '../model/create_model.js';
import type { ModelSize } from '../model/load_model.js';
import type { Model } from '../model/model.js';
import { instanceOf } from '../ropewalk.js';
import { startedOnce, type LoadOptions } from '../runtime/load.js';
import { inlineForTraining } from '../runtime/train_inline.js';
import { startTrainingCore } from '../training/training.js';

/** The functions of an instance that loads models. */
export interface Models {
  /** The same as createModel() of the entry, for this instance. */
  createModel(files: ModelFiles): Promise<Model>;
  /** The same as estimateModel() of the entry, for this instance. */
  estimateModel(files: ModelFiles): Promise<ModelSize>;
}

/**
 * Starts a core for models in a new WebAssembly instance.
 * @param options the choice of the binary, or another binary of the entry `train`; by default the
 *   best that runs
 * @returns functions that load models into it
 * @throws TypeError, RangeError on a wrong option, naming it; Error where the engine has no SIMD
 * @see WebAssembly Core Specification 2.0 (vector instructions), 3.0 (relaxed vector instructions)
 */
export async function createModels(options?: LoadOptions): Promise<Models> {
  const { core, simd } = await startTrainingCore(options, inlineForTraining);
  const rw = instanceOf(core, simd);
  return {
    createModel: (files) => createModelIn(core, rw, files),
    estimateModel: (files) => estimateModelIn(core, rw, files),
  };
}

const shared = startedOnce(() => createModels());

/**
 * Loads a language model: from a Hugging Face folder, its config.json and .safetensors files; from
 * a .gguf file in F32, F16, BF16 or Q8_0; or from a file of llama2.c. All models of this function
 * share one instance; createModels() makes separate ones.
 * @param files the configuration and the weights, of which parts are read
 * @returns the model, which holds memory until dispose()
 * @throws TypeError, RangeError on a file that does not fit, naming it; on a family of models that
 *   is not known, or a setting that the decoder does not have
 * @see Hugging Face, transformers; ggml, docs/gguf.md; Karpathy 2023 (llama2.c)
 */
export async function createModel(files: ModelFiles): Promise<Model> {
  return (await shared()).createModel(files);
}

/**
 * Says how much memory a model takes, from the headers of its files.
 * @param files as for createModel()
 * @returns sizes in bytes: of the weights, of the keys and values of a token, and of all together
 *   when a text of 1,024 tokens was read
 * @throws TypeError, RangeError on a file that does not fit, naming it, as createModel() does
 * @see createModel()
 */
export async function estimateModel(files: ModelFiles): Promise<ModelSize> {
  return (await shared()).estimateModel(files);
}

export { readModelFolder } from '../model/folder.js';
export { readLlama2cTokenizer } from '../model/llama2c_tokenizer.js';
export { decodeStream } from '../model/tokenizer.js';
export type { ModelFiles } from '../model/create_model.js';
export type { DecoderOptions } from '../model/description.js';
export type { ModelFolder } from '../model/folder.js';
export type { TokenizerFiles } from '../model/hub_tokenizer.js';
export type { ModelSize, Precision } from '../model/load_model.js';
export type { GenerateOptions, Model, ReadOptions } from '../model/model.js';
export type { ModelTrainer, ModelTrainerOptions } from '../model/model_trainer.js';
export type { ScheduleOptions, StepResult } from '../model/schedule.js';
export type { MapChange, ModelLayerPosition, PositionChange } from '../model/positions.js';
export type { ChatMessage, Tokenizer } from '../model/tokenizer.js';
export type { LoadOptions } from '../runtime/load.js';
export type { WeightFile } from '../model/weights.js';
