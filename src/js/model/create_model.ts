/** Loads a model, whatever its files are. */
import { ggufModel } from './gguf_model.js';
import { modelFromConfig, type PositionSource } from './hugging_face.js';
import { readLlama2c } from './llama2c.js';
import { loadModel, sizeOf, type ModelSize, type Precision } from './load_model.js';
import type { Model, ModelParts } from './model.js';
import { safetensorsWeights, sourceOf, type WeightFile } from './weights.js';
import type { ByteSource } from '../formats/byte_source.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { TrainingCore } from '../runtime/train_module.js';

/** The files of a model. */
export interface ModelFiles {
  /** config.json, as text or as its object. Absent: `weights` has all. */
  config?: string | object;
  /**
   * The .safetensors files of a folder; a .gguf file, or all that it was split into; or one of
   * llama2.c.
   */
  weights: WeightFile | readonly WeightFile[];
  /** How weights are kept in memory. Default 'stored'; training needs 'float32'. */
  precision?: Precision;
  /** Ends the loading. */
  signal?: AbortSignal;
  /** Gets the share of the weights that are loaded. */
  onProgress?: (share: number) => void;
}

const filesSchema = {
  config: option.given('config'),
  weights: option.given('weights'),
  precision: option.oneOf('stored', 'float32', 'int8').default('stored'),
  signal: option.given('signal'),
  onProgress: option.given('function'),
} satisfies Schema<ModelFiles>;

/** What the files say, of which the headers are read now. */
async function partsOf(
  rw: PositionSource,
  { config, weights }: Pick<ModelFiles, 'config' | 'weights'>,
): Promise<ModelParts> {
  const list = (Array.isArray(weights) ? weights : [weights]) as WeightFile[];
  if (list.length === 0) throw wrongKind('weights', 'must be at least one file', weights);
  const sources = list.map((file, i) =>
    sourceOf(list.length > 1 ? `weights[${i}]` : 'weights', file),
  );
  if (config !== undefined) return modelFromConfig(rw, config, await safetensorsWeights(sources));
  const [source] = sources as [ByteSource];
  const start = source.size < 4 ? '' : new TextDecoder().decode(await source.read(0, 4));
  if (start === 'GGUF') return ggufModel(rw, sources);
  if (sources.length > 1)
    throw wrongValue('weights', 'must be one file where there is no config', sources.length);
  const { position, ...parts } = await readLlama2c(source);
  const layers = position((dim) => rw.rotaryFrequencies({ dim }).inverseFrequencies);
  return { ...parts, positionsFor: () => layers };
}

/** @internal */
export async function createModelIn(
  core: TrainingCore,
  rw: PositionSource,
  files: ModelFiles,
): Promise<Model> {
  const given = read('model files', files, filesSchema);
  const { precision, signal, onProgress } = given;
  return loadModel(core, await partsOf(rw, given), {
    precision,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
}

/** @internal */
export async function estimateModelIn(
  core: TrainingCore,
  rw: PositionSource,
  files: ModelFiles,
): Promise<ModelSize> {
  const given = read('model files', files, filesSchema);
  return sizeOf(core, await partsOf(rw, given), given.precision);
}
