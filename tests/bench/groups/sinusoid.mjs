/** The sinusoid table 4096 × 512 from JavaScript: in a new array each time, into a kept one. */
import { ourBest } from '../contestants.mjs';
import { alternate, quickest, ratio } from '../harness.mjs';
import { check, furthest } from '../inputs.mjs';
import { plainSinusoids } from '../peers/plain_sinusoid.mjs';
import { onnxSinusoid } from '../peers/onnxruntime.mjs';
import { tfjsSinusoid } from '../peers/tfjs.mjs';
import { duration, times } from '../tables.mjs';

const positions = 4096,
  dim = 512,
  pairs = dim / 2;
const frequencies = Float64Array.from({ length: pairs }, (_, i) => 10000 ** ((-2 * i) / dim));
const forms = { new: 'a new array each time', into: 'into a kept array' };

function expected() {
  const table = new Float64Array(positions * dim);
  for (let t = 0, at = 0; t < positions; t++) {
    for (let i = 0; i < pairs; i++) {
      table[at++] = Math.sin(t * frequencies[i]);
      table[at++] = Math.cos(t * frequencies[i]);
    }
  }
  return table;
}

/** A large new array may cost more than all the arithmetic, so like is raced against like. */
async function contestants(world, form) {
  const kept = new Float32Array(positions * dim);
  const into = form === 'into' ? { into: kept } : {};
  const target = form === 'into' ? () => kept : () => new Float32Array(positions * dim);
  const list = world.ours.map(({ name, rw }) => ({
    name,
    run: () => rw.sinusoidal({ positions, dim, ...into }),
    output: ({ data }) => data,
  }));
  for (const [name, fill] of Object.entries(plainSinusoids)) {
    list.push({
      name,
      run: () => fill(target(), { positions, frequencies }),
      output: (data) => data,
    });
  }
  if (form === 'new') {
    const table = { positions, frequencies };
    if (world.onnx) list.push(await onnxSinusoid(world.onnx, table));
    if (world.tfjs) list.push(tfjsSinusoid(world.tfjs, table));
  }
  return list;
}

export async function measure(world) {
  const table = expected();
  const cases = [];
  for (const form of Object.keys(forms)) {
    world.say(forms[form]);
    const list = await contestants(world, form);
    const errors = {};
    for (const { name, run, output } of list)
      errors[name] = check(name, furthest(output(await run()), table), 1e-3);
    const figures = await alternate(list, { rounds: 15, warmUp: 200 });
    for (const [name, error] of Object.entries(errors)) figures[name].error = error;
    for (const { end } of list) end?.();
    cases.push({ form, figures });
  }
  return { cases };
}

const recurrences = ['recurrence by rows', 'recurrence by columns'];

export const tables = ({ cases }) =>
  cases.map(({ form, figures }) => ({
    title: `Sinusoid table ${positions} × ${dim}, ${forms[form]}`,
    columns: ['', 'time', 'Ropewalk is faster by', 'error'],
    rows: Object.entries(figures).map(([name, figure]) => [
      name,
      duration(figure.median),
      times(ratio(figure, ourBest(figures))),
      figure.error.toExponential(1),
    ]),
  }));

export function headlines({ cases }) {
  const least = (name, goal, names) => ({
    name: `sinusoid over ${name}`,
    value: Math.min(
      ...cases.map(({ figures }) => ratio(quickest(figures, names), ourBest(figures))),
    ),
    goal,
    unit: '×',
  });
  return [
    least('Math.sin and Math.cos', 6, ['Math.sin and Math.cos']),
    least('a recurrence', 1, recurrences),
    {
      name: 'sinusoid, error',
      value: Math.max(...cases.map(({ figures }) => ourBest(figures).error)),
      goal: 1e-7,
      unit: '',
    },
  ];
}
