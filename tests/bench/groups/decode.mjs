/** One new query against 4096 keys, beside the time it takes to read those keys and values once. */
import { attentionProblem, bestPeer, families, oursIn, raceAttention } from '../contestants.mjs';
import { quickest, ratio } from '../harness.mjs';
import { check, furthest } from '../inputs.mjs';
import { duration, times } from '../tables.mjs';
import { readInWasm } from '../wasm.mjs';

const shape = { heads: 8, queries: 1, keys: 4096, dim: 64 };
const reading = 'read keys and values';

/** Keys and values as a cache keeps them: in wasm memory already, as tfjs has its own too. */
function residentAttention({ q, k, v, heads, queries, keys, dim }, ours) {
  const tensor = (data, length) => ({ data, shape: [heads, length, dim] });
  return ours.map(({ name, rw }) => {
    const cache = [k, v].map((data) => rw.resident(tensor(data, keys)));
    const run = () => rw.attention(tensor(q, queries), ...cache);
    const plain = rw.attention(tensor(q, queries), tensor(k, keys), tensor(v, keys));
    check(`${name}, resident`, furthest(run().output.data, plain.output.data), 0);
    return { name: `${name}, resident`, run, end: () => cache.forEach((each) => each.dispose()) };
  });
}

export async function measure(world) {
  world.say(`${shape.keys} keys`);
  const problem = attentionProblem(shape);
  const read = readInWasm(world.limits.simd128, 2 * shape.heads * shape.keys * shape.dim);
  const cached = residentAttention(
    problem,
    world.ours.filter(({ rw }) => rw.resident),
  );
  const more = [{ name: reading, run: read }, ...cached];
  // Long samples: keys and values fit into the last cache, from which the others' work has driven them.
  const settings = { rounds: 15, warmUp: 200, sampleTime: 40, more };
  const figures = await raceAttention(world, problem, settings);
  for (const { end } of cached) end();
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
  const best = quickest(
    figures,
    oursIn(figures).filter((name) => name.endsWith(', resident')),
  );
  return [
    {
      name: 'decode with a resident cache, times the reading (at most)',
      value: ratio(best, figures[reading]),
      goal: 2,
      unit: '×',
    },
    {
      name: 'decode with a resident cache, over the best peer',
      value: ratio(bestPeer(figures), best),
      goal: 3,
      unit: '×',
    },
  ];
}
