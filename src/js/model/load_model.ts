/** Creates models in the core: how large one will be, and its weights from their files. */
import { recordOfDecoder } from './description.js';
import { parameterLines, piecesOf, type ModelParameter } from './load_parameters.js';
import { cacheBytes, chunkSize, Model, mostLogits, type ModelParts } from './model.js';
import type { WeightFormat } from './weights.js';
import { breath } from '../runtime/breath.js';
import { fitting } from '../runtime/checks.js';
import { wrongValue } from '../runtime/errors.js';
import { dtypes, type StoredDtype } from '../runtime/resident.js';
import type { TrainingCore } from '../runtime/train_module.js';

/**
 * How weights are kept in memory. 'stored': as the file has them, exact. float32 stays float32;
 * float16, bfloat16 and Q8_0 become rows of float16 with a factor each. Of bfloat16 that changes
 * values below 2⁻³² of the largest in their row, by at most 2⁻⁴⁰ of it, and each x of Q8_0 by at
 * most 2⁻¹¹ |x|. 'float32': exact for every file, and needed for training. 'int8': a byte per value
 * and a factor per row, off by at most the largest magnitude of the row / 253. Norms, biases and
 * position tables are float32 always.
 */
export type Precision = 'stored' | 'float32' | 'int8';

/** The size of a model in memory. */
export interface ModelSize {
  /** The model_type of config.json. */
  family: string;
  /** Number of positions that the model was made for, where its file says so. */
  contextLength: number | undefined;
  /** Number of values of all weights. */
  parameters: number;
  /** Bytes of the weights in memory. */
  weightBytes: number;
  /** Bytes of keys and values that each token of a text takes. */
  bytesPerToken: number;
  /** Bytes of memory when the model has read a text of 1,024 tokens. */
  peakBytes: number;
}

const keptAs = (precision: Precision, format: WeightFormat): StoredDtype =>
  precision !== 'stored' ? precision : format === 'f32' ? 'float32' : 'float16';

/** Text, working memory of the module, and what a file is read through. */
const overhead = 2 ** 24;
const tokensAtPeak = 1024;

/** A model in the core that has no memory for its weights yet. */
interface Plan {
  at: number;
  list: ModelParameter[];
  size: ModelSize;
}

function planned(core: TrainingCore, parts: ModelParts, precision: Precision): Plan {
  const { description, weights, family, contextLength } = parts;
  const { options } = description;
  const { training } = core;
  const kinds = training.positionKinds().trim().split(' ');
  core.sendDoubles([core.recordOf('model', recordOfDecoder(options, kinds))]);
  const at = core.address(training.createModel(), 'the model');
  try {
    const list = parameterLines(training.modelParameters(at));
    const formats = list.map(({ name }) => {
      const stored = weights.stored(description.placeOf(name).tensor);
      return dtypes.indexOf(keptAs(precision, stored?.format ?? 'f32'));
    });
    core.sendDoubles([formats]);
    const [weightBytes] = core.doubles(training.setModelFormats(at)) as unknown as [number];
    const { width, hidden, vocabulary, heads, headWidth = width / heads } = options;
    const perToken = 8 * width + 4 * hidden + 5 * heads * headWidth;
    const working = chunkSize * perToken + Math.min(chunkSize * vocabulary, mostLogits);
    const bytesPerToken = cacheBytes(options);
    const size = {
      family,
      contextLength,
      parameters: list.reduce((sum, { rows, cols }) => sum + rows * cols, 0),
      weightBytes,
      bytesPerToken,
      peakBytes: weightBytes + overhead + 4 * working + tokensAtPeak * bytesPerToken,
    };
    return { at, list, size };
  } catch (error) {
    training.deleteModel(at);
    throw error;
  }
}

/**
 * How large a model will be. Takes no memory for it.
 * @internal
 */
export function sizeOf(core: TrainingCore, parts: ModelParts, precision: Precision): ModelSize {
  const { at, size } = planned(core, parts, precision);
  core.training.deleteModel(at);
  return size;
}

/**
 * Creates a model in the core and fills it from its files.
 * @param onProgress gets the share of parameters that are loaded
 * @internal
 */
export async function loadModel(
  core: TrainingCore,
  parts: ModelParts,
  options: {
    precision: Precision;
    signal?: AbortSignal;
    onProgress?: (share: number) => void;
  },
): Promise<Model> {
  const { precision, signal, onProgress } = options;
  const { training } = core;
  const { at, list, size } = planned(core, parts, precision);
  try {
    fitting('the weights of the model', size.weightBytes, 1);
    core.address(training.reserveModel(at), `the ${size.weightBytes} bytes of the weights`);
    let done = 0;
    const room = {};
    for (const [index, parameter] of list.entries()) {
      const place = parts.description.placeOf(parameter.name);
      for await (const { first, count, bytes, format } of piecesOf(
        parts.weights,
        parameter,
        place,
        room,
      )) {
        signal?.throwIfAborted();
        core.sendBytes([bytes]);
        const { tensor, offset = 0 } = place;
        const returned = training.writeParameter(at, index, first, count, format, offset);
        const [wrong] = core.doubles(returned);
        if (wrong !== undefined) {
          const limit = "must be at most 2^29 in magnitude unless precision is 'float32'";
          const rule = Number.isFinite(wrong) ? limit : 'must be finite';
          throw wrongValue(`weights: ${tensor}`, rule, wrong);
        }
        done += count * parameter.cols;
        onProgress?.(done / size.parameters);
        if (bytes.length >= 2 ** 20) await breath();
      }
    }
  } catch (error) {
    training.deleteModel(at);
    throw error;
  }
  return new Model(core, at, parts);
}
