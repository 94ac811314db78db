/** The entry `ropewalk/model`: language models that somebody trained, loaded from their files. */
import { createModelIn, type ModelFiles } from '../model/create_model.js';
import type { Model } from '../model/model.js';
import { startedOnce } from '../runtime/load.js';
import { inlineForTraining } from '../runtime/train_inline.js';
import { startTrainingCore } from '../training/training.js';

const shared = startedOnce(() => startTrainingCore(undefined, inlineForTraining));

/**
 * Loads a language model: from a Hugging Face folder, its config.json and .safetensors files, or
 * from a file of llama2.c. All models share one instance.
 * @param files the configuration and the weights, of which parts are read
 * @returns the model, which holds memory until dispose()
 * @throws TypeError, RangeError on a file that does not fit, naming it; on a family of models that
 *   is not known, or a setting that the decoder does not have
 * @see Hugging Face, transformers; Karpathy 2023 (llama2.c)
 */
export async function createModel(files: ModelFiles): Promise<Model> {
  const { core, simd } = await shared();
  return createModelIn(core, simd, files);
}

export type { ModelFiles } from '../model/create_model.js';
export type { DecoderOptions } from '../model/description.js';
export type { GenerateOptions, Model, ReadOptions } from '../model/model.js';
export type { LayerPosition, PositionChange } from '../model/positions.js';
export type { WeightFile } from '../model/weights.js';
