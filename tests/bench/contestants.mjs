/** Who computes attention on which inputs, what must come out, and how far off each one is. */
import { attention as reference, rowsOf } from '../support/reference.mjs';
import { alternate, quickest } from './harness.mjs';
import { check, furthest, uniform } from './inputs.mjs';
import { litertAttention, litertNames } from './peers/litert.mjs';
import { onnxAttention, onnxNames } from './peers/onnxruntime.mjs';
import { plainAttention } from './peers/plain.mjs';
import { tfjsAttention, tfjsNames } from './peers/tfjs.mjs';

/** Longest call of a peer that is still timed, in milliseconds. */
const patience = 2000;

/** Inputs of [heads, length, dim] and the arithmetic that the visible scores take. */
export function attentionProblem({ heads, queries, keys = queries, dim, causal = false }) {
  const [q, k, v] = [queries, keys, keys].map((length, i) => uniform(heads * length * dim, i + 1));
  const cells = causal ? (queries * (queries + 1)) / 2 : queries * keys;
  return { q, k, v, heads, queries, keys, dim, causal, flops: 4 * heads * cells * dim };
}

/** `ours` as contestants: the call a user makes, which copies in and returns a new array. */
export function ropewalkAttention({ q, k, v, heads, queries, keys, dim, causal }, ours, options) {
  const tensor = (data, length) => ({ data, shape: [heads, length, dim] });
  const operands = [tensor(q, queries), tensor(k, keys), tensor(v, keys)];
  const settings = { ...options, ...(causal ? { causal: 'top-left' } : {}) };
  return ours.map(({ name, rw }) => ({
    name,
    run: () => rw.attention(...operands, settings),
    output: (result) => result.output.data,
    end() {},
  }));
}

/** The peers that are there, but for those whose names are `gone`. */
async function peersAttention(problem, { onnx, tfjs, litert }, gone) {
  const left = (peer, names) => names.filter((name) => !gone.has(`${peer} ${name}`));
  const peers = gone.has('plain JS') ? [] : [plainAttention(problem)];
  if (onnx) peers.push(...(await onnxAttention(onnx, problem, left('onnxruntime-web', onnxNames))));
  if (tfjs) peers.push(...tfjsAttention(tfjs, problem, left('tfjs', tfjsNames)));
  if (litert) peers.push(...(await litertAttention(litert, problem, left('LiteRT', litertNames))));
  return peers.map((peer) => ({ ...peer, patience }));
}

/** Both multiply-add rates, as contestants that take about 5 ms. */
export const peaks = (limits) => {
  const rounds = 2_500_000;
  return Object.entries(limits).map(([kind, { multiply_adds }]) => ({
    name: `peak ${kind}`,
    flops: rounds * 12 * 4 * 2,
    run: () => multiply_adds(rounds, 0.5, 0.5),
    end() {},
  }));
};

/** Some rows of the double reference, spread over heads and length: [{ at, values }]. */
export function expectedRows({ q, k, v, heads, queries, keys, dim, causal }) {
  const perHead = Math.min(queries, Math.max(1, Math.ceil(16 / heads)));
  return Array.from({ length: heads }, (_, h) => {
    const head = (data, length) => data.subarray(h * length * dim, (h + 1) * length * dim);
    const rows = Array.from({ length: perHead }, (_, i) =>
      Math.floor(((i + (h + 1) / (heads + 1)) * queries) / perHead),
    );
    const chosen = rows.map((row) => [...head(q, queries).subarray(row * dim, (row + 1) * dim)]);
    const sees = causal ? (m, n) => n <= rows[m] : undefined;
    const { output } = reference(chosen, rowsOf(head(k, keys), dim), rowsOf(head(v, keys), dim), {
      sees,
    });
    return rows.map((row, i) => ({ at: (h * queries + row) * dim, values: output[i] }));
  }).flat();
}

/** The end of a message, which says what happened. */
function lastWords(error) {
  const text = String(error.message ?? error).trim();
  return text.length <= 100 ? text : `… ${text.slice(-100).replace(/^\S*\s/, '')}`;
}

/**
 * The contestants that compute this, each with its `error`, and in `failed` why the others do not.
 * A peer that throws or computes something else drops out, and the table says so; one of ours does not.
 * `expected`: [{ at, values }], parts of the output. A contestant may have a `bound` of its own.
 */
export async function verified(expected, contestants, bound = 2e-5) {
  const able = [];
  const failed = {};
  for (const contestant of contestants) {
    const begin = performance.now();
    try {
      const output = contestant.output(await contestant.run());
      const time = performance.now() - begin;
      if (time > 2 * contestant.patience) throw new Error(`one call takes ${Math.round(time)} ms`);
      const apart = ({ at, values }) => furthest(output.subarray(at, at + values.length), values);
      const error = check(
        contestant.name,
        Math.max(...expected.map(apart)),
        contestant.bound ?? bound,
      );
      able.push({ ...contestant, error });
    } catch (error) {
      if (!contestant.peer) throw error;
      failed[contestant.name] = { dropped: lastWords(error) };
    }
  }
  return { able, failed };
}

/**
 * Times every contestant on one problem.
 * @param world the result of makeWorld (world.mjs)
 * @param problem the result of attentionProblem
 * @param {import('./harness.mjs').TimingOptions & { gone?: Set<string>, more?: object[] }} [options]
 *   Contestants in `gone` do not start; one that drops out, or is far behind, is added to it.
 *   `more` are further contestants.
 * @returns {Promise<Record<string, import('./harness.mjs').Figure>>} by name: with `error` and `flops`,
 *   or the reason why it dropped out
 */
export async function raceAttention(
  world,
  problem,
  { gone = new Set(), more = [], ...settings } = {},
) {
  const mine = ropewalkAttention(problem, world.ours);
  const peers = await peersAttention(problem, world, gone);
  const { able, failed } = await verified(expectedRows(problem), [...mine, ...peers]);
  const limits = peaks(world.limits);
  const results = await alternate([...able, ...limits, ...more], settings);
  for (const { end } of peers) end();
  for (const { name, error } of able) Object.assign(results[name], { error, flops: problem.flops });
  for (const { name, flops } of limits) results[name].flops = flops;
  const all = { ...results, ...failed };
  const best = quickest(
    all,
    peers.map(({ name }) => name),
  )?.median;
  for (const { name } of peers) if (!(all[name].median <= Math.max(5 * best, 100))) gone.add(name);
  return all;
}

/** GFLOP/s. */
export const rate = (figure) => (figure?.median ? figure.flops / figure.median / 1e6 : undefined);

export const families = ['LiteRT', 'onnxruntime-web', 'tfjs', 'plain JS'];

/** The quickest of one family of peers, or of all. */
export function bestPeer(figures, ...of) {
  const wanted = of.length > 0 ? of : families;
  const names = Object.keys(figures).filter((name) =>
    wanted.some((family) => name.startsWith(family)),
  );
  return quickest(figures, names);
}

/** Ours among the contestants, and those of an earlier build. */
export const oursIn = (figures) =>
  Object.keys(figures).filter((name) => /^(ropewalk|before) /.test(name));

/** The quicker of our two builds. */
export const ourBest = (figures) => quickest(figures, ['ropewalk relaxed', 'ropewalk simd128']);
