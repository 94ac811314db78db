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
  // Long calls come too late for the optimizing tier, so short ones of the same code go first.
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

/** Measuring cannot make the machine faster: its rate is the best of all rounds. */
export function peaksOf(cases) {
  const kinds = ['relaxed', 'simd128'].filter((kind) => cases[0].figures[`peak ${kind}`]);
  const best = (kind) => Math.max(...cases.map(({ figures }) => rate(figures[`peak ${kind}`])));
  return Object.fromEntries(kinds.map((kind) => [kind, best(kind)]));
}

const kindOf = (name) => name.split(' ').at(-1);

function rowOf({ length, figures }, ours, peaks) {
  const best = bestPeer(figures);
  return [
    length,
    ...ours.flatMap((name) => [
      rate(figures[name]).toFixed(1),
      percent(rate(figures[name]) / peaks[kindOf(name)]),
      times(ratio(best, figures[name])),
    ]),
    ...families.map((family) => rate(bestPeer(figures, family))?.toFixed(1)),
  ];
}

export function tables({ heads, dim, cases }) {
  const ours = oursIn(cases[0].figures);
  const peaks = peaksOf(cases);
  const columns = ['N', ...ours.flatMap((name) => [name, 'of peak', '× best peer']), ...families];
  const limits = Object.entries(peaks).map(([kind, peak]) => `${kind} ${peak.toFixed(1)}`);
  return [false, true].map((causal) => {
    const chosen = cases.filter((one) => one.causal === causal);
    const dropped = chosen.flatMap(({ length, figures }) =>
      Object.entries(figures).flatMap(([name, { dropped: why }]) =>
        why ? [`${name} drops out at N ${length}: ${why}`] : [],
      ),
    );
    return {
      title: `Attention${causal ? ', causal' : ''}: GFLOP/s, H ${heads}, D ${dim}`,
      columns,
      rows: chosen.map((one) => rowOf(one, ours, peaks)),
      notes: [`peak: ${limits.join(', ')}`, ...dropped],
    };
  });
}

const goals = {
  relaxed: { peak: 0.8, LiteRT: [1.5, 2.8], others: [1.75, 3.2] },
  simd128: { peak: 0.8, LiteRT: [1, 1], others: [1.2, 2.2] },
};

const least = (values) => {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};

/** The least over N 512 … 4096. */
export function headlines({ cases }) {
  const peaks = peaksOf(cases);
  const within = (causal) =>
    cases.filter((one) => one.causal === causal && one.length >= 512 && one.length <= 4096);
  const shareOf = (kind) =>
    within(false).map(({ figures }) => rate(figures[`ropewalk ${kind}`]) / peaks[kind]);
  const over = (kind, causal, peer) => ({
    name: `${causal ? 'causal ' : ''}attention, ${kind}, over ${peer}`,
    value: least(
      within(causal).map(({ figures }) =>
        ratio(bestPeer(figures, peer), figures[`ropewalk ${kind}`]),
      ),
    ),
    goal: (goals[kind][peer] ?? goals[kind].others)[Number(causal)],
    unit: '×',
  });
  return Object.keys(peaks).flatMap((kind) => [
    {
      name: `attention, ${kind}, share of the peak`,
      value: least(shareOf(kind)),
      goal: goals[kind].peak,
      unit: '',
    },
    ...[false, true].flatMap((causal) =>
      ['LiteRT', 'onnxruntime-web', 'tfjs'].map((peer) => over(kind, causal, peer)),
    ),
  ]);
}
