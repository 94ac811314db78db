/**
 * One new query against 4096 keys, beside the time it takes to read those keys and values once; and
 * 32 query heads that share few key heads of a cache, beside as many key heads as query heads; and
 * the same over keys and values in fewer bits, in an instance and in two workers.
 */
import { attentionProblem, bestPeer, families, oursIn, raceAttention } from '../contestants.mjs';
import { alternate, quickest, ratio } from '../harness.mjs';
import { check, furthest, uniform } from '../inputs.mjs';
import { litertAttention, litertNames } from '../peers/litert.mjs';
import { duration, times } from '../tables.mjs';
import { readInWasm } from '../wasm.mjs';

const shape = { heads: 8, queries: 1, keys: 4096, dim: 64 };
const reading = 'read keys and values';
const grouped = { heads: 32, keyHeads: [32, 8, 4], keys: 4096, dim: 128 };
const groupedName = (name, keyHeads) => `${name}, ${grouped.heads} over ${keyHeads}`;
const stored = { heads: 32, keyHeads: 8, keys: [4096, 32768], dim: 128 };
const dtypes = ['float32', 'float16', 'int8'];
const storedName = (name, dtype) => `${name}, ${dtype}`;
const workers = 2;
const pooledName = (dtype) => `${workers} workers, ${dtype}`;

/** A cache of an instance or a pool, full of keys and values [key heads, keys, dim]. */
async function filled(of, [k, v], dtype) {
  const [keyHeads, capacity, dim] = k.shape;
  const cache = await of.createCache({ keyHeads, capacity, dim, dtype });
  await cache.append(k, v);
  return cache;
}

/** Keys and values in wasm memory already, as tfjs has its own too. */
function residentAttention({ q, k, v, heads, queries, keys, dim }, ours) {
  const tensor = (data, length) => ({ data, shape: [heads, length, dim] });
  return Promise.all(
    ours.map(async ({ name, rw }) => {
      const cache = await filled(rw, [tensor(k, keys), tensor(v, keys)]);
      const run = () => rw.attention(tensor(q, queries), cache);
      const plain = rw.attention(tensor(q, queries), tensor(k, keys), tensor(v, keys));
      check(`${name}, resident`, furthest(run().output.data, plain.output.data), 0);
      return { name: `${name}, resident`, run, end: () => cache.dispose() };
    }),
  );
}

/** One query of 32 heads over caches of fewer and fewer key heads: [{ name, run, end }]. */
function groupedAttention(ours) {
  const { heads, keys, dim } = grouped;
  const q = { data: uniform(heads * dim, 1), shape: [heads, 1, dim] };
  return Promise.all(
    ours.flatMap(({ name, rw }) =>
      grouped.keyHeads.map(async (keyHeads) => {
        const shape = [keyHeads, keys, dim];
        const tensor = (seed) => ({ data: uniform(keyHeads * keys * dim, seed), shape });
        const cache = await filled(rw, [tensor(2), tensor(3)]);
        return {
          name: groupedName(name, keyHeads),
          run: () => rw.attention(q, cache),
          end: () => cache.dispose(),
        };
      }),
    ),
  );
}

/** One query, and so many keys and values. */
function storedProblem(keys) {
  const { heads, keyHeads, dim } = stored;
  const q = { data: uniform(heads * dim, 1), shape: [heads, 1, dim] };
  const shape = [keyHeads, keys, dim];
  const tensors = [2, 3].map((seed) => ({ data: uniform(keyHeads * keys * dim, seed), shape }));
  return { q, tensors };
}

/** One query over caches of each dtype, of an instance or a pool: [{ name, run, end }]. */
function storedAttention(of, nameOf, { q, tensors }) {
  return Promise.all(
    dtypes.map(async (dtype) => {
      const cache = await filled(of, tensors, dtype);
      return {
        name: nameOf(dtype),
        run: () => of.attention(q, cache),
        end: () => cache.dispose(),
      };
    }),
  );
}

/** What keys and values take: in fewer bits each row has a scale. */
function storedBytes(keys, dtype) {
  const { keyHeads, dim } = stored;
  const row = { float32: 4 * dim, float16: 2 * dim + 4, int8: dim + 4 }[dtype];
  return 2 * keyHeads * keys * row;
}

/** [{ keys, figures, ours }], for each number of keys. */
async function measureStored(world) {
  const results = [];
  const { createPool } = await world.load('ropewalk', './pool');
  const ours = world.ours.filter(({ name }) => name.startsWith('ropewalk '));
  const pool = await createPool({ simd: ours[0].kind, size: workers });
  for (const keys of stored.keys) {
    world.say(`${keys} keys in fewer bits`);
    const values = 2 * stored.keyHeads * keys * stored.dim;
    const read = { name: reading, run: readInWasm(world.limits.simd128, values) };
    const problem = storedProblem(keys);
    const contestants = await Promise.all([
      ...ours.map(({ name, rw }) =>
        storedAttention(rw, (dtype) => storedName(name, dtype), problem),
      ),
      storedAttention(pool, pooledName, problem),
    ]);
    const settings = { rounds: 9, warmUp: 200, sampleTime: 40 };
    const figures = await alternate([read, ...contestants.flat()], settings);
    for (const { end } of contestants.flat()) end();
    results.push({ keys, figures, ours: ours.map(({ name }) => name) });
  }
  await pool.close();
  return results;
}

export async function measure(world) {
  world.say(`${shape.keys} keys`);
  const problem = attentionProblem(shape);
  const read = readInWasm(world.limits.simd128, 2 * shape.heads * shape.keys * shape.dim);
  // An older build may have no cache.
  const withCache = world.ours.filter(({ rw }) => rw.createCache);
  const cached = await residentAttention(problem, withCache);
  const kept = world.litert ? await litertAttention(world.litert, problem, litertNames, true) : [];
  const more = [{ name: reading, run: read }, ...cached, ...kept];
  // Long samples: keys and values fit into the last cache, from which the others' work has driven them.
  const settings = { rounds: 15, warmUp: 200, sampleTime: 40, more };
  const figures = await raceAttention(world, problem, settings);
  for (const { end } of [...cached, ...kept]) end();
  const groups = await groupedAttention(withCache);
  const groupFigures = await alternate(groups, { rounds: 15, warmUp: 200, sampleTime: 40 });
  for (const { end } of groups) end();
  const inFewerBits = await measureStored(world);
  return { figures, groupFigures, inFewerBits, ours: world.ours.map(({ name }) => name) };
}

const storedGain = ({ figures }, name, dtype) =>
  ratio(figures[storedName(name, 'float32')], figures[storedName(name, dtype)]);

/** What each dtype takes, beside reading the floats once, and its gain over them. */
function storedTable(result) {
  const { keys, figures, ours } = result;
  return {
    title:
      `Decoding, ${stored.heads} query heads over ${stored.keyHeads} key heads by dtype: ` +
      `1 query, ${keys} keys, D ${stored.dim}`,
    columns: ['', 'time', 'floats read once', 'gain', 'memory'],
    rows: ours.flatMap((name) =>
      dtypes.map((dtype) => [
        storedName(name, dtype),
        duration(figures[storedName(name, dtype)].median),
        duration(figures[reading].median),
        times(storedGain(result, name, dtype)),
        `${(storedBytes(keys, dtype) / 2 ** 20).toFixed(0)} MiB`,
      ]),
    ),
  };
}

/** What two workers take, beside the instance of the same binary. */
const pooledTable = ({ keys, figures, ours: [name] }) => ({
  title: `Decoding by workers that hold the cache, ${name}: 1 query, ${keys} keys, D ${stored.dim}`,
  columns: ['', 'one instance', `${workers} workers`, 'is faster by'],
  rows: dtypes.map((dtype) => {
    const [alone, together] = [figures[storedName(name, dtype)], figures[pooledName(dtype)]];
    return [
      dtype,
      duration(alone.median),
      duration(together.median),
      times(ratio(alone, together)),
    ];
  }),
});

/** How many times as long as many key heads as query heads take as these fewer ones. */
const gain = (figures, name, keyHeads) =>
  ratio(figures[groupedName(name, grouped.heads)], figures[groupedName(name, keyHeads)]);

export function tables({ figures, groupFigures, inFewerBits, ours }) {
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
    {
      title: `Decoding, ${grouped.heads} query heads over a cache of fewer key heads: 1 query, ${grouped.keys} keys, D ${grouped.dim}`,
      columns: ['', ...grouped.keyHeads.map((keyHeads) => `over ${keyHeads}`), 'gain of the last'],
      rows: ours
        .filter((name) => groupFigures[groupedName(name, grouped.heads)])
        .map((name) => [
          name,
          ...grouped.keyHeads.map((keyHeads) =>
            duration(groupFigures[groupedName(name, keyHeads)].median),
          ),
          times(gain(groupFigures, name, grouped.keyHeads.at(-1))),
        ]),
    },
    ...inFewerBits.map(storedTable),
    ...inFewerBits.map(pooledTable),
  ];
}

export function headlines({ figures, groupFigures, inFewerBits, ours }) {
  const fewest = grouped.keyHeads.at(-1);
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
    {
      name: `decode of ${grouped.heads} query heads, over ${fewest} key heads against over ${grouped.heads}`,
      value: gain(groupFigures, ours[0], fewest),
      goal: 4,
      unit: '×',
    },
    ...inFewerBits.flatMap((result) =>
      [
        ['int8', 2],
        ['float16', 1.5],
      ].map(([dtype, goal]) => ({
        name: `decode with a cache of ${result.keys} keys, ${dtype} over float32`,
        value: storedGain(result, result.ours[0], dtype),
        goal,
        unit: '×',
      })),
    ),
  ];
}
