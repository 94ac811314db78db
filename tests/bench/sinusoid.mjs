// The sinusoid table 4096 x 512 against plain JavaScript:   node tests/bench/sinusoid.mjs [KIND]
//
// KIND is simd128 or relaxed (Node 20 needs --experimental-wasm-relaxed-simd for it). All
// contestants take turns in one process; ratios of their medians are what counts.
import { createRopewalk } from '../../dist/package/index.js';

const positions = 4096, dim = 512, pairs = dim / 2;
const frequencies = Float64Array.from({ length: pairs }, (_, i) => 10000 ** ((-2 * i) / dim));

function library() {
  const table = new Float32Array(positions * dim);
  for (let t = 0, at = 0; t < positions; t++) {
    for (let i = 0; i < pairs; i++) {
      const angle = t * frequencies[i];
      table[at++] = Math.sin(angle);
      table[at++] = Math.cos(angle);
    }
  }
  return table;
}

/** Each row is the one before, every pair turned by its frequency; started anew every 64 rows. */
const sineOfStep = frequencies.map(Math.sin), cosineOfStep = frequencies.map(Math.cos);
function byRows() {
  const table = new Float32Array(positions * dim);
  const sine = new Float64Array(pairs), cosine = new Float64Array(pairs);
  for (let t = 0, at = 0; t < positions; t++) {
    for (let i = 0; i < pairs; i++) {
      const s = sine[i], c = cosine[i];
      if (t % 64 === 0) {
        const angle = t * frequencies[i];
        sine[i] = Math.sin(angle);
        cosine[i] = Math.cos(angle);
      } else {
        sine[i] = s * cosineOfStep[i] + c * sineOfStep[i];
        cosine[i] = c * cosineOfStep[i] - s * sineOfStep[i];
      }
      table[at++] = sine[i];
      table[at++] = cosine[i];
    }
  }
  return table;
}

/** The same without starting anew, column by column: the pair stays in registers. */
function byColumns() {
  const table = new Float32Array(positions * dim);
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
  return table;
}

/** Rows as sums of two angles from tables in double: what the core does. */
function bySums() {
  const table = new Float32Array(positions * dim);
  const steps = 64;
  const sines = new Float64Array(steps * pairs), cosines = new Float64Array(steps * pairs);
  for (let j = 0, at = 0; j < steps; j++) {
    for (let i = 0; i < pairs; i++, at++) {
      sines[at] = Math.sin(j * frequencies[i]);
      cosines[at] = Math.cos(j * frequencies[i]);
    }
  }
  const sine = new Float64Array(pairs), cosine = new Float64Array(pairs);
  for (let t = 0, at = 0; t < positions; t += steps) {
    for (let i = 0; i < pairs; i++) {
      sine[i] = Math.sin(t * frequencies[i]);
      cosine[i] = Math.cos(t * frequencies[i]);
    }
    for (let j = 0, from = 0; j < steps; j++) {
      for (let i = 0; i < pairs; i++, from++) {
        table[at++] = sine[i] * cosines[from] + cosine[i] * sines[from];
        table[at++] = cosine[i] * cosines[from] - sine[i] * sines[from];
      }
    }
  }
  return table;
}

const rw = await createRopewalk({ simd: process.argv[2] ?? 'auto' });
const scattered = Float64Array.from({ length: positions }, (_, t) => (t * 2654435761) % 2 ** 24);
const contestants = {
  'ropewalk': () => rw.sinusoidal({ positions, dim }).data,
  'ropewalk, positions scattered to 2^24': () => rw.sinusoidal({ positions: scattered, dim }).data,
  'Math.sin, Math.cos': library,
  'recurrence by rows': byRows,
  'recurrence by columns': byColumns,
  'sums of angles': bySums,
};

const exact = library();
const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
const rounds = 25, warmUp = 10;
for (let round = 0; round < warmUp + rounds; round++) {
  for (const [name, table] of Object.entries(contestants)) {
    const start = performance.now();
    table();
    if (round >= warmUp) times[name].push(performance.now() - start);
  }
}
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const ours = median(times.ropewalk);
console.log(`sinusoid ${positions} x ${dim}, ${rw.simd}, Node ${process.versions.node}`);
for (const [name, table] of Object.entries(contestants)) {
  const values = table();
  let error = 0;
  if (!name.includes('scattered')) values.forEach((value, i) => (error = Math.max(error, Math.abs(value - exact[i]))));
  const time = median(times[name]);
  console.log(`${name.padEnd(40)} ${time.toFixed(2).padStart(8)} ms ${(time / ours).toFixed(2).padStart(7)} x   error ${error.toExponential(1)}`);
}
