/** Loads a model, whatever its files are. */
import { ggufModel } from './gguf_model.js';
import { modelFromConfig, type PositionSource } from './hugging_face.js';
import { readLlama2c } from './llama2c.js';
import { loadModel, type Model } from './model.js';
import { safetensorsWeights, sourceOf, type WeightFile } from './weights.js';
import type { ByteSource } from '../formats/byte_source.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { TrainingCore } from '../runtime/train_module.js';

/** The files of a model. */
export interface ModelFiles {
  /** config.json, as text or as its object. Absent: `weights` is one file that has all. */
  config?: string | object;
  /** The .safetensors files of a folder, or one .gguf file or one of llama2.c. */
  weights: WeightFile | readonly WeightFile[];
  signal?: AbortSignal;
  /** Gets the share of the weights that are loaded. */
  onProgress?: (share: number) => void;
}

const filesSchema = {
  config: option.given('config'),
  weights: option.given('weights'),
  signal: option.given('signal'),
  onProgress: option.given('function'),
} satisfies Schema<ModelFiles>;

/** @internal */
export async function createModelIn(
  core: TrainingCore,
  rw: PositionSource,
  files: ModelFiles,
): Promise<Model> {
  const { config, weights, signal, onProgress } = read('model files', files, filesSchema);
  const list = (Array.isArray(weights) ? weights : [weights]) as WeightFile[];
  if (list.length === 0) throw wrongKind('weights', 'must be at least one file', weights);
  const sources = list.map((file, i) =>
    sourceOf(list.length > 1 ? `weights[${i}]` : 'weights', file),
  );
  const progress = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  if (config !== undefined)
    return loadModel(
      core,
      modelFromConfig(rw, config, await safetensorsWeights(sources)),
      progress,
    );
  const [source] = sources as [ByteSource];
  if (sources.length > 1)
    throw wrongValue('weights', 'must be one file where there is no config', sources.length);
  const start = source.size < 4 ? '' : new TextDecoder().decode(await source.read(0, 4));
  if (start === 'GGUF') return loadModel(core, await ggufModel(rw, source), progress);
  const { position, ...parts } = await readLlama2c(source);
  const layers = position((dim) => rw.rotaryFrequencies({ dim }).inverseFrequencies);
  return loadModel(core, { ...parts, positionsFor: () => layers }, progress);
}
