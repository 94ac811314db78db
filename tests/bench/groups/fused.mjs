/** What a position scheme, a softcap and a window cost or save when attention fuses them. */
import { attentionProblem } from '../contestants.mjs';
import { alternate, ratio } from '../harness.mjs';
import { check, furthest, uniform } from '../inputs.mjs';
import { duration, percent, times } from '../tables.mjs';

const heads = 8,
  dim = 64;
const windowSize = 256;

const variants = {
  none: {},
  softcap: { softcap: 30 },
  alibi: { position: { type: 'alibi', direction: 'symmetric' } },
  t5: {
    position: {
      type: 't5',
      direction: 'bidirectional',
      table: { data: uniform(32 * heads, 9), shape: [32, heads] },
    },
  },
};

const windowed = {
  full: { causal: 'top-left' },
  window: { causal: 'top-left', window: { size: windowSize, align: 'top-left' } },
};

function callsOf(rw, length, settings) {
  const { q, k, v } = attentionProblem({ heads, dim, queries: length });
  const operands = [q, k, v].map((data) => ({ data, shape: [heads, length, dim] }));
  return Object.entries(settings).map(([name, options]) => ({
    name,
    run: (more) => rw.attention(...operands, { ...options, ...more }),
  }));
}

/** Asked for its steps, attention goes another way, with the whole score matrix in memory. */
function checked(rw, settings) {
  for (const { name, run } of callsOf(rw, 300, settings)) {
    const [tiled, inSteps] = [run(), run({ intermediates: ['weights'] })].map(
      ({ output }) => output.data,
    );
    check(name, furthest(tiled, inSteps), 1e-5);
  }
}

async function race(world, length, settings, rounds) {
  const cases = [];
  for (const { name, kind, rw } of world.ours.filter(({ name }) => name.startsWith('ropewalk'))) {
    world.say(`N ${length}, ${name}`);
    checked(rw, settings);
    const warm = callsOf(rw, 256, settings).map((one) => ({ ...one, run: () => one.run() }));
    await alternate(warm, { rounds: 1, warmUp: 200 });
    const list = callsOf(rw, length, settings).map((one) => ({ ...one, run: () => one.run() }));
    cases.push({ kind, length, figures: await alternate(list, { rounds }) });
  }
  return cases;
}

export async function measure(world) {
  return {
    fused: await race(world, world.quick ? 512 : 2048, variants, 9),
    windowed: await race(world, world.quick ? 2048 : 8192, windowed, 7),
  };
}

export function tables({ fused, windowed: ofWindow }) {
  const rows = (cases, base, cell) =>
    cases.flatMap(({ kind, figures }) =>
      Object.entries(figures).map(([name, figure]) => [
        `${name}, ${kind}`,
        duration(figure.median),
        cell(figures[base], figure),
      ]),
    );
  return [
    {
      title: `Fused into attention at N ${fused[0].length}, H ${heads}, D ${dim}`,
      columns: ['', 'time', 'costs'],
      rows: rows(fused, 'none', (none, figure) => percent(ratio(figure, none) - 1)),
    },
    {
      title: `Causal attention at N ${ofWindow[0].length}, and in a window of ${windowSize}`,
      columns: ['', 'time', 'is faster by'],
      rows: rows(ofWindow, 'full', (full, figure) => times(ratio(full, figure))),
    },
  ];
}

export function headlines({ fused, windowed: ofWindow }) {
  const most = (name) =>
    Math.max(...fused.map(({ figures }) => ratio(figures[name], figures.none) - 1));
  return [
    ...['alibi', 't5', 'softcap'].map((name) => ({
      name: `fused ${name}, extra time (at most)`,
      value: most(name),
      goal: 0.15,
      unit: '',
    })),
    {
      name: `window ${windowSize} over full causal`,
      value: Math.min(...ofWindow.map(({ figures }) => ratio(figures.full, figures.window))),
      goal: 12,
      unit: '×',
    },
  ];
}
