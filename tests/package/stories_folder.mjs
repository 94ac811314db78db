/** The Llama of tests/models as a folder of Hugging Face. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contents } from '../models/llama2c_file.mjs';
import { installed } from './installed.mjs';

const { writeSafetensors } = await import(pathToFileURL(join(installed, 'entries/files.js')).href);

/**
 * The model as Hugging Face stores it: pairs in halves, in two files.
 * @param {(config: Record<string, unknown>, tensors: Record<string, any>) => void} change
 */
export function hubFiles(change = () => {}) {
  const { sizes, tensors } = contents();
  const { dim, hidden, layers, heads, keyHeads, vocabulary, context } = sizes;
  /** Rows 2i and 2i + 1 of a head become rows i and i + half. */
  const halved = ({ data, shape: [rows, cols] }) => {
    const result = new Float32Array(data.length);
    const half = dim / heads / 2;
    for (let row = 0; row < rows; row++) {
      const within = row % (2 * half);
      const to = row - within + (within % 2) * half + Math.floor(within / 2);
      result.set(data.subarray(row * cols, (row + 1) * cols), to * cols);
    }
    return { data: result, shape: [rows, cols] };
  };
  for (const name of Object.keys(tensors))
    if (/[qk]_proj/.test(name)) tensors[name] = halved(tensors[name]);
  const config = {
    model_type: 'llama',
    hidden_size: dim,
    intermediate_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: keyHeads,
    vocab_size: vocabulary,
    max_position_embeddings: context,
    rms_norm_eps: 1e-5,
    hidden_act: 'silu',
    tie_word_embeddings: true,
  };
  change(config, tensors);
  const entries = Object.entries(tensors);
  const parts = [entries.slice(0, 20), entries.slice(20)];
  return {
    config: JSON.stringify(config),
    weights: parts.map((part) => writeSafetensors(Object.fromEntries(part))),
  };
}
