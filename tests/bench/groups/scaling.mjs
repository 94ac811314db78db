/** Time against length squared. */
import { attentionProblem, ropewalkAttention } from '../contestants.mjs';
import { alternate } from '../harness.mjs';
import { duration, percent } from '../tables.mjs';

const dim = 64;

const race = (world, shape, settings) =>
  alternate(ropewalkAttention(attentionProblem({ heads: 1, dim, ...shape }), world.ours), settings);

export async function measure(world) {
  await race(world, { queries: 1024 }, { rounds: 1, warmUp: 500 });
  const cases = [];
  for (const length of world.quick ? [512, 1024, 2048] : [1024, 2048, 4096, 8192]) {
    world.say(`N ${length}`);
    cases.push({ length, figures: await race(world, { queries: length }, { rounds: 7 }) });
  }
  return { cases };
}

/** Time per score, over that of the shortest length, less one. */
function excess(cases, name) {
  const perScore = cases.map(({ length, figures }) => figures[name].median / length ** 2);
  return perScore.map((time) => time / perScore[0] - 1);
}

export function tables({ cases }) {
  const names = Object.keys(cases[0].figures);
  const excesses = names.map((name) => excess(cases, name));
  const columns = ['N', ...names.flatMap((name) => [name, 'over N²'])];
  const rows = cases.map(({ length, figures }, i) => [
    length,
    ...names.flatMap((name, n) => [duration(figures[name].median), percent(excesses[n][i])]),
  ]);
  return [{ title: `Time against N², H 1, D ${dim}`, columns, rows }];
}

export const headlines = ({ cases }) =>
  Object.keys(cases[0].figures)
    .filter((name) => name.startsWith('ropewalk'))
    .map((name) => ({
      name: `${name}, departure from N² (at most)`,
      value: Math.max(...excess(cases, name).map(Math.abs)),
      goal: 0.1,
      unit: '',
    }));
