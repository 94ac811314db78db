/**
 * Time and memory as the text grows, of one instance and of a pool of two workers: causal attention,
 * the same within a window, and one query over a cache.
 */
import { attentionProblem } from '../contestants.mjs';
import { alternate } from '../harness.mjs';
import { check, furthest } from '../inputs.mjs';
import { duration } from '../tables.mjs';

const heads = 2,
  dim = 64,
  size = 2;
const window = 4096;
const mebi = 2 ** 20;

/** By name: the length that a query sees at most. */
export const works = { causal: Infinity, window, decode: Infinity };
export const contenders = ['one instance', `pool of ${size}`];

const tensor = (data) => ({ data, shape: [heads, data.length / heads / dim, dim] });

/** The calls of one work by an instance and a pool, and what ends them. */
async function calls(work, length, both) {
  const { q, k, v } = attentionProblem({ heads, dim, queries: length });
  if (work === 'decode') {
    const own = tensor(uniformRow(q, length));
    const caches = await Promise.all(
      both.map(async (of) => {
        const cache = await of.createCache({ keyHeads: heads, capacity: length, dim });
        await cache.append(tensor(k), tensor(v));
        return cache;
      }),
    );
    return {
      runs: both.map((of, i) => () => of.attention(own, caches[i])),
      end: () => Promise.all(caches.map((cache) => cache.dispose())),
    };
  }
  const settings = {
    causal: 'top-left',
    ...(work === 'window' ? { window: { size: window } } : {}),
  };
  return {
    runs: both.map((of) => () => of.attention(tensor(q), tensor(k), tensor(v), settings)),
    end() {},
  };
}

/** The first row of each head. */
function uniformRow(data, length) {
  const rows = new Float32Array(heads * dim);
  for (let h = 0; h < heads; h++)
    rows.set(data.subarray(h * length * dim, h * length * dim + dim), h * dim);
  return rows;
}

export async function measure(world) {
  const [{ rw, kind }] = world.ours;
  const { createPool } = await world.load('ropewalk', './pool');
  const pool = await createPool({ size, simd: kind });
  const lengths = world.lengths ?? [64, 256, 1024, 4096, ...(world.quick ? [] : [16384, 65536])];
  const cases = [];
  for (const length of lengths) {
    const own = { length, figures: {} };
    for (const work of Object.keys(works)) {
      world.say(`${work}, N ${length}`);
      const { runs, end } = await calls(work, length, [rw, pool]);
      const [mine, theirs] = await Promise.all(runs.map((run) => run()));
      check(contenders[1], furthest(mine.output.data, theirs.output.data), 0);
      own.figures[work] = await alternate(
        runs.map((run, i) => ({ name: contenders[i], run })),
        // A call of half a minute is a mean in itself.
        { rounds: length > 16384 ? 3 : 7, warmUp: length > 4096 ? 0 : 200 },
      );
      await end();
    }
    const shape = { heads, queries: length, dim, causal: true };
    const { before, after } = await world.fresh({ task: 'memory', who: 'ropewalk', shape });
    cases.push({ ...own, memory: after - before, operands: 4 * 4 * heads * length * dim });
  }
  await pool.close();
  return { kind, heads, cases };
}

export const tables = ({ kind, heads, cases }) => [
  {
    title: `Time and memory by length, ${kind}, H ${heads}, D ${dim}; window ${window}`,
    columns: [
      'N',
      ...Object.keys(works).flatMap((work) => contenders.map((name) => `${work}, ${name}`)),
      'wasm memory, MiB',
      'inputs and output, MiB',
    ],
    rows: cases.map(({ length, figures, memory, operands }) => [
      length,
      ...Object.keys(works).flatMap((work) =>
        contenders.map((name) => duration(figures[work][name].median)),
      ),
      ...[memory, operands].map((bytes) => (bytes / mebi).toFixed(1)),
    ]),
  },
];

/** Pairs of a query and a key that it sees. */
export const scoresOf = (work, length) => {
  if (work === 'decode') return length;
  const seen = Math.min(works[work], length);
  return (seen * (seen + 1)) / 2 + (length - seen) * seen;
};

/** By how much the time per score differs at most from that of the longest length. */
function departure(cases, work) {
  const long = cases.filter(({ length }) => length >= 1024);
  const perScore = long.map(
    ({ length, figures }) => figures[work][contenders[0]].median / scoresOf(work, length),
  );
  return Math.max(...perScore.map((time) => Math.abs(time / perScore.at(-1) - 1)));
}

export const headlines = ({ cases }) => [
  ...Object.keys(works).map((work) => ({
    name: `${work}, departure from time by scores, N 1024 and more (at most)`,
    value: departure(cases, work),
    goal: 0.2,
    unit: '',
  })),
  {
    name: 'memory at the longest, beyond inputs and output (at most)',
    value: (cases.at(-1).memory - cases.at(-1).operands) / mebi,
    goal: 2,
    unit: 'MiB',
  },
];
