// Rotation of [8, 4096, 64] against plain JavaScript and onnxruntime-web:
//
//   node tests/bench/rotate.mjs [simd128|relaxed] [FOLDER with node_modules/onnxruntime-web]
//
// (Node 20 needs --experimental-wasm-relaxed-simd for relaxed.) All contestants take turns in one
// process; ratios of their medians are what counts. "in wasm" is the core's own work on data that
// is already there, table included, beside a copy of the same bytes within the same memory.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import * as binaries from '../../dist/package/binaries.js';
import makeModule from '../../dist/package/glue.js';
import { createRopewalk } from '../../dist/package/index.js';
import { onnxRotary } from './onnx_rotary_model.mjs';

const [kind = 'simd128', ortFolder] = process.argv.slice(2);
const heads = 8, length = 4096, dim = 64, pairs = dim / 2, count = heads * length * dim;
const layouts = ['half-split', 'interleaved'];

const rw = await createRopewalk({ simd: kind });
const frequencies = rw.rotaryFrequencies({ dim });
const data = Float32Array.from({ length: count }, (_, i) => Math.sin(i));
const x = { data, shape: [1, heads, length, dim] };
const into = new Float32Array(count);

// ---- plain JavaScript, its tables made once and for all ----
const cos = new Float32Array(length * pairs), sin = new Float32Array(length * pairs);
for (let row = 0, at = 0; row < length; row++) {
  for (let i = 0; i < pairs; i++, at++) {
    cos[at] = Math.cos(row * frequencies.inverse[i]);
    sin[at] = Math.sin(row * frequencies.inverse[i]);
  }
}

const loops = {
  'half-split'(out) {
    for (let at = 0, t = 0; at < count; at += dim, t = t + pairs === cos.length ? 0 : t + pairs) {
      for (let i = 0; i < pairs; i++) {
        const a = x.data[at + i], b = x.data[at + i + pairs], c = cos[t + i], s = sin[t + i];
        out[at + i] = a * c - b * s;
        out[at + i + pairs] = a * s + b * c;
      }
    }
    return out;
  },
  interleaved(out) {
    for (let at = 0, t = 0; at < count; at += dim, t = t + pairs === cos.length ? 0 : t + pairs) {
      for (let i = 0; i < pairs; i++) {
        const a = x.data[at + 2 * i], b = x.data[at + 2 * i + 1], c = cos[t + i], s = sin[t + i];
        out[at + 2 * i] = a * c - b * s;
        out[at + 2 * i + 1] = a * s + b * c;
      }
    }
    return out;
  },
};

// ---- the core alone, on data in its memory ----
const bytes = Buffer.from(binaries[kind], 'base64');
const raw = await makeModule({
  instantiateWasm(imports, done) {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
    done(instance, instance.module);
    return instance.exports;
  },
});
raw.floatsInbox(2 * count).fill(0.5);
const positions = Float64Array.from({ length }, (_, i) => i);
raw.doublesInbox(length + pairs).set(positions);
raw.doublesInbox(length + pairs).set(frequencies.inverse, length);
const inWasm = (layout) => {
  raw.floatsInbox(2 * count);
  raw.doublesInbox(length + pairs);
  const shape = { batches: 1, heads, length, dim, isHeadMajor: true, rows: length, pairs };
  const result = raw.rotate({ ...shape, from: layout, to: layout }, 1, 1);
  if (result instanceof Error) throw result;
};

const contestants = {
  'copy in wasm': () => raw.floatsInbox(2 * count).copyWithin(count, 0, count),
};
for (const layout of layouts) {
  contestants[`${layout}: in wasm`] = () => inWasm(layout);
  contestants[`${layout}: call`] = () => rw.rotate(x, frequencies, { layout });
  contestants[`${layout}: call into`] = () => rw.rotate(x, frequencies, { layout, into });
  contestants[`${layout}: JS loop`] = () => loops[layout](new Float32Array(count));
  contestants[`${layout}: JS loop into`] = () => loops[layout](into);
}
if (ortFolder) {
  const require = createRequire(path.resolve(ortFolder, 'bench.js'));
  const ort = await import(pathToFileURL(require.resolve('onnxruntime-web')));
  ort.env.wasm.numThreads = 1;
  const feeds = {
    X: new ort.Tensor('float32', x.data, x.shape),
    cos_cache: new ort.Tensor('float32', cos, [length, pairs]),
    sin_cache: new ort.Tensor('float32', sin, [length, pairs]),
    position_ids: new ort.Tensor('int64', BigInt64Array.from(positions, BigInt), [1, length]),
  };
  for (const layout of layouts) {
    const model = onnxRotary({ interleaved: layout === 'interleaved' });
    const session = await ort.InferenceSession.create(model);
    contestants[`${layout}: onnxruntime-web`] = async () => (await session.run(feeds)).Y.data;
  }
}

// ---- everybody in turn ----
const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
for (let round = 0; round < 41; round++) {
  for (const [name, run] of Object.entries(contestants)) {
    const start = performance.now();
    await run();
    if (round >= 10) times[name].push(performance.now() - start);
  }
}
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const medians = Object.fromEntries(
  Object.entries(times).map(([name, list]) => [name, median(list)]),
);

function furthest(a, b) {
  let worst = 0;
  for (let i = 0; i < count; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  return worst;
}

console.log(`${rw.simd}, Node ${process.versions.node}, medians of 31 in ms`);
for (const [name, time] of Object.entries(medians)) {
  console.log(name.padEnd(30), time.toFixed(3).padStart(8));
}
for (const layout of layouts) {
  const tell = (what, of, to) => console.log(`  ${what.padEnd(30)}`, (of / to).toFixed(2));
  const of = (name) => medians[`${layout}: ${name}`];
  const apart = furthest(rw.rotate(x, frequencies, { layout }).data, loops[layout](into));
  console.log(`\n${layout}, furthest from the JS loop ${apart.toExponential(1)}`);
  tell('wasm copy rate reached', medians['copy in wasm'], of('in wasm'));
  tell('times the JS loop', of('JS loop'), of('call'));
  tell('times the JS loop, both into', of('JS loop into'), of('call into'));
  if (!ortFolder) continue;
  tell('times onnxruntime-web', of('onnxruntime-web'), of('call'));
  tell('times onnxruntime-web, into', of('onnxruntime-web'), of('call into'));
}
process.exit(0);
