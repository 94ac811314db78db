/** wllama: llama.cpp in WebAssembly, which runs in browsers only; on one thread, without WebGPU. */
import { ggufLlama } from './gguf_llama.mjs';

/** Loads wllama. `wasmUrl`: URL of its binary. */
export async function startWllama(wasmUrl) {
  const { Wllama, LoggerWithoutDebug } = await import('@wllama/wllama');
  const config = { suppressNativeLog: true, logger: LoggerWithoutDebug };
  return {
    build: `llama.cpp ${Wllama.getLibllamaVersion()}`,
    create: () => new Wllama({ default: wasmUrl }, config),
  };
}

/** A text of so many tokens: it takes texts only, and each letter is a token of its own. */
const letters = (count) =>
  Array.from({ length: count }, (_, i) =>
    String.fromCharCode(97 + ((7 * i * i + 3 * i) % 26)),
  ).join('');

/**
 * Contestants that write some tokens after one, and that read a text.
 * @param {Awaited<ReturnType<typeof startWllama>>} started
 * @param {'f32' | 'q8_0'} type of the weights
 * @param {{ written: number, read: number }} work tokens
 */
export async function wllamaLlama({ build, create }, type, { written, read }) {
  const wllama = create();
  const room = Math.max(read, written) + 64;
  await wllama.loadModel([ggufLlama(type)], {
    n_threads: 1,
    n_gpu_layers: 0,
    n_parallel: 1,
    n_ctx: room,
    n_batch: read,
    n_ubatch: read,
  });
  const contestant = (what, prompt, count) => ({
    name: `wllama ${type}, ${what}`,
    async run() {
      const { usage } = await wllama.createCompletion({
        prompt: letters(prompt),
        max_tokens: count,
        temperature: 0,
        ignore_eos: true,
        cache_prompt: false,
      });
      const got = [usage.prompt_tokens, usage.completion_tokens];
      if (got[0] !== prompt || got[1] !== count)
        throw new Error(`${got} tokens read and written, not ${prompt},${count}`);
    },
  });
  const threads = wllama.isMultithread() ? wllama.getNumThreads() : 1;
  return {
    build: `${build}, ${threads} thread${threads === 1 ? '' : 's'}`,
    written,
    decode: contestant('decode', 1, written),
    prefill: contestant('prefill', read, 1),
    end: () => wllama.exit(),
  };
}
