/** One new query against 4096 keys, beside the time it takes to read those keys and values once. */
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
import { readInWasm } from '../wasm.mjs';

const shape = { heads: 8, queries: 1, keys: 4096, dim: 64 };
const reading = 'read keys and values';

export async function measure(world) {
  world.say(`${shape.keys} keys`);
  const read = readInWasm(world.limits.simd128, 2 * shape.heads * shape.keys * shape.dim);
  const more = [{ name: reading, run: read }];
  const figures = await raceAttention(world, attentionProblem(shape), {
    rounds: 15,
    warmUp: 200,
    more,
  });
  return { figures };
}

export function tables({ figures }) {
  const names = [
    reading,
    ...oursIn(figures),
    ...families.map((family) => bestPeer(figures, family)?.name),
  ];
  return [
    {
      title: `Decoding: 1 query, ${shape.keys} keys, H ${shape.heads}, D ${shape.dim}`,
      columns: ['', 'time', '× the reading', 'best peer takes'],
      rows: names
        .filter(Boolean)
        .map((name) => [
          name,
          duration(figures[name].median),
          times(ratio(figures[name], figures[reading])),
          times(ratio(bestPeer(figures), figures[name])),
        ]),
    },
  ];
}

export function headlines({ figures }) {
  const best = ourBest(figures);
  return [
    {
      name: 'decode, times the reading (at most)',
      value: ratio(best, figures[reading]),
      goal: 2,
      unit: '×',
    },
    {
      name: 'decode, over the best peer',
      value: ratio(bestPeer(figures), best),
      goal: 3,
      unit: '×',
    },
  ];
}
