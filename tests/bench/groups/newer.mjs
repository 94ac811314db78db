/** What the schemes of 2024 to 2026 cost: causal attention with each, over that without. */
import { attentionProblem } from '../contestants.mjs';
import { alternate, ratio } from '../harness.mjs';
import { uniform } from '../inputs.mjs';
import { duration, times } from '../tables.mjs';

const heads = 8,
  dim = 64;
const causal = 'top-left';
const layout = 'half-split';

const tensor = (data, ...shape) => ({ data, shape });
const between = (count, seed, low, high) =>
  uniform(count, seed).map((x) => low + ((x + 1) / 2) * (high - low));

/** Each scheme as { over, goal, run }: the most it may take, as a multiple of the time of `over`. */
function schemesOf(rw, N) {
  const { q, k, v } = attentionProblem({ heads, dim, queries: N });
  const operands = [q, k, v].map((data) => tensor(data, heads, N, dim));
  const attention = (options) => () => rw.attention(...operands, { causal, ...options });
  const frequencies = rw.rotaryFrequencies({ dim });
  // Gates whose sigmoid lies between 0.5 and 1: they forget within tens of keys.
  const gates = tensor(between(heads * N, 4, 0, 6), heads, N);
  const channelGates = tensor(between(heads * N * dim, 5, 0, 6), heads, N, dim);
  const steps = tensor(uniform((heads * N * dim) / 2, 6), heads, N, dim / 2);
  const { angles } = rw.accumulatedAngles(steps);
  const positions = between(heads * N, 7, 0, N);
  const w = tensor(uniform(heads * N * dim, 8), heads, N, dim);
  for (let row = 0; row < heads * N; row++) {
    const of = w.data.subarray(row * dim, (row + 1) * dim);
    const length = Math.hypot(...of);
    of.forEach((x, i) => (of[i] = x / length));
  }
  const beta = tensor(between(heads * N, 9, 0, 1), heads, N);
  const keyDirection = tensor(uniform(heads * dim, 10), heads, dim);
  const [polarQ, polarK] = [operands[0], operands[1]].map((x) => rw.polar(x));
  const ssmax = { type: 'ssmax', scale: Array(heads).fill(0.4) };
  return {
    none: { run: attention({}) },
    RoPE: { run: attention({ position: { type: 'rope', frequencies, layout } }) },
    FoX: { over: 'none', goal: 1.05, run: attention({ position: { type: 'fox', gates } }) },
    SSMax: {
      over: 'none',
      goal: 1.05,
      run: attention({ rowScale: rw.logitFactors(N, ssmax) }),
    },
    'Selective RoPE': {
      over: 'RoPE',
      goal: 1.15,
      run: attention({ position: { type: 'angles', angles, layout } }),
    },
    RePo: {
      over: 'RoPE',
      goal: 1.15,
      run: attention({ position: { type: 'rope', frequencies, layout, positions } }),
    },
    'GRAPE-A': {
      over: 'none',
      goal: 1.3,
      run: attention({
        position: { type: 'grape-a', rawSlopes: Array(heads).fill(0), keyDirection },
      }),
    },
    PoPE: {
      over: 'none',
      goal: 2.2,
      run: () => rw.attention(polarQ, polarK, operands[2], { causal, scale: dim ** -0.5 }),
    },
    'stick-breaking': {
      over: 'none',
      goal: 2,
      run: attention({ position: { type: 'stick-breaking' } }),
    },
    Wall: {
      over: 'none',
      goal: 2.5,
      run: attention({ position: { type: 'wall', gates: channelGates } }),
    },
    PaTH: { over: 'none', goal: 8, run: attention({ position: { type: 'path', w, beta } }) },
  };
}

export async function measure(world) {
  const length = world.quick ? 256 : 1024;
  const cases = [];
  for (const { name, kind, rw } of world.ours.filter(({ name }) => name.startsWith('ropewalk'))) {
    world.say(`N ${length}, ${name}`);
    const schemes = schemesOf(rw, length);
    const list = Object.entries(schemes).map(([scheme, { run }]) => ({ name: scheme, run }));
    cases.push({
      kind,
      length,
      goals: Object.fromEntries(
        Object.entries(schemes).map(([scheme, { over, goal }]) => [scheme, { over, goal }]),
      ),
      figures: await alternate(list, { rounds: 9, warmUp: 300 }),
    });
  }
  return { cases };
}

const costOf = ({ figures, goals }, scheme) => ratio(figures[scheme], figures[goals[scheme].over]);

export function tables({ cases }) {
  return cases.map((one) => ({
    title: `Causal attention at N ${one.length}, H ${heads}, D ${dim}, ${one.kind}`,
    columns: ['', 'time', 'over', 'takes', 'goal'],
    rows: Object.keys(one.figures).map((scheme) => {
      const { over, goal } = one.goals[scheme];
      return [
        scheme,
        duration(one.figures[scheme].median),
        over,
        times(costOf(one, scheme)),
        times(goal),
      ];
    }),
  }));
}

export function headlines({ cases }) {
  return cases.flatMap((one) =>
    Object.entries(one.goals)
      .filter(([, { goal }]) => goal)
      .map(([scheme, { over, goal }]) => ({
        name: `${scheme} over ${over}, ${one.kind} (at most)`,
        value: costOf(one, scheme),
        goal,
        unit: '×',
      })),
  );
}
