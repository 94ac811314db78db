/** A pool of two workers beside one instance: the same call, its answer awaited. */
import { attentionProblem } from '../contestants.mjs';
import { alternate, ratio } from '../harness.mjs';
import { check, furthest } from '../inputs.mjs';
import { duration, times } from '../tables.mjs';

const heads = 8,
  dim = 64,
  size = 2;
const alone = 'one instance',
  together = `pool of ${size}`;

async function race({ rw, pool, length, causal, rounds }) {
  const problem = attentionProblem({ heads, dim, queries: length });
  const operands = [problem.q, problem.k, problem.v].map((data) => ({
    data,
    shape: [heads, length, dim],
  }));
  const settings = causal ? { causal: 'top-left' } : {};
  const [mine, theirs] = [
    rw.attention(...operands, settings),
    await pool.attention(...operands, settings),
  ];
  check(together, furthest(mine.output.data, theirs.output.data), 0);
  const contestants = [
    { name: alone, run: () => rw.attention(...operands, settings) },
    { name: together, run: () => pool.attention(...operands, settings) },
  ];
  return alternate(contestants, { rounds, warmUp: 400 });
}

export async function measure(world) {
  const [{ rw, kind }] = world.ours;
  let createPool;
  try {
    ({ createPool } = await world.load('ropewalk', './pool'));
  } catch (error) {
    return { kind, cases: [], missing: `This package has no pool: ${error.message}` };
  }
  const pool = await createPool({ size, simd: kind });
  const cases = [];
  for (const length of world.quick ? [512] : [512, 2048]) {
    for (const causal of [false, true]) {
      world.say(`N ${length}${causal ? ', causal' : ''}`);
      const figures = await race({ rw, pool, length, causal, rounds: 11 });
      cases.push({ length, causal, figures });
    }
  }
  await pool.close();
  return { kind, cases };
}

export const tables = ({ kind, cases, missing }) => [
  {
    title: `Attention by workers, ${kind}, H ${heads}, D ${dim}`,
    columns: ['', alone, together, 'is faster by'],
    rows: cases.map(({ length, causal, figures }) => [
      `N ${length}${causal ? ', causal' : ''}`,
      duration(figures[alone].median),
      duration(figures[together].median),
      times(ratio(figures[alone], figures[together])),
    ]),
    notes: missing ? [missing] : [],
  },
];

export const headlines = ({ cases }) =>
  cases
    .filter(({ length }) => length === 2048)
    .map(({ causal, figures }) => ({
      name: `pool of ${size} at N 2048${causal ? ', causal' : ''}`,
      value: ratio(figures[alone], figures[together]),
      goal: causal ? undefined : 1.8,
      unit: '×',
    }));
