/** Measurements that need a fresh process, such as the time until the first result. */
import { attentionProblem } from './contestants.mjs';
import { watchedMemory } from './memory.mjs';
import { onnxAttention, startOnnx } from './peers/onnxruntime.mjs';
import { startTfjs, tfjsAttention } from './peers/tfjs.mjs';

/** Each loads a library and returns a function that computes attention on `problem` once. */
const starts = {
  async ropewalk({ load, kind }, problem) {
    const { createRopewalk } = await load('ropewalk');
    const rw = await createRopewalk({ simd: kind });
    const { heads, queries, dim } = problem;
    const operands = [problem.q, problem.k, problem.v].map((data) => ({
      data,
      shape: [heads, queries, dim],
    }));
    const settings = problem.causal ? { causal: 'top-left' } : {};
    return () => rw.attention(...operands, settings);
  },
  async 'onnxruntime-web'({ assets }, problem) {
    return (await onnxAttention(await startOnnx(assets.onnx), problem, ['Attention']))[0].run;
  },
  async tfjs({ assets }, problem) {
    return tfjsAttention(await startTfjs(assets.tfjs), problem, ['head by head'])[0].run;
  },
};

const tasks = {
  /** Milliseconds from before the import to the first result. */
  async first(start, settings) {
    const problem = attentionProblem({ heads: 1, queries: 16, dim: 16 });
    const begin = performance.now();
    const run = await start(settings, problem);
    await run();
    return performance.now() - begin;
  },
  /** Bytes of wasm memory before and after one call. */
  async memory(start, { shape, ...settings }) {
    const bytes = watchedMemory();
    const problem = attentionProblem(shape);
    const run = await start(settings, problem);
    const before = bytes();
    const begin = performance.now();
    await run();
    return { before, after: bytes(), time: performance.now() - begin };
  },
};

/** Runs the task `task` with the library `who`; returns a number or an object. */
export const measureOnce = ({ who, task, ...settings }) => tasks[task](starts[who], settings);
