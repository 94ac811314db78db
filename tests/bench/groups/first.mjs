/** From import to the first result, each time in a fresh process; contestants alternate. */
import { median } from '../harness.mjs';
import { duration, times } from '../tables.mjs';

const everyone = ['ropewalk', 'onnxruntime-web', 'tfjs'];

export async function measure(world) {
  const names = world.onnx ? everyone : everyone.slice(0, 1);
  const rounds = world.quick ? 3 : 9;
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    world.say(`round ${round + 1} of ${rounds}`);
    for (const who of names) samples[who].push(await world.fresh({ task: 'first', who }));
  }
  const figures = Object.entries(samples).map(([name, list]) => [
    name,
    { samples: list, median: median(list), min: Math.min(...list) },
  ]);
  return { figures: Object.fromEntries(figures) };
}

export const tables = ({ figures }) => [
  {
    title: 'First result after import',
    columns: ['', 'median', 'least', 'Ropewalk is faster by'],
    rows: Object.entries(figures).map(([name, { median: middle, min }]) => [
      name,
      duration(middle),
      duration(min),
      times(middle / figures.ropewalk.median),
    ]),
  },
];

export function headlines({ figures }) {
  if (!figures['onnxruntime-web']) return [];
  const value = figures['onnxruntime-web'].median / figures.ropewalk.median;
  return [{ name: 'first result, over onnxruntime-web', value, goal: 5, unit: '×' }];
}
