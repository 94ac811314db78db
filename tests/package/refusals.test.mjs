/**
 * Every argument and option of every function refuses what its schema excludes: the wrong kind with a
 * TypeError, the wrong value or shape with a RangeError. The text names parameter, rule and value; the
 * instance stays right.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calls, watch } from './probes.mjs';
import { createRopewalk, inside, simds } from './installed.mjs';
import { objectsOf } from './schemas.mjs';

const option = await inside('runtime/option');

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const saying = (...parts) => new RegExp(parts.map(escaped).join('.*'), 's');

const number = (name) => [
  ['x', TypeError, saying(name, 'must be a number', '"x"')],
  [true, TypeError, saying(name, 'must be a number', 'true')],
  [{}, TypeError, saying(name, 'must be a number', 'an Object')],
  [[3], TypeError, saying(name, 'must be a number', 'an array')],
  [5n, TypeError, saying(name, 'must be a number', '5')],
  [() => 1, TypeError, saying(name, 'must be a number', 'a function')],
  [Symbol('s'), TypeError, saying(name, 'must be a number', 'a symbol')],
];
const outOfRange = (name, rule, values) =>
  values.map((value) => [value, RangeError, saying(name, rule, String(value))]);

/** [value, kind of error, what its text says] for each kind of option. */
const refused = {
  number: (name, { least, most, isAbove }) => [
    ...number(name),
    ...outOfRange(name, 'finite', [NaN, Infinity, -Infinity]),
    ...(least === undefined
      ? []
      : outOfRange(name, isAbove ? `greater than ${least}` : `at least ${least}`, [
          ...(isAbove ? [least] : []),
          least - 2.5,
        ])),
    ...(most === undefined ? [] : outOfRange(name, '32-bit floats', [2 * most, -2 * most])),
  ],
  whole: (name, { least, step = 1 }) => [
    ...number(name),
    ...outOfRange(name, 'whole number', [least - step, -1, 1.5, NaN, Infinity, 2 ** 40]),
    ...(step === 1 ? [] : outOfRange(name, 'even', [least + 1])),
  ],
  choice: (name, { choices }) => [
    ...[5, {}, true]
      .filter((value) => !choices.includes(value))
      .map((value) => [value, TypeError, saying(name, 'must be one of')]),
    ['x', RangeError, saying(name, 'must be one of', '"x"')],
    ['', RangeError, saying(name, 'must be one of', '""')],
  ],
  truth: (name) =>
    [0, 'true', {}].map((value) => [value, TypeError, saying(name, 'must be true or false')]),
  numbers: (name, /** @type {any} */ { least, isAbove } = {}) => [
    ['x', TypeError, saying(name, 'array of numbers', '"x"')],
    [true, TypeError, saying(name, 'array of numbers', 'true')],
    [5n, TypeError, saying(name, 'array of numbers', '5')],
    [{}, TypeError, saying(name, 'array of numbers', 'an Object')],
    [['1'], TypeError, saying(`${name}[0]`, 'a number', '"1"')],
    [[1, null], TypeError, saying(`${name}[1]`, 'a number', 'null')],
    [[, 1], TypeError, saying(`${name}[0]`, 'a number', 'undefined')],
    [{ length: 2 }, TypeError, saying(`${name}[0]`, 'a number', 'undefined')],
    [[1, NaN], RangeError, saying(`${name}[1]`, 'finite', 'NaN')],
    [[Infinity], RangeError, saying(`${name}[0]`, 'finite', 'Infinity')],
    [[2n ** 2000n], RangeError, saying(`${name}[0]`, 'finite', 'Infinity')],
    ...[-1, 1.5, NaN, 2 ** 40].map((length) => [
      { length },
      RangeError,
      saying(`${name}.length`, 'whole number', String(length)),
    ]),
    [{ length: 1e9 }, RangeError, saying(name, 'bytes')],
    ...(isAbove
      ? [least, least - 2.5].map((value) => [
          [least + 1, value],
          RangeError,
          saying(`${name}[1]`, `greater than ${least}`, String(value)),
        ])
      : []),
  ],
  positions: (name) => [
    ...refused.numbers(name),
    [[], RangeError, saying(name, 'at least one')],
    ...outOfRange(name, 'whole number', [0, -1, 1.5, NaN, Infinity, 2 ** 40]),
    [1e9, RangeError, saying(name.split('.').at(-1), 'bytes')],
  ],
  'whole positions': (name) => [
    ...refused.positions(name),
    [[1, 0.5], RangeError, saying(`${name}[1]`, 'whole number', '0.5')],
    [[2 ** 40], RangeError, saying(`${name}[0]`, '2^31', String(2 ** 40))],
  ],
  'elementwise tensor': (name) => [
    [5, TypeError, saying(name, 'must be a tensor', '5')],
    ['x', TypeError, saying(name, 'must be a tensor', '"x"')],
    [() => 1, TypeError, saying(name, 'must be a tensor', 'a function')],
    [{}, TypeError, saying(`${name}.data`, 'Float32Array', 'undefined')],
    [new Float32Array(4), TypeError, saying(`${name}.data`, 'Float32Array', 'undefined')],
    [
      { data: [1, 2], shape: [1, 2] },
      TypeError,
      saying(`${name}.data`, 'Float32Array', 'an array'),
    ],
    [
      { data: new Float64Array(2), shape: [1, 2] },
      TypeError,
      saying(`${name}.data`, 'Float32Array', 'a Float64Array'),
    ],
    [
      { data: new Float32Array(2) },
      TypeError,
      saying(`${name}.shape`, 'array of whole numbers', 'undefined'),
    ],
    [
      { data: new Float32Array(2), shape: '12' },
      TypeError,
      saying(`${name}.shape`, 'array of whole numbers', '"12"'),
    ],
    [
      { data: new Float32Array(2), shape: ['1', 2] },
      TypeError,
      saying(`${name}.shape[0]`, 'a number', '"1"'),
    ],
    [
      { data: new Float32Array(2), shape: [, 2] },
      TypeError,
      saying(`${name}.shape[0]`, 'a number', 'undefined'),
    ],
    ...[0, -1, 1.5, NaN].map((extent) => [
      { data: new Float32Array(2), shape: [2, extent] },
      RangeError,
      saying(`${name}.shape[1]`, 'whole number', String(extent)),
    ]),
    [
      { data: new Float32Array(2), shape: [2, 2] },
      RangeError,
      saying(`${name}.data`, '4 values', '[2, 2]', 'got 2'),
    ],
    [{ data: new Float32Array(2), shape: [1e9, 1e9] }, RangeError, saying(`${name}.data`, 'got 2')],
    [
      { data: new Float32Array(2), shape: Array(4e9) },
      RangeError,
      saying(`${name}.shape`, 'axes', '4000000000'),
    ],
  ],
  tensor: (name) => [
    ...refused['elementwise tensor'](name),
    [{ data: new Float32Array(2), shape: [2] }, RangeError, saying(name)],
  ],
  doubles: (name) => [
    [5, TypeError, saying(name, 'must be a tensor', '5')],
    [{}, TypeError, saying(`${name}.data`, 'Float64Array', 'undefined')],
    [{ data: new Float32Array(2), shape: [2] }, TypeError, saying(`${name}.data`, 'Float64Array')],
    [
      { data: new Float64Array(2), shape: [2, 2] },
      RangeError,
      saying(`${name}.data`, '4 values', '[2, 2]', 'got 2'),
    ],
    [{ data: Float64Array.of(1, NaN), shape: [2] }, RangeError, saying(name, 'finite', 'NaN')],
  ],
  floats: (name) => [
    [[1], TypeError, saying(name, 'must be a Float32Array', 'an array')],
    [new Float64Array(12), TypeError, saying(name, 'must be a Float32Array', 'a Float64Array')],
    [new Float32Array(1), RangeError, saying(name, 'must have', 'values', 'got 1')],
  ],
  function: (name) =>
    [3, 'x', {}].map((value) => [value, TypeError, saying(name, 'must be a function')]),
  sizes: (name, { least }) => [
    ...refused.numbers(name),
    [[2], RangeError, saying(name, 'must be [height, width]', '1 numbers')],
    [[2, least - 1], RangeError, saying(`${name}[1]`, 'whole number', String(least - 1))],
  ],
  object: (name) => [
    [5, TypeError, saying(name, 'must be an object', '5')],
    ['x', TypeError, saying(name, 'must be an object', '"x"')],
    [[], TypeError, saying(name, 'must be an object', 'an array')],
    [() => 1, TypeError, saying(name, 'must be an object', 'a function')],
  ],
};

const elementwise = { rule: { kind: 'elementwise tensor' } };

/** The options that stand for arguments outside of an object, by function; tensors need none. */
const own = {
  rmsNorm: { gain: option.numbers, epsilon: option.positive.default(0) },
  layerNorm: { gain: option.numbers, bias: option.numbers, epsilon: option.positive.default(0) },
  gelu: { x: elementwise },
  silu: { x: elementwise },
  swiglu: { gate: elementwise, up: elementwise },
  embedding: { ids: option.numbers },
  updatePathKeys: { beta: option.numbers },
  t5Buckets: { relativePositions: option.wholePositions },
  debertaBuckets: { relativePositions: option.wholePositions },
  logitFactors: { positions: option.positions },
  distinctPositions: { positions: option.positions },
  roundTo: { values: option.numbers },
  abacusPositions: { tokens: option.numbers },
  rotaryScoreBound: { q: option.numbers, k: option.numbers },
};

/** The names of the arguments, as the function was written. */
const argumentNames = (call) =>
  /\(([^)]*)\)/
    .exec(String(call))[1]
    .split(',')
    .map((text) => /^\s*\w*/.exec(text)[0].trim());

const hasRequired = (schema) => Object.values(schema).some(({ isRequired }) => isRequired);

/** What a call takes: the place, the name in errors, the kind, and the rule of each. */
function parametersOf(name, call) {
  const args = calls[name]();
  const objects = objectsOf(call, args);
  const alone = argumentNames(call).flatMap((argument, i) => {
    if (objects.some(({ place }) => place[0] === i && place.length === 1)) return [];
    const { data } = Object(args[i]);
    const { rule, isRequired = true } = own[name]?.[argument] ?? {};
    const kind =
      rule?.kind ?? (data instanceof Float32Array ? 'tensor' : data ? 'doubles' : undefined);
    return kind ? [{ place: [i], title: argument, kind, rule, isRequired }] : [];
  });
  const within = objects.flatMap(({ what, place, at, schema }) => [
    // Of one with a type, that is read first.
    ...('type' in schema
      ? []
      : [
          {
            place,
            title: what,
            kind: 'object',
            rule: undefined,
            isRequired: place.length === 1 && hasRequired(schema),
          },
        ]),
    ...Object.entries(schema).map(([key, { kind, rule, isRequired }]) => ({
      place: [...place, key],
      title: at + key,
      kind: rule?.kind ?? kind,
      rule,
      isRequired,
    })),
  ]);
  return { objects, parameters: [...alone, ...within].filter(({ kind }) => kind in refused) };
}

const replaced = (container, /** @type {(string | number)[]} */ [key, ...rest], value) => {
  const copy = Array.isArray(container) ? [...container] : { ...container };
  copy[key] = rest.length ? replaced(copy[key], rest, value) : value;
  return copy;
};

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const assertUnchanged = watch(rw);
  /** @param about whether the error is about the parameter that is wrong */
  const refuses = (name, args, Kind, text, about = (_parameter, _message) => true) => {
    const says = (error) => error.constructor === Kind && text.test(error.message);
    assert.throws(
      () => rw[name](...args),
      (/** @type {any} */ error) => {
        assert.ok(says(error), `${error} instead of ${Kind.name} ${text}`);
        const { parameter, rule } = error;
        assert.deepEqual(Object.keys(error), []);
        assert.ok(
          'value' in error && error.message.includes(rule),
          `${error}: the rule is ${rule}`,
        );
        assert.ok(
          parameter && about(parameter, error.message),
          `${error}: the parameter is ${parameter}`,
        );
        return true;
      },
    );
  };

  describe(simd, () => {
    for (const name of Object.keys(calls)) {
      const { objects, parameters } = parametersOf(name, rw[name]);
      for (const { place, title, kind, rule, isRequired } of parameters) {
        test(`${name}: ${title} (${kind})`, () => {
          const wrong = (value) => replaced(calls[name](), place, value);
          for (const [value, Kind, text] of refused[kind](title, rule))
            refuses(
              name,
              wrong(value),
              Kind,
              text,
              // What depends on two parameters may be about the other one.
              (parameter, message) => parameter.startsWith(title) || !message.startsWith(title),
            );
          const own = title.split('.').at(-1);
          const isOwn = (parameter) => parameter.endsWith(own);
          if (place.length > 1) refuses(name, wrong(null), TypeError, saying(own, 'null'), isOwn);
          if (isRequired)
            refuses(
              name,
              wrong(undefined),
              TypeError,
              saying(kind === 'object' ? '' : own, 'undefined'),
            );
        });
      }
      for (const { what, place, at } of objects)
        test(`${name}: ${what} with an unknown name`, () =>
          refuses(
            name,
            replaced(calls[name](), [...place, 'lenght'], 3),
            TypeError,
            saying(what, 'has no "lenght"', 'known names'),
            (parameter) => parameter === `${at}lenght`,
          ));
    }

    test('every refused call left the instance as it was', () => assertUnchanged('refusals'));

    const x = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });

    test('rotate names shapes that do not fit', () => {
      const [, frequencies] = calls.rotate();
      const layout = 'interleaved';
      refuses(
        'rotate',
        [x(4), frequencies, { layout }],
        RangeError,
        saying('x.shape', '[..., length, dim]', '[4]'),
      );
      refuses(
        'rotate',
        [x(5, 2), frequencies, { layout }],
        RangeError,
        saying('frequencies', 'at most the 2 values of a row', 'got 4'),
      );
      refuses(
        'rotate',
        [x(5, 4), frequencies, { layout, positions: 4 }],
        RangeError,
        saying('positions', 'one value per row', '5', 'got 4'),
      );
      refuses(
        'rotate',
        [x(5, 4), { ...frequencies, dim: 6 }, { layout }],
        RangeError,
        saying('frequencies.dim', '4', 'got 6'),
      );
    });

    test('attention names shapes that do not fit', () => {
      const refused = (q, k, v, options, ...says) =>
        refuses('attention', [q, k, v, options], RangeError, saying(...says));
      refused(x(3, 4), x(5, 6), x(5, 4), {}, 'dim of q and k', '4 and 6');
      refused(x(3, 4), x(5, 4), x(6, 4), {}, 'length of k and v', '5 and 6');
      refused(x(2, 3, 4), x(2, 5, 4), x(1, 5, 4), {}, 'heads of k and v', '2 and 1');
      refused(x(3, 3, 4), x(2, 5, 4), x(2, 5, 4), {}, 'heads of q', 'multiple', '3 and 2');
      refused(x(2, 1, 3, 4), x(1, 1, 5, 4), x(1, 1, 5, 4), {}, 'batch of q and k', '2 and 1');
      refused(x(2, 1, 3, 4), x(2, 1, 5, 4), x(1, 1, 5, 4), {}, 'batch of k and v', '2 and 1');
      refused(x(1, 1, 1, 3, 4), x(5, 4), x(5, 4), {}, 'q.shape', '[1, 1, 1, 3, 4]');
      refused(x(3, 4), x(4), x(5, 4), {}, 'k.shape', '[4]');
      refused(
        x(3, 4),
        x(5, 4),
        x(5, 4),
        { bias: x(5, 3) },
        'bias.shape',
        'broadcast',
        '[1, 1, 3, 5]',
        '[5, 3]',
      );
      refused(x(3, 4), x(5, 4), x(5, 4), { bias: x(2, 3, 5) }, 'bias.shape', '[2, 3, 5]');
      const mask = { data: new Uint8Array(15), shape: [5, 3], whenTrue: 'attend' };
      refused(x(3, 4), x(5, 4), x(5, 4), { mask }, 'mask.shape', 'broadcast', '[5, 3]');
      const frequencies = rw.rotaryFrequencies({ dim: 4 });
      const rope = (more) => ({
        position: { type: 'rope', frequencies, layout: 'half-split', ...more },
      });
      refused(x(3, 2), x(5, 2), x(5, 2), rope(), 'position.frequencies', 'the 2 values', 'got 4');
      refused(
        x(3, 4),
        x(5, 4),
        x(5, 4),
        rope({ positions: 4 }),
        'position.positions',
        '3',
        'got 4',
      );
      refused(
        x(3, 4),
        x(5, 4),
        x(5, 4),
        rope({ positions: 3, keyPositions: 4 }),
        'position.keyPositions',
        '5',
        'got 4',
      );
      refused(
        x(3, 4),
        x(5, 4),
        x(5, 4),
        rope({ positions: 3 }),
        'position.positions stand for the keys as well',
        '5 for 3 queries',
      );
    });

    test('a position names its own parameters, and those of other schemes are unknown to it', () => {
      const frequencies = rw.rotaryFrequencies({ dim: 4 });
      const refused = (position, Kind, ...says) =>
        refuses('attention', [x(3, 4), x(5, 4), x(5, 4), { position }], Kind, saying(...says));
      const rope = { type: 'rope', layout: 'half-split' };
      refused({ ...rope, base: 0 }, RangeError, 'position.base', 'greater than 0');
      refused(
        { ...rope, frequencies: {} },
        TypeError,
        'position.frequencies.inverseFrequencies',
        'undefined',
      );
      refused({ type: 'alibi', layout: 'half-split' }, TypeError, 'position', 'has no "layout"');
      refused({ type: 'none', frequencies }, TypeError, 'position', 'has no "frequencies"');
      refused('toString', RangeError, 'position.type', 'must be one of', '"toString"');
      refused(5, TypeError, 'position.type', 'must be one of', 'undefined');
    });

    test('the parts of a prefix sum are named each for itself', () => {
      const refused = (name, position, Kind, ...says) =>
        refuses(
          'attention',
          [x(3, 4), x(5, 4), x(5, 4), { position: { type: 'prefix-sum', ...position } }],
          Kind,
          saying(`position.${name}`, ...says),
          (parameter) => parameter.startsWith(`position.${name}`),
        );
      const doubles = (count) => ({ data: new Float64Array(count), shape: [count] });
      refused('terms', { terms: x(4), later: x(5) }, RangeError, 'got [4]');
      refused('later', { terms: x(5), later: x(4) }, RangeError, 'got [4]');
      refused('sums', { sums: doubles(4), laterSums: doubles(5) }, RangeError, 'got [4]');
      refused('laterSums', { sums: doubles(5), laterSums: doubles(4) }, RangeError, 'got [4]');
      refused('laterSums', { sums: doubles(5), laterSums: x(5) }, TypeError, 'Float64Array');
    });

    test('an error has the parameter, the rule and the value', () => {
      const thrown = (name, ...args) => {
        try {
          rw[name](...args);
        } catch (error) {
          const { name: kind, parameter, rule, value } = error;
          return [kind, parameter, rule, value];
        }
        return [];
      };
      const even = ['RangeError', 'dim', 'must be even', 7];
      assert.deepEqual(thrown('rotaryFrequencies', { dim: 7 }), even);
      const scaling = { type: 'yarn', factor: 0, originalLength: 64 };
      const positive = ['RangeError', 'scaling.factor', 'must be greater than 0', 0];
      assert.deepEqual(thrown('rotaryFrequencies', { dim: 8, scaling }), positive);
      const call = [x(3, 4), x(5, 4), x(5, 4)];
      const number = ['TypeError', 'scale', 'must be a number', '1'];
      assert.deepEqual(thrown('attention', ...call, { scale: '1' }), number);
      const known = thrown('attention', ...call, { position: { type: 'alibi', dim: 4 } });
      assert.deepEqual([known[1], known[3]], ['position.dim', 'dim']);
      const shape = ['RangeError', 'k.shape', 'must have 2 to 4 axes', [4]];
      assert.deepEqual(thrown('attention', x(3, 4), x(4), x(5, 4)), shape);
      // The core checks what depends on several parameters.
      const factors = {
        type: 'longrope',
        factor: 2,
        originalLength: 8,
        shortFactor: [1],
        longFactor: [1],
      };
      const divisors = thrown('rotaryFrequencies', { dim: 8, scaling: factors });
      assert.deepEqual(divisors.slice(1), ['shortFactor', 'must have one divisor per pair, 4', 1]);
    });

    test('a result that does not fit is rejected with its size before allocation', () => {
      const one = { data: new Float32Array(1), shape: [1, 1] };
      const many = { data: new Float32Array(40000), shape: [40000, 1] };
      refuses(
        'attention',
        [many, many, many, { intermediates: ['scores'] }],
        RangeError,
        saying('bytes'),
      );
      refuses(
        'sinusoidal',
        [{ positions: 2 ** 27, dim: 2 ** 20 }],
        RangeError,
        saying('positions × dim', 'bytes'),
      );
      refuses(
        'alibi',
        [{ heads: 1, queries: 50000, keys: 50000 }],
        RangeError,
        saying('heads × queries × keys', 'bytes'),
      );
      assert.equal(rw.attention(one, one, one).output.data[0], 0);
    });
  });
}
