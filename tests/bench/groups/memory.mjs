/** Measures wasm memory before and after one call of attention, each in a fresh process. */
import { duration } from '../tables.mjs';

const dim = 64;
const mebi = 2 ** 20;

export async function measure(world) {
  const shapes = [
    { who: 'ropewalk', heads: 8, queries: 8192 },
    { who: 'ropewalk', heads: 1, queries: world.quick ? 16384 : 65536 },
    { who: 'ropewalk', heads: 8, queries: 2048 },
    ...(world.onnx
      ? ['onnxruntime-web', 'tfjs'].map((who) => ({ who, heads: 8, queries: 2048 }))
      : []),
  ];
  const cases = [];
  for (const { who, ...shape } of shapes) {
    world.say(`${who}, N ${shape.queries}, H ${shape.heads}`);
    const result = await world.fresh({ task: 'memory', who, shape: { ...shape, dim } });
    const operands = 4 * 4 * shape.heads * shape.queries * dim;
    cases.push({ who, ...shape, operands, ...result });
  }
  return { cases };
}

export const tables = ({ cases }) => [
  {
    title: `wasm memory of one attention call, D ${dim}, in MiB`,
    columns: ['', 'before', 'after', 'inputs and output', 'after minus these', 'time'],
    rows: cases.map(({ who, queries, heads, before, after, operands, time }) => [
      `${who}, N ${queries}, H ${heads}`,
      ...[before, after, operands, after - operands].map((bytes) => (bytes / mebi).toFixed(1)),
      duration(time),
    ]),
  },
];

export function headlines({ cases }) {
  const beyond = ({ after, operands }) => (after - operands) / mebi;
  return [
    {
      name: 'memory at N 8192, H 8, beyond inputs and output (at most)',
      value: beyond(cases[0]),
      goal: 2,
      unit: 'MiB',
    },
    {
      name: `memory at N ${cases[1].queries}, H 1, beyond inputs and output`,
      value: beyond(cases[1]),
      goal: 2,
      unit: 'MiB',
    },
  ];
}
