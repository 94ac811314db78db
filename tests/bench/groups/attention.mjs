/** Exact attention by length, causal and not, beside the machine's peak and the peers. */
import {
  attentionProblem,
  bestPeer,
  families,
  oursIn,
  raceAttention,
  rate,
} from '../contestants.mjs';
import { ratio } from '../harness.mjs';
import { percent, times } from '../tables.mjs';

const heads = 8,
  dim = 64;
const allLengths = [64, 128, 256, 512, 1024, 2048, 4096, 8192];

export async function measure(world) {
  const lengths = world.lengths ?? (world.quick ? [64, 512, 1024] : allLengths);
  // Long calls come too late for the optimising tier, so short ones of the same code go first.
  for (const causal of [false, true]) {
    const problem = attentionProblem({ heads, dim, queries: 192, causal });
    await raceAttention(world, problem, { rounds: 1, warmUp: 300 });
  }
  const cases = [];
  for (const causal of [false, true]) {
    const gone = new Set();
    for (const length of lengths) {
      world.say(`N ${length}${causal ? ', causal' : ''}`);
      const problem = attentionProblem({ heads, dim, queries: length, causal });
      const rounds = world.quick || length >= 4096 ? 7 : 9;
      cases.push({
        causal,
        length,
        figures: await raceAttention(world, problem, { rounds, gone }),
      });
    }
  }
  return { heads, dim, cases };
}

function rowOf({ length, figures }, ours) {
  const peak = (name) => figures[`peak ${name.split(' ').at(-1)}`];
  const best = bestPeer(figures);
  return [
    length,
    ...ours.flatMap((name) => [
      rate(figures[name])?.toFixed(1),
      percent(rate(figures[name]) / rate(peak(name))),
      times(ratio(best, figures[name])),
    ]),
    ...families.map((family) => rate(bestPeer(figures, family))?.toFixed(1)),
    rate(figures['peak relaxed'])?.toFixed(1),
    rate(figures['peak simd128'])?.toFixed(1),
  ];
}

export function tables({ heads, dim, cases }) {
  const ours = oursIn(cases[0].figures);
  const columns = [
    'N',
    ...ours.flatMap((name) => [name, 'of peak', '× best peer']),
    ...families,
    'peak relaxed',
    'peak simd128',
  ];
  return [false, true].map((causal) => {
    const chosen = cases.filter((one) => one.causal === causal);
    return {
      title: `Attention${causal ? ', causal' : ''}: GFLOP/s, H ${heads}, D ${dim}`,
      columns,
      rows: chosen.map((one) => rowOf(one, ours)),
      notes: chosen.flatMap(({ length, figures }) =>
        Object.entries(figures).flatMap(([name, { dropped }]) =>
          dropped ? [`${name} drops out at N ${length}: ${dropped}`] : [],
        ),
      ),
    };
  });
}

const goals = {
  relaxed: { peak: 0.8, full: 1.75, causal: 3.2 },
  simd128: { peak: 0.8, full: 1.2, causal: 2.2 },
};

const least = (values) => {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};

/** The least over N 512 … 4096. */
export function headlines({ cases }) {
  const within = cases.filter(({ length }) => length >= 512 && length <= 4096);
  const [full, masked] = [false, true].map((causal) =>
    within.filter((one) => one.causal === causal),
  );
  const kinds = Object.keys(goals).filter((kind) => cases[0].figures[`ropewalk ${kind}`]);
  return kinds.flatMap((kind) => {
    const name = `ropewalk ${kind}`;
    const share = ({ figures }) => rate(figures[name]) / rate(figures[`peak ${kind}`]);
    const faster = ({ figures }) => ratio(bestPeer(figures), figures[name]);
    const { peak, full: fullGoal, causal } = goals[kind];
    return [
      {
        name: `attention, ${kind}, share of the peak`,
        value: least(full.map(share)),
        goal: peak,
        unit: '',
      },
      {
        name: `attention, ${kind}, over the best peer`,
        value: least(full.map(faster)),
        goal: fullGoal,
        unit: '×',
      },
      {
        name: `causal attention, ${kind}, over the best peer`,
        value: least(masked.map(faster)),
        goal: causal,
        unit: '×',
      },
    ];
  });
}
