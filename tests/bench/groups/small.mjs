/** One small call from JavaScript, its copies counted. */
import {
  attentionProblem,
  bestPeer,
  families,
  ourBest,
  oursIn,
  raceAttention,
} from '../contestants.mjs';
import { ratio } from '../harness.mjs';
import { duration, times } from '../tables.mjs';

const shapes = [
  { heads: 4, queries: 64, dim: 16, goal: 2.2 },
  { heads: 1, queries: 16, dim: 16, goal: 5 },
];

export async function measure(world) {
  const cases = [];
  for (const { goal, ...shape } of shapes) {
    world.say(`N ${shape.queries}, H ${shape.heads}, D ${shape.dim}`);
    const settings = { rounds: 15, warmUp: 300 };
    cases.push({
      ...shape,
      goal,
      figures: await raceAttention(world, attentionProblem(shape), settings),
    });
  }
  return { cases };
}

const shapeOf = ({ queries, heads, dim }) => `N ${queries}, H ${heads}, D ${dim}`;

export function tables({ cases }) {
  const ours = oursIn(cases[0].figures);
  const rows = cases.map((one) => [
    shapeOf(one),
    ...ours.flatMap((name) => [
      duration(one.figures[name].median),
      times(ratio(bestPeer(one.figures, 'onnxruntime-web'), one.figures[name])),
    ]),
    ...families.map((family) => duration(bestPeer(one.figures, family)?.median)),
  ]);
  const columns = ['shape', ...ours.flatMap((name) => [name, '× ORT']), ...families];
  return [{ title: 'Small attention: one call from JavaScript', columns, rows }];
}

export function headlines({ cases }) {
  return cases.map((one) => ({
    name: `small attention ${shapeOf(one)}, over onnxruntime-web`,
    value: ratio(bestPeer(one.figures, 'onnxruntime-web'), ourBest(one.figures)),
    goal: one.goal,
    unit: '×',
  }));
}
