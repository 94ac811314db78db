/** .npy and .safetensors: what NumPy wrote, what others must not write, and back again. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { createRopewalk, installed } from './installed.mjs';

const { blobSource, handleSource, readNpy, readSafetensors, toFloats, writeNpy, writeSafetensors } =
  await import(pathToFileURL(join(installed, 'entries/files.js')).href);
const folder = join(import.meta.dirname, 'numpy');
const file = (name) => readFileSync(join(folder, `${name}.npy`));
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.npy'))
  .map((name) => name.slice(0, -4));

const arrays = {
  b1: Uint8Array,
  u1: Uint8Array,
  i1: Int8Array,
  u2: Uint16Array,
  i2: Int16Array,
  u4: Uint32Array,
  i4: Int32Array,
  u8: BigUint64Array,
  i8: BigInt64Array,
  f2: Float32Array,
  f4: Float32Array,
  f8: Float64Array,
};

for (const name of names.filter((each) => /_[CF]$/.test(each))) {
  test(`NumPy's ${name} is read`, () => {
    const code = /(b1|[uif]\d)_[CF]$/.exec(name)[1];
    const { data, shape } = readNpy(file(name));
    assert.equal(data.constructor, arrays[code]);
    assert.deepEqual(shape, [2, 3]);
    assert.deepEqual(
      Array.from(data, Number),
      code === 'b1' ? [0, 1, 1, 1, 1, 1] : [0, 1, 2, 3, 4, 100],
    );
  });
}

test('versions 1 to 3, no axis, no value, and three axes with columns first are read', () => {
  for (const version of [1, 2, 3])
    assert.deepEqual([...readNpy(file(`version_${version}`)).data], [0, 1, 2, 3, 4, 100]);
  assert.deepEqual(readNpy(file('scalar')), {
    data: Float32Array.of(1.5),
    shape: [],
    format: 'f32',
  });
  assert.deepEqual(readNpy(file('empty')), {
    data: new Float32Array(0),
    shape: [0, 3],
    format: 'f32',
  });
  assert.deepEqual(readNpy(file('axes')), {
    data: Int32Array.from({ length: 24 }, (_, i) => i),
    shape: [2, 3, 4],
    format: 'i32',
  });
});

test('written files equal those of NumPy byte for byte', () => {
  const rowsFirst = names.filter((name) => !/^be_|_F$|^version_[23]|^axes$/.test(name));
  assert.ok(rowsFirst.length > 15);
  for (const name of rowsFirst)
    assert.deepEqual(writeNpy(readNpy(file(name))), new Uint8Array(file(name)), name);
});

test('attention over .npy files agrees with NumPy in double', async () => {
  const rw = await createRopewalk();
  const [q, k, v] = ['q', 'k', 'v'].map((name) => toFloats(readNpy(file(name))));
  const position = {
    type: 'rope',
    layout: 'half-split',
    frequencies: rw.rotaryFrequencies({ dim: 8 }),
  };
  const { output, weights } = rw.attention(q, k, v, {
    causal: 'top-left',
    position,
    intermediates: ['weights'],
  });
  for (const [name, ours] of Object.entries({ attention: output, weights })) {
    const { data, shape } = readNpy(file(name));
    assert.deepEqual(ours.shape, shape);
    data.forEach((value, i) =>
      assert.ok(Math.abs(value - ours.data[i]) < 2e-6, `${name}[${i}]: ${value}, ${ours.data[i]}`),
    );
  }
});

test('every half and every bfloat16 survives reading and writing; NaN stays NaN', () => {
  const bits = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i);
  for (const format of ['F16', 'BF16']) {
    const original = safetensors(
      { x: { dtype: format, shape: [bits.length], data_offsets: [0, 2 * bits.length] } },
      new Uint8Array(bits.buffer),
    );
    const { data } = readSafetensors(original).tensors.get('x');
    const written = writeSafetensors(readSafetensors(original).tensors);
    const back = new Uint16Array(written.slice(-2 * bits.length).buffer);
    const again = readSafetensors(written).tensors.get('x').data;
    data.forEach((value, i) => {
      if (Number.isNaN(value)) assert.ok(Number.isNaN(again[i]), `${format} ${i}`);
      else assert.equal(back[i], bits[i], `${format} ${i}: ${value}`);
    });
  }
});

test('narrow formats round to nearest, ties to even', () => {
  const rounded = (format, ...values) => {
    const written = writeSafetensors({
      x: { data: Float32Array.from(values), shape: [values.length], format },
    });
    return [...readSafetensors(written).tensors.get('x').data];
  };
  assert.deepEqual(rounded('f16', 2049, 2051, 65519, 65520, 2 ** -25, 3 * 2 ** -25, -0), [
    2048,
    2052,
    65504,
    Infinity,
    0,
    2 ** -23,
    -0,
  ]);
  assert.deepEqual(rounded('bf16', 257, 259, -257, 3.39e38, 3.4e38), [
    256,
    260,
    -256,
    3.3895313892515355e38,
    Infinity,
  ]);
});

/** A file with any header, as hostile as you like. */
function safetensors(header, data = new Uint8Array(0)) {
  const text = new TextEncoder().encode(
    typeof header === 'string' ? header : JSON.stringify(header),
  );
  const bytes = new Uint8Array(8 + text.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  bytes.set(data, 8 + text.length);
  return bytes;
}

const refused = (read, rule) =>
  assert.throws(
    read,
    (/** @type {Error} */ error) =>
      (error instanceof RangeError && rule.test(error.message)) ||
      assert.fail(`${error.name}: ${error.message}`),
  );

test('safetensors come back with their names, formats and metadata', () => {
  const tensors = {
    __proto__x: { data: Uint8Array.of(1, 0, 1), shape: [3], format: 'bool' },
    'layer.0.q': { data: Float32Array.of(1, -2.5), shape: [1, 2] },
    positions: { data: BigInt64Array.of(-1n, 2n ** 62n), shape: [2] },
    one: { data: Float64Array.of(Math.PI), shape: [] },
  };
  const { tensors: back, metadata } = readSafetensors(
    writeSafetensors(new Map(Object.entries(tensors)), { format: 'pt' }),
  );
  assert.deepEqual([...metadata], [['format', 'pt']]);
  for (const [name, { data, shape }] of Object.entries(tensors))
    assert.deepEqual([back.get(name).data, back.get(name).shape], [data, shape]);
  assert.equal(back.get('__proto__x').format, 'bool');
  const named = readSafetensors(
    safetensors('{"__proto__":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', Uint8Array.of(7)),
  );
  assert.deepEqual([...named.tensors.get('__proto__').data], [7]);
});

test('a file cut at any length is rejected, and so is one with an extra byte', () => {
  const tensors = writeSafetensors({
    a: { data: Float32Array.of(1, 2), shape: [2] },
    b: { data: Int8Array.of(1), shape: [1] },
  });
  for (const [read, whole] of [
    [readNpy, new Uint8Array(file('q'))],
    [readNpy, new Uint8Array(file('version_3'))],
    [readSafetensors, tensors],
  ]) {
    read(whole);
    for (let length = 0; length < whole.length; length++)
      assert.throws(() => read(whole.slice(0, length)), RangeError, String(length));
    for (const more of [[0], [0, 0, 0, 0]])
      refused(() => read(Uint8Array.of(...whole, ...more)), /data must have \d+ bytes.*, got \d+$/);
  }
});

test('a header with any byte changed gives an error or an array', () => {
  for (const [read, whole, end] of [
    [readNpy, new Uint8Array(file('le_f4_C')), 128],
    [readSafetensors, writeSafetensors({ a: { data: Float32Array.of(1), shape: [1] } }), 72],
  ]) {
    for (let at = 0; at < end; at++) {
      for (const byte of [0, 1, 9, 10, 32, 34, 39, 40, 44, 45, 48, 57, 92, 123, 125, 128, 255]) {
        const changed = whole.slice();
        changed[at] = byte;
        try {
          read(changed);
        } catch (error) {
          assert.ok(error instanceof RangeError, `${at} ${byte}: ${error.stack}`);
        }
      }
    }
  }
});

test('hostile .npy headers are rejected with name, rule and value', () => {
  const npy = (header, version = 1) => {
    const text = new TextEncoder().encode(header);
    return Uint8Array.of(
      0x93,
      78,
      85,
      77,
      80,
      89,
      version,
      0,
      text.length & 255,
      text.length >> 8,
      ...(version > 1 ? [0, 0] : []),
      ...text,
      0,
      0,
      0,
      0,
    );
  };
  const dict = (descr, order, shape) =>
    npy(`{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`);
  assert.deepEqual(readNpy(dict("'<f4'", 'False', '(1L,)')).shape, [1]);
  refused(
    () => readNpy(dict("'<f4'", 'False', '(2147483648, 2147483648, 2147483648,)')),
    /^npy data must have .* bytes for f32 of shape \[2147483648, .*, got 4$/,
  );
  refused(
    () => readNpy(dict("'<f4'", 'False', '(99999999999999999999,)')),
    /npy shape\[0\] must be a whole number from 0/,
  );
  for (const shape of ['(-1,)', '(1)', '(,)', '(1,,)', '1', '[1]', '(1, __import__("os"))'])
    refused(() => readNpy(dict("'<f4'", 'False', shape)), /^npy (shape|header) must be/);
  for (const descr of ["'|O'", "'<c8'", "'<U3'", "'=f4'", "'|f4'", "'f4'", "''"])
    refused(() => readNpy(dict(descr, 'False', '(1,)')), /^npy descr must be .*, got "/);
  for (const header of [
    '',
    '{}',
    '[]',
    "{'descr': '<f4'}",
    "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
    "{'shape': '<f4', 'fortran_order': False, 'descr': (1,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 'y'}",
    `${'{'.repeat(5000)}}`,
  ]) {
    refused(
      () => readNpy(npy(header)),
      /^npy header must be a dict of descr, fortran_order and shape, got/,
    );
  }
  refused(
    () => readNpy(dict("'<f4'", 'False', `(${'1,'.repeat(33)})`)),
    /npy shape must have at most 32 axes, got 33/,
  );
  refused(() => readNpy(npy('', 4)), /npy version must be 1.0, 2.0 or 3.0, got 4.0/);
  refused(
    () => readNpy(Uint8Array.of(0x93, 78, 85, 77, 80, 89, 2, 0, 255, 255, 255, 255)),
    /npy header must have at most 65536 bytes, got 4294967295/,
  );
  refused(() => readNpy(new Uint8Array(20)), /npy file must begin with 93 4e 55 4d 50 59, got 00/);
});

test('a tensor of a format without an array is listed, and rejected when its values are read', () => {
  const bytes = safetensors(
    {
      weight: { dtype: 'F8_E4M3', shape: [2, 3], data_offsets: [0, 6] },
      scale: { dtype: 'U8', shape: [2], data_offsets: [6, 8] },
    },
    Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  );
  const { tensors } = readSafetensors(bytes);
  const [weight, scale] = [tensors.get('weight'), tensors.get('scale')];
  assert.deepEqual([...tensors.keys()], ['weight', 'scale']);
  assert.deepEqual([weight.format, weight.shape], ['f8_e4m3', [2, 3]]);
  assert.deepEqual(scale, { data: Uint8Array.of(7, 8), shape: [2], format: 'u8' });
  const message = /^safetensors "weight".dtype must be one of BOOL, .*, got "F8_E4M3"$/;
  for (const read of [() => weight.data, () => toFloats(weight), () => writeSafetensors(tensors)])
    assert.throws(read, { name: 'RangeError', message, value: 'F8_E4M3' });
});

test('values of .safetensors are decoded once, when they are read', () => {
  const values = new Float32Array(2 ** 20).fill(3);
  const bytes = writeSafetensors({ a: { data: values, shape: [2 ** 20] } });
  const before = process.memoryUsage().arrayBuffers;
  const { tensors } = readSafetensors(bytes);
  const held = process.memoryUsage().arrayBuffers - before;
  assert.ok(held < 2 ** 20, `${held} bytes`);
  const { data } = tensors.get('a');
  assert.deepEqual(data, values);
  assert.equal(tensors.get('a').data, data);
  assert.deepEqual(structuredClone(tensors.get('a')), tensors.get('a'));
});

test('hostile .safetensors headers are rejected with name, rule and value', () => {
  const entry = (changes) => ({ dtype: 'F32', shape: [1], data_offsets: [0, 4], ...changes });
  const read = (header) => readSafetensors(safetensors(header, new Uint8Array(4)));
  assert.equal(read({ a: entry() }).tensors.size, 1);
  const huge = safetensors({ a: entry() }, new Uint8Array(4));
  new DataView(huge.buffer).setBigUint64(0, 2n ** 64n - 1n, true);
  refused(
    () => readSafetensors(huge),
    /safetensors header must have at most \d+ bytes here, got 18446744073709551615/,
  );
  for (const header of ['', '{', "{'a': 1}", '{"a":1,}', 'nonsense'])
    refused(() => read(header), /safetensors header must be JSON/);
  for (const header of ['[]', 'null', '1'])
    refused(() => read(header), /safetensors header must be a JSON object/);
  refused(
    () => read(` ${JSON.stringify({ a: entry() })}`),
    /safetensors header must begin with {, got " \{/,
  );
  const one = JSON.stringify(entry());
  refused(() => read(`{"a":${one},"\\u0061":${one}}`), /must name each thing once, got "a" twice/);
  refused(
    () => read('{"a":{"dtype":"F32","dtype":"I32","shape":[1],"data_offsets":[0,4]}}'),
    /got "dtype" twice/,
  );
  refused(
    () => read({ a: entry({ extra: 1 }) }),
    /"a" must have dtype, shape and data_offsets only, got "extra"/,
  );
  for (const dtype of [undefined, 32, ['F32']])
    refused(() => read({ a: entry({ dtype }) }), /"a".dtype must be one of BOOL, .*, got/);
  refused(() => read({ a: entry({ shape: [-1] }) }), /shape\[0\] must be a whole number from 0/);
  refused(
    () => read({ a: entry({ shape: Array(32).fill(2 ** 31) }) }),
    /must have .* bytes for f32 of shape/,
  );
  for (const at of [[-1, 3], [4, 0], [0.5, 4], [0], [0, 4, 8], [0, 1e300], [0, '4']])
    refused(() => read({ a: entry({ data_offsets: at }) }), /data_offsets must be \[begin, end\]/);
  refused(
    () => read({ a: entry(), b: entry() }),
    /"b".data_offsets must begin at 4 and end by 4, got \[0, 4\]/,
  );
  refused(() => read({ a: entry({ data_offsets: [4, 8] }) }), /"a".data_offsets must begin at 0/);
  refused(
    () => read({ a: entry({ dtype: 'U8' }) }),
    /"a" must have 1 bytes for u8 of shape \[1\], got 4/,
  );
  refused(() => read({}), /safetensors data must have 0 bytes, got 4/);
  refused(
    () => read({ a: entry(), __metadata__: { x: 1 } }),
    /__metadata__ must hold texts, got 1 as "x"/,
  );
});

test('any view of the bytes is accepted, and the result does not share its memory', () => {
  const whole = new Uint8Array(file('q'));
  const shifted = new Uint8Array(whole.length + 3).subarray(3);
  shifted.set(whole);
  const shared = new Uint8Array(new SharedArrayBuffer(whole.length));
  shared.set(whole);
  const expected = readNpy(whole.buffer);
  for (const bytes of [whole, shifted, shared, Buffer.from(whole)]) {
    const { data } = readNpy(bytes);
    bytes.fill(0);
    assert.deepEqual(data, expected.data);
  }
  for (const wrong of [undefined, null, 'text', [1], new Float32Array(3), {}])
    assert.throws(
      () => readNpy(wrong),
      /^TypeError: bytes must be a Uint8Array or an ArrayBuffer, got/,
    );
});

test('arrays, bytes and maps may be of another realm, as tests have them', () => {
  const foreign = (code) => runInNewContext(code);
  const written = writeNpy({ data: Float64Array.of(1, 2.5), shape: [2] });
  for (const code of [
    '(bytes) => Uint8Array.from(bytes)',
    '(bytes) => Uint8Array.from(bytes).buffer',
  ])
    assert.deepEqual(readNpy(foreign(code)(written)).data, Float64Array.of(1, 2.5));
  assert.deepEqual(writeNpy(foreign('({ data: Float64Array.of(1, 2.5), shape: [2] })')), written);
  assert.deepEqual(toFloats(foreign('({ data: BigInt64Array.of(1n, -2n), shape: [2] })')), {
    data: Float32Array.of(1, -2),
    shape: [2],
  });
  const { tensors, metadata } = readSafetensors(
    writeSafetensors(
      foreign('new Map([["x", { data: Int8Array.of(7), shape: [1] }]])'),
      foreign('new Map([["by", "us"]])'),
    ),
  );
  assert.deepEqual([...tensors.get('x').data, ...metadata], [7, ['by', 'us']]);
});

test('a subclass of an array is read and written by its numbers', () => {
  class Vector extends Float32Array {
    constructor(...values) {
      super(values.length === 1 ? values[0] : values);
    }
    static get [Symbol.species]() {
      return Float64Array;
    }
  }
  for (const format of ['f32', 'f16', 'bf16']) {
    const x = { data: new Vector(1, 2.5, -3), shape: [3], format };
    assert.deepEqual(
      readSafetensors(writeSafetensors({ x })).tensors.get('x').data,
      Float32Array.of(1, 2.5, -3),
    );
  }
  class Bytes extends Uint8Array {
    static get [Symbol.species]() {
      return Uint16Array;
    }
  }
  assert.deepEqual(readNpy(new Bytes(file('q'))), readNpy(file('q')));
});

test('a name may be as long as the header, and needs no more stack than a short one', () => {
  for (const name of ['a'.repeat(2 ** 24), '\\"'.repeat(2 ** 22)]) {
    const { tensors } = readSafetensors(
      writeSafetensors({ [name]: { data: Int8Array.of(7), shape: [1] } }),
    );
    assert.ok(tensors.has(name));
  }
});

test('arrays that cannot be written give an error', () => {
  const data = Float32Array.of(1, 2);
  assert.throws(
    () => writeNpy({ data, shape: [3] }),
    /^RangeError: tensor.data must have 3 values for shape \[3\], got 2$/,
  );
  assert.throws(
    () => writeNpy({ data: [1, 2], shape: [2] }),
    /^TypeError: tensor.data must be a typed array of numbers, got an array$/i,
  );
  assert.throws(
    () => writeNpy({ data, shape: [2], format: 'bf16' }),
    /^RangeError: tensor.format must be one that NumPy has, got 'bf16'$/,
  );
  assert.throws(
    () => writeNpy({ data, shape: [2], format: 'f64' }),
    /^TypeError: tensor.format f64 is written from f64 data, got f32$/,
  );
  for (const wrong of [undefined, null, [], 5])
    assert.throws(
      () => writeSafetensors(wrong),
      /^TypeError: tensors must be a Map or an object, got /,
    );
  assert.throws(
    () => writeSafetensors({}, null),
    /^TypeError: metadata must be a Map or an object, got null$/,
  );
  const twice = new Map([5, '5'].map((name) => [name, { data, shape: [2] }]));
  assert.throws(
    () => writeSafetensors(twice),
    /^TypeError: tensors must have texts as names, got 5$/,
  );
  assert.throws(
    () => writeSafetensors({ __metadata__: { data, shape: [2] } }),
    /^RangeError: a tensor must not be called '__metadata__'$/,
  );
});

test('parts of a file are read from a Blob and from a file of Node', async () => {
  const handle = await open(join(folder, 'scalar.npy'));
  const whole = file('scalar');
  const sources = [
    blobSource(new File([whole], 'scalar.npy')),
    handleSource('scalar.npy', handle, whole.length),
  ];
  for (const source of sources) {
    assert.deepEqual([source.name, source.size], ['scalar.npy', whole.length]);
    assert.deepEqual(await source.read(1, 5), new Uint8Array(whole.subarray(1, 6)));
    await assert.rejects(source.read(whole.length - 3, 5), {
      name: 'RangeError',
      message: `scalar.npy must have 5 bytes from ${whole.length - 3} on, got 3`,
    });
  }
  await handle.close();
});
