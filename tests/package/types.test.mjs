/** The types: what is right compiles under --strict, and what is wrong does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiled } from './compiled.mjs';

const consumer = `
import { createRopewalk } from 'ropewalk';
import type { AttentionOptions, KvCache, KvCacheOptions, Positions, ResidentTensor, RotaryFrequencies, Ropewalk, Tensor } from 'ropewalk';
import { createRopewalk as createSlim } from 'ropewalk/slim';
import { createPool } from 'ropewalk/pool';
import type { Pool, PoolCache } from 'ropewalk/pool';
import { frequenciesFromConfig, positionFromConfig } from 'ropewalk/config';
import type { ConfigPosition } from 'ropewalk/config';
import { readNpy, readSafetensors, toFloats, writeNpy } from 'ropewalk/files';
import type { FileTensor } from 'ropewalk/files';

const rw: Ropewalk = await createRopewalk({ simd: 'auto' });
const other: Ropewalk = await createSlim({ wasm: new Uint8Array() });
const simd: 'relaxed' | 'simd128' = rw.simd;

const lists: Positions[] = [4, [0, 1.5], new Int32Array(2), new Float32Array(2), new BigInt64Array(2)];
const table: Tensor = rw.sinusoidal({ positions: lists[0]!, dim: 8, layout: 'half-split', spacing: 'dim/2-1', order: 'cos-first' });
const map: Tensor = rw.sinusoidalShift({ dim: 8, offset: -1 });
const frequencies: RotaryFrequencies = rw.rotaryFrequencies({ dim: 8 });
const inverseFrequencies: Float64Array = frequencies.inverseFrequencies;
const turned: Tensor = rw.rotate(table, frequencies, { layout: 'half-split', positions: [0, 1, 2, 3] });
const slopes: Float64Array = rw.alibiSlopes({ heads: 8, convention: 'sorted' });
const bias: Tensor = rw.alibi({ heads: 1, queries: 4, keys: 4, direction: 'symmetric' });
const options: AttentionOptions = { causal: 'bottom-right', bias, scale: 1, position: { type: 'rope', frequencies, layout: 'interleaved' }, intermediates: ['weights'] };
const { output, weights } = rw.attention(turned, table, map, options);
const numbers: Float32Array = output.data;
const maybe: number | undefined = weights?.data[0];
rw.release();

const constant: ResidentTensor = rw.resident(table, { dtype: 'int8' });
const constantBytes: number = rw.attention(turned, constant, constant).output.data.length + constant.byteLength;
// @ts-expect-error: no such dtype
rw.resident(table, { dtype: 'int4' });

const cacheOptions: KvCacheOptions = { keyHeads: 1, dim: 8, capacity: 9, dtype: 'float16', position: { type: 'rope', layout: 'half-split' } };
const cache: KvCache = rw.createCache(cacheOptions);
const length: number = cache.append(table, table) + cache.length;
cache.evict(0, 1, { renumber: true });
const positions: Float64Array = cache.positions;
const decoded: Tensor = rw.attention(turned, cache, { causal: true, window: { size: 4 } }).output;
// @ts-expect-error: a cache has the heads of its keys
rw.attention(turned, cache, { keyHeads: 1 });
// @ts-expect-error: capacity is missing
rw.createCache({ keyHeads: 1, dim: 8 });

const cachePool: Pool = await createPool({ size: 2 });
const inWorkers: PoolCache = await cachePool.createCache(cacheOptions);
const appended: Promise<number> = inWorkers.append(table, table);
const forgot: Promise<void> = inWorkers.truncate(inWorkers.length - 1);
const { signal } = new AbortController();
const decodedByWorkers: Tensor = (await cachePool.attention(turned, inWorkers, { causal: true, signal })).output;
// @ts-expect-error: its workers hold it
rw.attention(turned, inWorkers);
// @ts-expect-error: an instance holds it
cachePool.attention(turned, cache);

const fromFile: FileTensor | undefined = readSafetensors(new ArrayBuffer(8)).tensors.get('q');
const asTensor: Tensor = toFloats(fromFile ?? readNpy(new Uint8Array(8)));
const written: Uint8Array = writeNpy(asTensor);
// @ts-expect-error: a file may hold other numbers than floats
rw.attention(readNpy(written), asTensor, asTensor);

const pool: Pool = await createPool({ size: 2, worker: () => new Worker(new URL('x.js', 'file:///')) });
const pooled: Tensor = (await pool.attention(table, table, table, { causal: 'top-left', signal: new AbortController().signal })).output;
const pooledTable: Promise<Tensor> = pool.sinusoidal({ positions: 4, dim: 8 });
const fromConfig: Float64Array = frequenciesFromConfig(rw, '{}').inverseFrequencies;
const position: ConfigPosition = positionFromConfig(rw, {}, { length: 100 });
const closed: Promise<void> = pool.close();

// @ts-expect-error: a promise is no tensor
pool.sinusoidal({ positions: 4, dim: 8 }).data;
// @ts-expect-error: an instance cannot be aborted
rw.attention(table, table, table, { signal: new AbortController().signal });
// @ts-expect-error: a pool answers with promises
positionFromConfig(pool, '{}');
// @ts-expect-error: dim is missing
pool.sinusoidal({ positions: 4 });
// @ts-expect-error: weights may be missing
weights.data;
// @ts-expect-error: dim is missing
rw.sinusoidal({ positions: 4 });
// @ts-expect-error: no such layout
rw.sinusoidal({ positions: 4, dim: 8, layout: 'concatenated' });
// @ts-expect-error: positions are numbers
rw.sinusoidal({ positions: ['0'], dim: 8 });
// @ts-expect-error: a typo
rw.alibi({ heads: 1, queries: 4, key: 4 });
rw.rotate(table, frequencies);
// @ts-expect-error: a plain array is no tensor
rw.rotate([1, 2], frequencies, { layout: 'half-split' });
// @ts-expect-error: double data
rw.attention({ data: new Float64Array(1), shape: [1, 1] }, table, table);
const shape = [1, 4] as const;
rw.attention({ data: new Float32Array(4), shape }, table, table, { causal: true, mask: new Uint8Array(4) });
rw.attention({ data: new Uint16Array(4), shape, format: 'bf16', strides: shape }, table, table);
rw.attention(table, table, table, { position: { type: 'rope', layout: 'half-split', base: 500 } });
rw.attention(table, table, table, { position: positionFromConfig(rw, '{}'), heads: 2, keyHeads: 1 });
rw.attention(table, table, table, { position: 'alibi', bias: new Float32Array(4), into: new Float32Array(4) });
rw.attention(table, table, table, { onProgress: (done: number, of: number) => console.log(done, of) });
// @ts-expect-error: a result's shape is read only
rw.attention(table, table, table).output.shape[0] = 1;
// @ts-expect-error: no such alignment
rw.attention(table, table, table, { causal: 'lower-right' });
rw.attention(table, table, table, { position: { type: 'rope' } });
rw.attention(table, table, table, { position: 'rope' });
// @ts-expect-error: no such step
rw.attention(table, table, table, { intermediates: ['probabilities'] });
// @ts-expect-error: simd is read only
rw.simd = 'relaxed';
// @ts-expect-error: no such binary
await createRopewalk({ simd: 'avx2' });
// @ts-expect-error: the raw module is nobody's business
rw.raw;

export { appended, closed, constantBytes, decoded, decodedByWorkers, forgot, fromConfig, inverseFrequencies, length, maybe, numbers, other, pooled, pooledTable, position, positions, simd, slopes };
`;

for (const settings of [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
]) {
  test(`a consumer compiles under --strict with module resolution ${settings.moduleResolution}`, () => {
    assert.equal(compiled(consumer, settings), '');
  });
}

test('the compiler does find what the consumer gets wrong', () => {
  const wrong = compiled(consumer.replaceAll(/^\/\/ @ts-expect-error.*$/gm, ''), {
    module: 'nodenext',
    moduleResolution: 'nodenext',
  });
  assert.equal(wrong.match(/error TS\d+/g).length, consumer.match(/@ts-expect-error/g).length);
});

test('inner modules cannot be imported', () => {
  const inner = "import { Core } from 'ropewalk/runtime/core.js';\nexport { Core };\n";
  assert.match(
    compiled(inner, { module: 'nodenext', moduleResolution: 'nodenext' }),
    /ropewalk\/runtime\/core\.js/,
  );
});
