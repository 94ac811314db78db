/** A training step of a small decoder beside its peers, and attention's gradient beside attention. */
import { attentionProblem, bestPeer, peaks, rate } from '../contestants.mjs';
import { alternate, ratio } from '../harness.mjs';
import { check } from '../inputs.mjs';
import { plainTrainer } from '../peers/plain_training.mjs';
import { tfjsBackends, tfjsTrainer } from '../peers/tfjs_training.mjs';
import { duration, percent, times } from '../tables.mjs';
import { kinds } from '../world.mjs';

const model = {
  width: 64,
  layers: 2,
  heads: 4,
  hidden: 256,
  vocabulary: 42,
  normEpsilon: 1e-6,
};
const batch = 16;
const learningRate = 1e-3;
const attention = { heads: 8, dim: 64 };

/** Multiply-adds of a step, as 2 each: forward once, backward twice; attention as full squares. */
function flopsOf(length) {
  const { width, layers, vocabulary } = model;
  const perToken = layers * (24 * width ** 2 + 4 * length * width) + 2 * vocabulary * width;
  return 3 * batch * length * perToken;
}

/** Ours as a contestant, on the same batch again and again. */
function ropewalkTrainer(name, train, { length, tokens, targets }) {
  const trainer = train.createTrainer({
    task: { type: 'drawers' },
    model,
    schedule: { weightDecay: 0, maxGradNorm: 0 },
    batchSize: batch,
    length,
    seed: 1,
  });
  return {
    name,
    parameters: trainer.parameters(),
    step: () => trainer.stepOn({ batch, tokens, targets }, learningRate).loss,
    end: () => trainer.dispose(),
  };
}

async function contestantsOf(world, trains, length) {
  const count = batch * length;
  const ids = (factor) => Array.from({ length: count }, (_, i) => (factor * i * i + 3 * i) % 42);
  const given = { length, tokens: ids(7), targets: ids(5) };
  const ours = trains.map(({ kind, train }) => ropewalkTrainer(`ropewalk ${kind}`, train, given));
  const problem = { ...given, parameters: ours[0].parameters, model, batch, rate: learningRate };
  const peers = [];
  if (world.tfjs) {
    for (const backend of tfjsBackends(length))
      peers.push(await tfjsTrainer(world.tfjs, backend, problem));
    peers.push(plainTrainer(problem));
  }
  return { ours, peers };
}

/** Three steps of each give the same losses, or it is wrong. */
async function verified(contestants) {
  const losses = [];
  for (const { step } of contestants) losses.push([await step(), await step(), await step()]);
  losses.forEach((own, i) =>
    own.forEach((loss, at) =>
      check(contestants[i].name, Math.abs(loss - losses[0][at]), 2e-4 * losses[0][at]),
    ),
  );
}

async function steps(world, trains, length) {
  world.say(`a step at N ${length}`);
  const { ours, peers } = await contestantsOf(world, trains, length);
  await verified([...ours, ...peers]);
  const limits = peaks(world.limits);
  const runs = [...ours, ...peers].map(({ name, step }) => ({ name, run: step }));
  const figures = await alternate([...runs, ...limits], {
    rounds: world.quick ? 5 : 9,
    sampleTime: 50,
    warmUp: 500,
  });
  for (const { name } of runs) figures[name].flops = flopsOf(length);
  for (const { name, flops } of limits) figures[name].flops = flops;
  for (const { end } of [...ours, ...peers]) end();
  if (world.tfjs) await world.tfjs.setBackend('wasm');
  return { length, figures };
}

/** attentionBackward computes attention too: its own time is what it takes beyond that. */
async function backward(world, trains, length) {
  world.say(`attention's gradient at N ${length}`);
  const { q, k, v } = attentionProblem({ ...attention, queries: length });
  const tensor = (data) => ({ data, shape: [attention.heads, length, attention.dim] });
  const [tq, tk, tv, dOutput] = [q, k, v, q].map(tensor);
  const contestants = trains.flatMap(({ kind, train, rw }) => [
    { name: `forward ${kind}`, run: () => rw.attention(tq, tk, tv) },
    { name: `both ${kind}`, run: () => train.attentionBackward(tq, tk, tv, dOutput) },
  ]);
  const figures = await alternate(contestants, { rounds: world.quick ? 7 : 15, warmUp: 500 });
  return { length, figures };
}

export async function measure(world) {
  const { createTraining } = await world.load('ropewalk', './train');
  const trains = [];
  for (const kind of kinds) {
    const { rw } = world.ours.find(({ name }) => name === `ropewalk ${kind}`);
    trains.push({ kind, rw, train: await createTraining({ simd: kind }) });
  }
  if (world.tfjs) {
    await import('@tensorflow/tfjs-backend-cpu');
    await world.registerGradients();
  }
  const cases = [];
  for (const length of [64, 256]) cases.push(await steps(world, trains, length));
  const gradients = [];
  for (const length of [256, 1024]) gradients.push(await backward(world, trains, length));
  return { cases, gradients };
}

/** The builds that were measured, which may be more than this engine runs. */
const kindsIn = (figures) =>
  ['relaxed', 'simd128'].filter((kind) => figures[`peak ${kind}`] ?? figures[`both ${kind}`]);
const timesForward = (figures, kind) =>
  ratio(figures[`both ${kind}`], figures[`forward ${kind}`]) - 1;
const tokensPerSecond = (length, { median }) => Math.round((1000 * batch * length) / median);

export function tables({ cases, gradients }) {
  const { width, layers, heads } = model;
  return [
    ...cases.map(({ length, figures }) => ({
      title: `A training step: d ${width}, L ${layers}, H ${heads}, batch ${batch}, N ${length}`,
      columns: ['', 'step', 'tokens/s', 'GFLOP/s', 'of peak', '× best peer'],
      rows: Object.entries(figures)
        .filter(([name]) => !name.startsWith('peak'))
        .map(([name, figure]) => [
          name,
          duration(figure.median),
          tokensPerSecond(length, figure),
          rate(figure).toFixed(2),
          percent(rate(figure) / rate(figures[`peak ${name.split(' ').at(-1)}`])),
          name.startsWith('ropewalk') ? times(ratio(bestPeer(figures), figure)) : undefined,
        ]),
    })),
    {
      title: `Attention's gradient, H ${attention.heads}, D ${attention.dim}`,
      columns: ['', 'attention', 'and its gradient', 'gradient / attention'],
      rows: gradients.flatMap(({ length, figures }) =>
        kindsIn(figures).map((kind) => [
          `N ${length}, ${kind}`,
          duration(figures[`forward ${kind}`].median),
          duration(figures[`both ${kind}`].median),
          times(timesForward(figures, kind)),
        ]),
      ),
    },
  ];
}

/** Undefined without peers. */
function least(values) {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

export function headlines({ cases, gradients }) {
  const last = cases.at(-1).figures;
  return kindsIn(last).flatMap((kind) => [
    {
      name: `training step, ${kind}, over the best peer (at least)`,
      value: least(
        cases.map(({ figures }) => ratio(bestPeer(figures), figures[`ropewalk ${kind}`])),
      ),
      goal: 3,
      unit: '×',
    },
    {
      name: `training step at N 256, ${kind}, share of the peak`,
      value: rate(last[`ropewalk ${kind}`]) / rate(last[`peak ${kind}`]),
      goal: 0.4,
      unit: '',
    },
    {
      name: `attention's gradient, ${kind}, over attention (at most)`,
      value: Math.max(...gradients.map(({ figures }) => timesForward(figures, kind))),
      goal: 2.7,
      unit: '×',
    },
  ]);
}
