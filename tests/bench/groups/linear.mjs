/**
 * A linear layer: many rows, bounded by multiply-adds, and one row, bounded by reading the weights.
 * Every contestant keeps its weights, and gets rows and returns rows by copy.
 */
import { peaks, rate, verified } from '../contestants.mjs';
import { alternate, quickest, ratio } from '../harness.mjs';
import { uniform } from '../inputs.mjs';
import { litertLinear } from '../peers/litert.mjs';
import { onnxLinear } from '../peers/onnxruntime.mjs';
import { duration, percent, times } from '../tables.mjs';
import { readInWasm } from '../wasm.mjs';

const shapes = [
  { rows: 1024, width: 1024, out: 1024 },
  { rows: 1, width: 4096, out: 4096 },
];
const reading = 'read the weights';
const dtypes = ['float32', 'float16', 'int8'];
/** Of sums of products of unit variance; in fewer bits by the rounding of the weights. */
const bounds = { float32: 1e-3, float16: 0.1, int8: 3 };

/** Some rows of x wᵀ in double. */
function expectedRows({ x, w, rows, width, out }) {
  const chosen = rows === 1 ? [0] : [0, Math.floor(rows / 3), rows - 1];
  return chosen.map((row) => ({
    at: row * out,
    values: Array.from({ length: out }, (_, o) => {
      let sum = 0;
      for (let i = 0; i < width; i++) sum += x[row * width + i] * w[o * width + i];
      return sum;
    }),
  }));
}

function ours({ name, rw }, { x, w, rows, width, out }) {
  const tensor = { data: x, shape: [rows, width] };
  const weights = { data: w, shape: [out, width] };
  // An earlier build may not have the others.
  return (name.startsWith('ropewalk') ? dtypes : ['float32']).map((dtype) => {
    const kept = rw.resident(weights, { dtype });
    return {
      name: `${name}, ${dtype}`,
      bound: bounds[dtype],
      run: () => rw.linear(tensor, kept, { order: 'out-in' }),
      output: ({ data }) => data,
      end: () => kept.dispose(),
    };
  });
}

async function race(world, shape) {
  const { rows, width, out } = shape;
  const problem = { ...shape, x: uniform(rows * width, 1), w: uniform(out * width, 2) };
  const contestants = world.ours.flatMap((our) => ours(our, problem));
  if (world.onnx) contestants.push(await onnxLinear(world.onnx, problem));
  if (world.litert) contestants.push(await litertLinear(world.litert, problem));
  const { able, failed } = await verified(expectedRows(problem), contestants, bounds.float32);
  const limits = peaks(world.limits);
  const memory = { name: reading, run: readInWasm(world.limits.simd128, out * width) };
  const figures = await alternate([...able, ...limits, memory], { rounds: 15, warmUp: 200 });
  for (const { end } of contestants) end();
  for (const { name, error } of able)
    Object.assign(figures[name], { error, flops: 2 * rows * width * out });
  for (const { name, flops } of limits) figures[name].flops = flops;
  return { ...shape, figures: { ...figures, ...failed } };
}

export async function measure(world) {
  const cases = [];
  for (const shape of shapes) {
    world.say(textOf(shape));
    cases.push(await race(world, shape));
  }
  return { cases };
}

const textOf = ({ rows, width, out }) => `[${rows}, ${width}] by [${out}, ${width}]`;
const peersOf = (figures) => Object.keys(figures).filter((name) => /^(LiteRT|onnx)/.test(name));
const bestPeer = (figures) => quickest(figures, peersOf(figures));
const peakOf = (figures) =>
  Math.max(...['relaxed', 'simd128'].map((kind) => rate(figures[`peak ${kind}`]) ?? 0));

export const tables = ({ cases }) =>
  cases.map((one) => ({
    title: `Linear layer, ${textOf(one)}, weights kept`,
    columns: ['', 'time', 'GFLOP/s', 'of peak', 'of the read rate', '× best peer', 'error'],
    rows: Object.entries(one.figures)
      .filter(([name]) => !name.startsWith('peak'))
      .map(([name, figure]) => [
        name,
        duration(figure.median),
        rate(figure)?.toFixed(1),
        figure.flops && percent(rate(figure) / peakOf(one.figures)),
        percent(ratio(one.figures[reading], figure)),
        times(ratio(bestPeer(one.figures), figure)),
        figure.error?.toExponential(1),
      ]),
  }));

export function headlines({ cases }) {
  const [many, one] = cases.map(({ figures }) => figures);
  const kinds = ['relaxed', 'simd128'].filter((kind) => many[`ropewalk ${kind}, float32`]);
  return kinds.flatMap((kind) => [
    {
      name: `linear 1024³, ${kind}, over the best peer`,
      value: ratio(bestPeer(many), many[`ropewalk ${kind}, float32`]),
      goal: kind === 'relaxed' ? 1.3 : 1,
      unit: '×',
    },
    {
      name: `linear of one row, ${kind}, share of the read rate`,
      value: ratio(one[reading], one[`ropewalk ${kind}, float32`]),
      goal: 0.9,
      unit: '',
    },
    ...['float16', 'int8'].map((dtype) => ({
      name: `linear of one row, ${kind}, ${dtype} over float32`,
      value: ratio(one[`ropewalk ${kind}, float32`], one[`ropewalk ${kind}, ${dtype}`]),
      goal: { float16: 1.5, int8: 2.5 }[dtype],
      unit: '×',
    })),
  ]);
}
