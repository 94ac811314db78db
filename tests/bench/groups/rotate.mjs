/**
 * Rotary rotation of 8 heads of 64: in wasm memory beside a copy of the same bytes, and called from
 * JavaScript with its copies; new arrays against new arrays, kept ones against kept ones. All but
 * "table too" and calls by frequencies keep their tables.
 */
import { rotate as reference } from '../../support/reference.mjs';
import { alternate, quickest, ratio } from '../harness.mjs';
import { check, furthest, uniform } from '../inputs.mjs';
import { onnxRotary } from '../peers/onnxruntime.mjs';
import { plainRotation } from '../peers/plain.mjs';
import { tfjsRotary } from '../peers/tfjs.mjs';
import { duration, percent, times } from '../tables.mjs';
import { bareCore, copyInWasm } from '../wasm.mjs';

const heads = 8,
  dim = 64,
  pairs = dim / 2;
// The first is in the README's table.
const problems = [
  { length: 4096, layout: 'half-split' },
  { length: 4096, layout: 'interleaved' },
  { length: 128, layout: 'half-split' },
  { length: 128, layout: 'interleaved' },
];

/**
 * Times the core on data that is already in its memory: once with a table that is there as well, as
 * the peers have theirs, and once with a table computed from frequencies in every call.
 */
async function inWasm(world, { kind, name }, { x, length, inverse, cos, sin, layout }) {
  const shape = { address: 0, batches: 1, heads, length, dim, isHeadMajor: true };
  const call = { ...shape, rows: length, pairs, from: layout, to: layout };
  const positions = Float64Array.from({ length }, (_, i) => i);
  const contestant = async (how, floats, doubles, rotate) => {
    const core = await bareCore(world, kind);
    core.send(floats);
    core.sendDoubles(doubles);
    const total = (arrays) => arrays.reduce((sum, array) => sum + array.length, 0);
    return {
      name: `${name}, ${how}`,
      run() {
        core.raw.reserveFloats(total(floats));
        core.raw.reserveDoubles(total(doubles));
        return rotate(core.raw);
      },
      output: (returned) => core.floats(returned),
      end() {},
    };
  };
  return [
    await contestant('in wasm', [x, cos, sin], [], (raw) =>
      raw.rotateByTable(call, 0, length, 0, 0),
    ),
    await contestant('table too', [x], [positions, inverse], (raw) => raw.rotate(call, 1, 1)),
  ];
}

function tablesOf(inverse, length) {
  const angles = Float64Array.from(
    { length: length * pairs },
    (_, at) => Math.floor(at / pairs) * inverse[at % pairs],
  );
  return { cos: Float32Array.from(angles, Math.cos), sin: Float32Array.from(angles, Math.sin) };
}

/** Contestants by how they hand over their result: in wasm, in a new array, into a kept one. */
async function contestants(world, { length, layout }, x) {
  const count = x.length;
  const inverse = Float64Array.from({ length: pairs }, (_, i) => 10000 ** ((-2 * i) / dim));
  const given = { x, heads, length, dim, layout, ...tablesOf(inverse, length) };
  const tensor = { data: x, shape: [1, heads, length, dim] };
  const into = new Float32Array(count);
  const list = [];
  const add = (name, run, output = (data) => data) => list.push({ name, run, output, end() {} });
  for (const our of world.ours) {
    const frequencies = our.rw.rotaryFrequencies({ dim });
    if (our.name.startsWith('ropewalk')) {
      list.push(...(await inWasm(world, our, { ...given, inverse })));
    }
    add(
      `${our.name}, new`,
      () => our.rw.rotate(tensor, frequencies, { layout }),
      ({ data }) => data,
    );
    add(
      `${our.name}, into`,
      () => our.rw.rotate(tensor, frequencies, { layout, into }),
      ({ data }) => data,
    );
    const table = our.rw.resident(our.rw.rotaryTable(frequencies, { positions: length }));
    add(
      `${our.name}, kept table, new`,
      () => our.rw.rotate(tensor, table, { layout, start: 0 }),
      ({ data }) => data,
    );
    add(
      `${our.name}, kept table, into`,
      () => our.rw.rotate(tensor, table, { layout, start: 0, into }),
      ({ data }) => data,
    );
  }
  add('plain JS, new', () => plainRotation[layout](new Float32Array(count), given));
  add('plain JS, into', () => plainRotation[layout](into, given));
  if (world.onnx) list.push(await onnxRotary(world.onnx, given));
  if (world.tfjs) list.push(tfjsRotary(world.tfjs, given));
  return list;
}

/** The last rows of each head, where angles are largest, against the double reference. */
function errorOf(output, x, { length, layout }) {
  const rows = 16;
  const positions = Array.from({ length: rows }, (_, i) => length - rows + i);
  return Math.max(
    ...Array.from({ length: heads }, (_, h) => {
      const at = (h * length + length - rows) * dim;
      const given = positions.map((_, i) => [...x.subarray(at + i * dim, at + (i + 1) * dim)]);
      const expected = reference(given, positions, layout).flat();
      return furthest(output.subarray(at, at + rows * dim), expected);
    }),
  );
}

export async function measure(world) {
  const cases = [];
  for (const problem of problems) {
    const { length, layout } = problem;
    world.say(`${length} positions, ${layout}`);
    const x = uniform(heads * length * dim, 7);
    const list = await contestants(world, problem, x);
    const errors = {};
    for (const { name, run, output } of list) {
      errors[name] = check(name, errorOf(output(await run()), x, problem), 2e-3);
    }
    const copy = { name: 'copy in wasm', run: copyInWasm(world.limits.simd128, 4 * x.length) };
    const figures = await alternate([copy, ...list], { rounds: 15, warmUp: 200 });
    for (const [name, error] of Object.entries(errors)) figures[name].error = error;
    for (const { end } of list) end();
    cases.push({ length, layout, figures });
  }
  return { cases };
}

const named = (figures, pattern) =>
  quickest(
    figures,
    Object.keys(figures).filter((name) => pattern.test(name)),
  );
const peers = /^(onnxruntime-web|tfjs)/;

export const tables = ({ cases }) =>
  cases.map(({ length, layout, figures }) => ({
    title: `Rotary rotation of [${heads}, ${length}, ${dim}], ${layout}`,
    columns: ['', 'time', 'of the copy rate', '× plain JS, alike', '× ORT', 'error'],
    rows: Object.entries(figures).map(([name, figure]) => [
      name,
      duration(figure.median),
      percent(figures['copy in wasm'].median / figure.median),
      times(ratio(figures[name.endsWith('into') ? 'plain JS, into' : 'plain JS, new'], figure)),
      times(ratio(named(figures, /^onnx/), figure)),
      figure.error?.toExponential(1),
    ]),
  }));

export function headlines({ cases }) {
  const least = (value) => Math.min(...cases.map(({ figures }) => value(figures) ?? Infinity));
  const best = (figures, how) => named(figures, new RegExp(`^ropewalk \\w+, ${how}$`));
  const line = (what, goal, unit, value) => ({
    name: `rotate ${what}`,
    value: least(value),
    goal,
    unit,
  });
  return [
    line('in wasm, share of the copy rate', 0.6, '', (f) =>
      ratio(f['copy in wasm'], best(f, 'in wasm')),
    ),
    line('in wasm with its table, share of the copy rate', undefined, '', (f) =>
      ratio(f['copy in wasm'], best(f, 'table too')),
    ),
    line('into, over the best of ORT and tfjs', 3, '×', (f) =>
      ratio(named(f, peers), best(f, 'into')),
    ),
    line('new, over the best of ORT and tfjs', 3, '×', (f) =>
      ratio(named(f, peers), best(f, 'new')),
    ),
    line('into, over plain JS into', 1, '×', (f) => ratio(f['plain JS, into'], best(f, 'into'))),
    line('new, over plain JS new', 1, '×', (f) => ratio(f['plain JS, new'], best(f, 'new'))),
    line('by a kept table into, over plain JS into', 2, '×', (f) =>
      ratio(f['plain JS, into'], best(f, 'kept table, into')),
    ),
    line('by a kept table into, over onnxruntime-web', 6, '×', (f) =>
      ratio(named(f, /^onnx/), best(f, 'kept table, into')),
    ),
  ];
}
