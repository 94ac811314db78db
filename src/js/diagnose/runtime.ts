/** What the program of a dump does otherwise than the configuration says. */
import type { RuntimeName } from '../config/runtimes.js';
import { architectureOfType } from '../config/llama_cpp.js';
import type { RotaryLayout } from '../rotary/rotary.js';
import type { Config } from './layers.js';
import type { Model } from './model.js';

const layouts = { adjacent: 'interleaved', halves: 'half-split', none: undefined } as const;

/** The pairs that llama.cpp rotates; undefined where the architecture is not known. */
export function llamaCppLayout(config: Config): RotaryLayout | undefined {
  const architecture = architectureOfType(String(config['model_type'] ?? ''));
  return architecture && layouts[architecture.pairs];
}

/**
 * The model as a program runs it. llama.cpp rotates the pairs of its architecture, and its
 * converter puts the rows of q and k in their order.
 * @see llama.cpp, llama_model_rope_type, and LlamaModel.permute of conversion/llama.py
 */
export function modelIn(runtime: RuntimeName | undefined, model: Model, config: Config): Model {
  if (runtime === undefined) return model;
  const layout = runtime === 'llama.cpp' ? llamaCppLayout(config) : undefined;
  const { rotary, permuted } = model;
  if (!rotary || !layout) return { ...model, runtime };
  const isPermuted = rotary.layout === 'half-split' && layout === 'interleaved';
  return {
    ...{ ...model, runtime },
    rotary: { ...rotary, layout, outputLayout: layout },
    ...(isPermuted && { permuted: { ...permuted, from: 'half-split', eitherOrder: true } }),
  };
}
