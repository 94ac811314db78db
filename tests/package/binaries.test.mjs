/** Which binary starts, from where, and what happens when none can. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callAll } from './probes.mjs';
import { assertClose } from './inputs.mjs';
import { binary, createPool, createRopewalk, simds, slim, slimOfBrowsers } from './installed.mjs';

/** Every number within a result, in order. */
const flat = (value) =>
  ArrayBuffer.isView(value)
    ? Array.from(/** @type {Float32Array} */ (value))
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(flat)
      : typeof value === 'number'
        ? [value]
        : [];

const relaxedRuns = WebAssembly.validate(binary('relaxed'));

test('auto takes the fastest that the engine has, and a name takes that one', async () => {
  const fastest = relaxedRuns ? 'relaxed' : 'simd128';
  for (const options of [undefined, {}, { simd: 'auto' }, { simd: undefined }]) {
    assert.equal((await createRopewalk(options)).simd, fastest);
  }
  for (const simd of simds) assert.equal((await createRopewalk({ simd })).simd, simd);
});

test(
  'relaxed SIMD where the engine has none gives a descriptive error',
  { skip: relaxedRuns && 'this engine has it' },
  async () => {
    await assert.rejects(createRopewalk({ simd: 'relaxed' }), {
      message: /^This engine has no relaxed SIMD: .*simd128/,
    });
  },
);

test('the error without SIMD in the engine names SIMD', async () => {
  const { validate } = WebAssembly;
  WebAssembly.validate = () => false;
  try {
    await assert.rejects(createRopewalk(), {
      message: /^This engine has no WebAssembly SIMD: Chrome 91, /,
    });
  } finally {
    WebAssembly.validate = validate;
  }
});

test('the default entry requests nothing, nor does the slim one in Node', async () => {
  const { fetch } = globalThis;
  globalThis.fetch = () => assert.fail('it fetched');
  try {
    for (const create of [createRopewalk, slim.createRopewalk]) {
      for (const simd of simds) callAll(await create({ simd }));
    }
  } finally {
    globalThis.fetch = fetch;
  }
});

test(
  'both binaries agree within rounding',
  { skip: !relaxedRuns && 'this engine runs one only' },
  async () => {
    const [a, b] = await Promise.all(
      ['simd128', 'relaxed'].map(async (simd) => callAll(await createRopewalk({ simd }))),
    );
    assertClose(flat(b), flat(a), 2e-6);
  },
);

test('the binary may come from the caller, as bytes or compiled, in both entries', async () => {
  for (const simd of simds) {
    const bytes = binary(simd);
    const expected = callAll(await createRopewalk({ simd }));
    for (const wasm of [bytes, new Uint8Array(bytes).buffer, await WebAssembly.compile(bytes)]) {
      for (const create of [createRopewalk, slim.createRopewalk, slimOfBrowsers.createRopewalk]) {
        const rw = await create({ simd, wasm });
        assert.equal(rw.simd, simd);
        assert.deepEqual(callAll(rw), expected);
      }
    }
  }
});

test('which of the two a binary from the caller is, every entry finds out', async () => {
  const kindOf = async (create, options) => (await create(options)).simd;
  const ofPool = async (options) => {
    const pool = await createPool({ size: 1, ...options });
    await pool.close();
    return pool;
  };
  for (const simd of simds) {
    const bytes = binary(simd);
    for (const wasm of [bytes, new Uint8Array(bytes).buffer, await WebAssembly.compile(bytes)]) {
      for (const create of [
        createRopewalk,
        slim.createRopewalk,
        slimOfBrowsers.createRopewalk,
        ofPool,
      ]) {
        for (const more of [{}, { simd: 'auto' }, { simd: undefined }, { simd }])
          assert.equal(await kindOf(create, { ...more, wasm }), simd);
        const other = simd === 'relaxed' ? 'simd128' : 'relaxed';
        const message =
          other === 'relaxed' && !relaxedRuns
            ? /no relaxed SIMD/
            : `simd must be '${simd}' or 'auto' for this wasm, got '${other}'`;
        await assert.rejects(create({ simd: other, wasm }), { message });
      }
    }
  }
});

test('a binary that is marked as neither of the two is rejected', async () => {
  const [simd] = simds;
  for (const [from, to] of [
    ['simd', 'sima'],
    [simd, simd.toUpperCase()],
  ]) {
    const bytes = Buffer.from(binary(simd));
    bytes.write(to, bytes.lastIndexOf(`simd${simd}`) + (from === simd ? 4 : 0));
    await assert.rejects(createRopewalk({ wasm: bytes }), {
      name: 'TypeError',
      message: /^wasm must be a binary of this package: its custom section "simd" must say /,
    });
  }
});

test('a file that is no binary rejects, and does not hang', async () => {
  const foreign = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0); // a module without anything
  const importing = Uint8Array.of(...foreign, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 120, 1, 121, 0, 0); // imports x.y
  const message = /^wasm must be a binary of this package: ./;
  for (const wasm of [
    foreign,
    importing,
    Uint8Array.of(1, 2, 3),
    {},
    new WebAssembly.Module(foreign),
  ]) {
    await assert.rejects(createRopewalk({ wasm }), { constructor: TypeError, message });
  }
  for (const wasm of [5, 'ropewalk.wasm', true]) {
    await assert.rejects(createRopewalk({ wasm }), {
      name: 'TypeError',
      message: /^wasm must be bytes or a WebAssembly.Module, got /,
    });
  }
});

test('wrong options reject by name', async () => {
  const rejects = (options, name, message) =>
    assert.rejects(createRopewalk(options), { name, message });
  await rejects(
    { simd: 'avx' },
    'RangeError',
    /^simd must be one of 'auto', 'relaxed', 'simd128', got "avx"$/,
  );
  await rejects({ simd: 5 }, 'TypeError', /^simd must be one of .* got 5$/);
  await rejects({ simd: null }, 'TypeError', /simd must not be null/);
  await rejects({ wasmUrl: 'x' }, 'TypeError', /has no "wasmUrl"; known names: simd, wasm$/);
  await rejects(
    'simd128',
    'TypeError',
    /options must be an object, got "simd128"; known names: simd, wasm$/,
  );
  await rejects(null, 'TypeError', /options must be an object, got null; known names: simd, wasm$/);
});

test('in browsers the slim entry fetches one binary from its own folder, and reports another response', async () => {
  const { fetch } = globalThis;
  const asked = [];
  const answering = (answer) => async (url) => (asked.push(String(url)), answer);
  try {
    for (const simd of simds) {
      globalThis.fetch = answering(new Response(binary(simd)));
      assert.equal((await slimOfBrowsers.createRopewalk({ simd })).simd, simd);
      assert.match(asked.pop(), new RegExp(`/dist/package/entries/ropewalk_${simd}\\.wasm$`));
    }
    globalThis.fetch = answering(new Response('<!doctype html>', { status: 200 }));
    await assert.rejects(slimOfBrowsers.createRopewalk(), {
      message: /ropewalk_\w+\.wasm is not WebAssembly: .*HTML page$/,
    });
    globalThis.fetch = answering(new Response('', { status: 200 }));
    await assert.rejects(slimOfBrowsers.createRopewalk(), { message: /is not WebAssembly/ });
    globalThis.fetch = answering(new Response('', { status: 404, statusText: 'Not Found' }));
    await assert.rejects(slimOfBrowsers.createRopewalk(), {
      message: /ropewalk_\w+\.wasm answered 404 Not Found$/,
    });
  } finally {
    globalThis.fetch = fetch;
  }
});
