// The sinusoid table 4096 x 512 against plain JavaScript:   node tests/bench/sinusoid.mjs [KIND]
//
// KIND is simd128 or relaxed (Node 20 needs --experimental-wasm-relaxed-simd for it). All contestants
// take turns in one process, once into an array kept for all rounds and once into a new one each
// time: 8 MB that a process has never touched can cost more than any of the arithmetic. The ratios
// of the medians are what counts.
import { createRopewalk } from '../../dist/package/index.js';

const positions = 4096, dim = 512, pairs = dim / 2;
const frequencies = Float64Array.from({ length: pairs }, (_, i) => 10000 ** ((-2 * i) / dim));

function library(table) {
  for (let t = 0, at = 0; t < positions; t++) {
    for (let i = 0; i < pairs; i++) {
      const angle = t * frequencies[i];
      table[at++] = Math.sin(angle);
      table[at++] = Math.cos(angle);
    }
  }
}

const sineOfStep = frequencies.map(Math.sin), cosineOfStep = frequencies.map(Math.cos);

/** Each row is the one before, every pair turned by its frequency. */
function byRows(table) {
  const sine = new Float64Array(pairs), cosine = new Float64Array(pairs).fill(1);
  for (let t = 0, at = 0; t < positions; t++) {
    for (let i = 0; i < pairs; i++) {
      const s = sine[i], c = cosine[i];
      table[at++] = s;
      table[at++] = c;
      sine[i] = s * cosineOfStep[i] + c * sineOfStep[i];
      cosine[i] = c * cosineOfStep[i] - s * sineOfStep[i];
    }
  }
}

/** The same column by column: the pair stays in registers. */
function byColumns(table) {
  for (let i = 0; i < pairs; i++) {
    const sineStep = sineOfStep[i], cosineStep = cosineOfStep[i];
    let s = 0, c = 1;
    for (let at = 2 * i; at < table.length; at += dim) {
      table[at] = s;
      table[at + 1] = c;
      const next = s * cosineStep + c * sineStep;
      c = c * cosineStep - s * sineStep;
      s = next;
    }
  }
}

/** Rows as sums of angles from two tables in double, as the core makes them. */
function bySums(table) {
  const steps = 64;
  const turns = (first, stride, count) => {
    const sines = new Float64Array(count * pairs), cosines = new Float64Array(count * pairs);
    for (let j = 0, at = 0; j < count; j++) {
      for (let i = 0; i < pairs; i++, at++) {
        sines[at] = Math.sin((first + j * stride) * frequencies[i]);
        cosines[at] = Math.cos((first + j * stride) * frequencies[i]);
      }
    }
    return { sines, cosines };
  };
  const near = turns(0, 1, steps), far = turns(0, steps, positions / steps);
  for (let block = 0, at = 0; block < positions / steps; block++) {
    for (let j = 0, b = 0; j < steps; j++) {
      for (let i = 0, a = block * pairs; i < pairs; i++, a++, b++) {
        table[at++] = far.sines[a] * near.cosines[b] + far.cosines[a] * near.sines[b];
        table[at++] = far.cosines[a] * near.cosines[b] - far.sines[a] * near.sines[b];
      }
    }
  }
}

const rw = await createRopewalk({ simd: process.argv[2] ?? 'auto' });
const scattered = Float64Array.from({ length: positions }, (_, t) => (t * 2654435761) % 2 ** 24);
const contestants = {
  'ropewalk': (into) => rw.sinusoidal({ positions, dim, into }),
  'ropewalk, positions scattered to 2^24': (into) => rw.sinusoidal({ positions: scattered, dim, into }),
  'Math.sin and Math.cos': library,
  'recurrence, row by row': byRows,
  'recurrence, column by column': byColumns,
  'sums of angles': bySums,
};

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];

/** Milliseconds of each contestant, by turns. */
function race(arrayFor) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  const warmUp = 10, rounds = 25;
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [name, fill] of Object.entries(contestants)) {
      const start = performance.now();
      fill(arrayFor(name));
      if (round >= warmUp) times[name].push(performance.now() - start);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

/** The largest difference from the sines of angles in double. */
function error(fill, at) {
  const table = new Float32Array(positions * dim);
  fill(table);
  let largest = 0;
  for (let i = 0; i < table.length; i++) {
    const angle = at(Math.floor(i / dim)) * frequencies[(i % dim) >> 1];
    largest = Math.max(largest, Math.abs(table[i] - (i % 2 ? Math.cos(angle) : Math.sin(angle))));
  }
  return largest;
}

const kept = new Float32Array(positions * dim);
const columns = {
  'into one array': race(() => kept),
  'a new array each': race((name) => (name.startsWith('ropewalk') ? undefined : new Float32Array(positions * dim))),
};
console.log(`Sinusoid ${positions} x ${dim}, ${rw.simd}, Node ${process.versions.node}, medians and ratios`);
console.log(' '.repeat(38) + Object.keys(columns).map((title) => title.padStart(22)).join('') + '     error');
for (const [name, fill] of Object.entries(contestants)) {
  const cells = Object.values(columns).map((times) => {
    const ratio = (times[name] / times.ropewalk).toFixed(1);
    return `${times[name].toFixed(2)} ms ${ratio.padStart(5)} x`.padStart(22);
  });
  const at = name.includes('scattered') ? (t) => scattered[t] : (t) => t;
  console.log(name.padEnd(38) + cells.join('') + error(fill, at).toExponential(1).padStart(10));
}
