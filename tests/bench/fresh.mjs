/** What only a fresh process can tell: [who, task, settings] gives a number or an object. */
import { attentionProblem } from './contestants.mjs';
import { watchedMemory } from './memory.mjs';
import { onnxAttention, startOnnx } from './peers/onnxruntime.mjs';
import { startTfjs, tfjsAttention } from './peers/tfjs.mjs';

/** From nothing to a function that computes attention on a problem once. */
const starts = {
  async ropewalk({ load, kind }, problem) {
    const { createRopewalk } = await load('ropewalk');
    const rw = await createRopewalk({ simd: kind });
    const { heads, queries, dim } = problem;
    const operands = [problem.q, problem.k, problem.v].map((data) => ({
      data,
      shape: [heads, queries, dim],
    }));
    return () => rw.attention(...operands);
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
  async first(start, surroundings) {
    const problem = attentionProblem({ heads: 1, queries: 16, dim: 16 });
    const begin = performance.now();
    const run = await start(surroundings, problem);
    await run();
    return performance.now() - begin;
  },
  /** Bytes of wasm memory before and after one call. */
  async memory(start, { shape, ...surroundings }) {
    const bytes = watchedMemory();
    const problem = attentionProblem(shape);
    const run = await start(surroundings, problem);
    const before = bytes();
    const begin = performance.now();
    await run();
    return { before, after: bytes(), time: performance.now() - begin };
  },
};

export const inFreshPlace = ({ who, task, ...surroundings }) =>
  tasks[task](starts[who], surroundings);
