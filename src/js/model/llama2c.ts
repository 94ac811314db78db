/**
 * The file format of llama2.c (Karpathy 2023), version 0: seven 32-bit whole numbers, then floats,
 * of each tensor all layers together.
 */
import type { ModelDescription, Place } from './description.js';
import type { ModelOrigin } from './model.js';
import type { ModelLayerPosition } from './positions.js';
import type { Weights } from './weights.js';
import { readInto, type ByteSource } from '../formats/byte_source.js';
import { wrongValue } from '../runtime/errors.js';

const headerBytes = 28;

export interface Llama2cFile {
  description: ModelDescription;
  weights: Weights;
  contextLength: number;
  family: string;
  origin: ModelOrigin;
  position: (frequencies: (dim: number) => Float64Array) => ModelLayerPosition[];
}

/**
 * Reads the header of a model of llama2.c.
 * @throws RangeError on a file that is not one, naming the size that does not fit
 * @see llama2.c, run.c: read_checkpoint, memory_map_weights
 */
export async function readLlama2c(source: ByteSource): Promise<Llama2cFile> {
  const { name } = source;
  if (source.size < headerBytes)
    throw wrongValue(name, `must have at least ${headerBytes} bytes`, source.size);
  const bytes = await source.read(0, headerBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  const [width, hidden, layers, heads, keyHeads, signedVocabulary, contextLength] = Array.from(
    { length: 7 },
    (_, i) => view.getInt32(4 * i, true),
  ) as [number, number, number, number, number, number, number];
  const vocabulary = Math.abs(signedVocabulary);
  const isTied = signedVocabulary > 0;
  for (const [size, value] of Object.entries({
    ...{ width, hidden, layers, heads, keyHeads, vocabulary, contextLength },
  }))
    if (value < 1 || value > 2 ** 24)
      throw wrongValue(`${name}: ${size}`, 'must be from 1 to 16777216', value);
  if (width % heads !== 0 || heads % keyHeads !== 0)
    throw wrongValue(`${name}: heads`, 'must divide width, and key heads divide heads', heads);
  const headWidth = width / heads;
  const keyWidth = keyHeads * headWidth;

  // Number of layers, or 1, then rows and columns of each.
  const sizes: [string, number, number, number][] = [
    ['E', 1, vocabulary, width],
    ['g1', layers, 1, width],
    ['Wq', layers, width, width],
    ['Wk', layers, keyWidth, width],
    ['Wv', layers, keyWidth, width],
    ['Wo', layers, width, width],
    ['g2', layers, 1, width],
    ['Wg', layers, hidden, width],
    ['W2', layers, width, hidden],
    ['W1', layers, hidden, width],
    ['gf', 1, 1, width],
    ['old rotary table', 1, contextLength, headWidth],
    ...(isTied ? [] : [['Wout', 1, vocabulary, width] as [string, number, number, number]]),
  ];
  let end = headerBytes;
  const tensors = new Map(
    sizes.map(([tensor, count, rows, cols]) => {
      const start = end;
      end += 4 * count * rows * cols;
      return [tensor, { start, shape: [count * rows, cols], format: 'f32' as const }];
    }),
  );
  if (source.size !== end)
    throw wrongValue(name, `must have ${end} bytes for the sizes in its header`, source.size);
  const rowsOf = new Map(sizes.map(([tensor, , rows]) => [tensor, rows]));

  return {
    contextLength,
    family: 'llama',
    // Its converter reorders rows as that of llama.cpp does.
    origin: {
      config: {
        model_type: 'llama',
        hidden_size: width,
        num_hidden_layers: layers,
        num_attention_heads: heads,
        num_key_value_heads: keyHeads,
        max_position_embeddings: contextLength,
        rope_theta: 1e4,
      },
      runtime: 'llama.cpp',
    },
    description: {
      options: {
        ...{ vocabulary, width, layers, heads, keyHeads, hidden },
        normEpsilon: 1e-5,
        weightOrder: 'out-by-in',
        norm: 'rms',
        activation: 'silu',
        gated: true,
        tied: isTied,
      },
      placeOf(parameter): Place {
        const [, layer = '0', tensor = parameter] = /^blocks\.(\d+)\.(.+)$/.exec(parameter) ?? [];
        const rows = rowsOf.get(tensor)!;
        return { tensor, runs: [[Number(layer) * rows, rows]] };
      },
    },
    weights: {
      stored: (tensor) => tensors.get(tensor),
      names: () => [...tensors.keys()],
      rows(tensor, first, count, room) {
        const { start, shape } = tensors.get(tensor)!;
        const each = 4 * shape[1]!;
        return readInto(source, start + first * each, count * each, room);
      },
    },
    position: (frequencies) =>
      Array.from({ length: layers }, () => ({
        frequencies: frequencies(headWidth),
        base: 1e4,
        layout: 'interleaved',
      })),
  };
}
