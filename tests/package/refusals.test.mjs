/**
 * Every parameter of every function refuses the wrong kind with a TypeError and the wrong value or
 * shape with a RangeError; the text names parameter, rule and value; the instance stays right.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { absoluteParameters } from './absolute_calls.mjs';
import { biasParameters } from './bias_calls.mjs';
import { contentParameters } from './content_calls.mjs';
import { calls, watch } from './probes.mjs';
import { layerParameters } from './layer_calls.mjs';
import { createRopewalk, simds } from './installed.mjs';
import { rotaryParameters } from './rotary_calls.mjs';

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const saying = (...parts) => new RegExp(parts.map(escaped).join('.*'), 's');

/** [value, kind of error, what its text says] for a parameter, by its rule. */
const notNumbers = (name) => [
  ['x', TypeError, saying(name, 'must be a number', '"x"')],
  [true, TypeError, saying(name, 'must be a number', 'true')],
  [{}, TypeError, saying(name, 'must be a number', 'an Object')],
  [[3], TypeError, saying(name, 'must be a number', 'an array')],
  [5n, TypeError, saying(name, 'must be a number', '5')],
  [() => 1, TypeError, saying(name, 'must be a number', 'a function')],
  [Symbol('s'), TypeError, saying(name, 'must be a number', 'a symbol')],
];
const notFinite = (name) =>
  [NaN, Infinity, -Infinity].map((value) => [
    value,
    RangeError,
    saying(name, 'finite', String(value)),
  ]);
const notWhole = (name) =>
  [0, -1, 1.5, NaN, Infinity, 2 ** 40].map((value) => [
    value,
    RangeError,
    saying(name, 'whole number', String(value)),
  ]);

const demands = {
  finite: (name) => [...notNumbers(name), ...notFinite(name)],
  positive: (name) => [
    ...notNumbers(name),
    ...notFinite(name),
    ...[0, -2.5].map((value) => [value, RangeError, saying(name, 'greater than 0', String(value))]),
  ],
  whole: (name) => [...notNumbers(name), ...notWhole(name)],
  huge: (name) => [[1e9, RangeError, saying('bytes', '2147483648')], ...demands.whole(name)],
  even: (name) => [
    ...demands.whole(name),
    [7, RangeError, saying(name, 'even', '7')],
    [2e9, RangeError, saying('bytes')],
  ],
  choice: (name) => [
    [5, TypeError, saying(name, 'must be one of', '5')],
    [{}, TypeError, saying(name, 'must be one of', 'an Object')],
    [true, TypeError, saying(name, 'must be one of', 'true')],
    ['x', RangeError, saying(name, 'must be one of', '"x"')],
    ['', RangeError, saying(name, 'must be one of', '""')],
  ],
  // Values alone are [queries, keys].
  bias: (name) => [
    ...demands.tensor(name).filter(([value]) => !ArrayBuffer.isView(value)),
    [new Float32Array(4), RangeError, saying(name, 'queries × keys', '3 × 5', 'got 4')],
  ],
  alignment: (name) => [
    ...demands.choice(name).filter(([value]) => value !== true),
    [true, RangeError, saying(name, 'must be', 'top-left', 'bottom-right', '3 queries and 5 keys')],
  ],
  flag: (name) =>
    [0, 'true', {}].map((value) => [value, TypeError, saying(name, 'must be true or false')]),
  into: (name) => [
    [[1], TypeError, saying(name, 'must be a Float32Array', 'an array')],
    [new Float64Array(12), TypeError, saying(name, 'must be a Float32Array', 'a Float64Array')],
    [new Float32Array(11), RangeError, saying(name, 'must have 12 values', 'got 11')],
  ],
  list: (name) => [
    ['x', TypeError, saying(name, 'array of numbers', '"x"')],
    [true, TypeError, saying(name, 'array of numbers', 'true')],
    [5n, TypeError, saying(name, 'array of numbers', '5')],
    [{}, TypeError, saying(name, 'array of numbers', 'an Object')],
    [['1'], TypeError, saying(`${name}[0]`, 'a number', '"1"')],
    [[1, null], TypeError, saying(`${name}[1]`, 'a number', 'null')],
    [[, 1], TypeError, saying(`${name}[0]`, 'a number', 'undefined')],
    [{ length: 2 }, TypeError, saying(`${name}[0]`, 'a number', 'undefined')],
    [[], RangeError, saying(name, 'at least one')],
    [[1, NaN], RangeError, saying(`${name}[1]`, 'finite', 'NaN')],
    [[Infinity], RangeError, saying(`${name}[0]`, 'finite', 'Infinity')],
    [[2n ** 2000n], RangeError, saying(`${name}[0]`, 'finite', 'Infinity')],
    ...[-1, 1.5, NaN, 2 ** 40].map((length) => [
      { length },
      RangeError,
      saying(`${name}.length`, 'whole number', String(length)),
    ]),
    [{ length: 1e9 }, RangeError, saying(name, 'bytes')],
  ],
  positions: (name) => [
    ...demands.list(name),
    ...notWhole(name),
    [1e9, RangeError, saying(name.split('.').at(-1), 'bytes')],
  ],
  places: (name) => [
    ...demands.positions(name),
    [[1, 0.5], RangeError, saying(`${name}[1]`, 'whole number', '0.5')],
    [[2 ** 40], RangeError, saying(`${name}[0]`, '2^31', String(2 ** 40))],
  ],
  numbers: (name) =>
    demands.list(name).filter(([value]) => !Array.isArray(value) || value.length > 0),
  count: (name) => demands.whole(name).filter(([value]) => value !== 0),
  tensor: (name) => [
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
    [{ data: new Float32Array(2), shape: [2] }, RangeError, saying(name)],
  ],
  floats: (name) => [
    [5, TypeError, saying(name, 'must be a Float32Array', '5')],
    [[1, 2], TypeError, saying(name, 'must be a Float32Array', 'an array')],
    [new Float64Array(24), TypeError, saying(name, 'must be a Float32Array', 'a Float64Array')],
    [new Float32Array(23), RangeError, saying(name, '24 values', 'got 23')],
  ],
  steps: (name) => [
    ['weights', TypeError, saying(name, 'must be an array', '"weights"')],
    [{}, TypeError, saying(name, 'must be an array', 'an Object')],
    [[5], TypeError, saying(name, 'must be one of', '5')],
    [[, 'weights'], TypeError, saying(name, 'must be one of', 'undefined')],
    [['weight'], RangeError, saying(name, 'must be one of', '"weight"')],
  ],
  options: (name) => [
    [5, TypeError, saying(name, 'must be an object', '5')],
    ['x', TypeError, saying(name, 'must be an object', '"x"')],
    [null, TypeError, saying(name, 'must be an object', 'null')],
    [[], TypeError, saying(name, 'must be an object', 'an array')],
    [() => 1, TypeError, saying(name, 'must be an object', 'a function')],
    [{ lenght: 3 }, TypeError, saying(name, 'has no "lenght"', 'known names')],
  ],
};

demands.group = (name) => demands.options(name).filter(([value]) => value !== null);

/** Where each parameter stands in its function's arguments, and its rule. */
const parameters = [
  ['sinusoidal', [0], 'options', 'sinusoidal options'],
  ['sinusoidal', [0, 'positions'], 'positions'],
  ['sinusoidal', [0, 'dim'], 'huge'],
  ['sinusoidal', [0, 'base'], 'positive'],
  ['sinusoidal', [0, 'layout'], 'choice'],
  ['sinusoidal', [0, 'spacing'], 'choice'],
  ['sinusoidal', [0, 'order'], 'choice'],
  ['sinusoidal', [0, 'paddingPosition'], 'finite'],
  ['sinusoidal', [0, 'into'], 'into'],
  ['sinusoidalShift', [0], 'options', 'sinusoidalShift options'],
  ['sinusoidalShift', [0, 'dim'], 'even'],
  ['sinusoidalShift', [0, 'offset'], 'finite'],
  ['sinusoidalShift', [0, 'base'], 'positive'],
  ['rotaryFrequencies', [0], 'options', 'rotaryFrequencies options'],
  ['rotaryFrequencies', [0, 'dim'], 'even'],
  ['rotaryFrequencies', [0, 'base'], 'positive'],
  ['rotate', [0], 'tensor', 'x'],
  ['rotate', [1], 'options', 'frequencies'],
  ['rotate', [1, 'inverseFrequencies'], 'list', 'frequencies.inverseFrequencies'],
  ['rotate', [1, 'attentionFactor'], 'finite', 'frequencies.attentionFactor'],
  ['rotate', [1, 'dim'], 'whole', 'frequencies.dim'],
  ['rotate', [2], 'options', 'rotate options'],
  ['rotate', [2, 'positions'], 'positions'],
  ['rotate', [2, 'layout'], 'choice'],
  ['rotate', [2, 'outputLayout'], 'choice'],
  ['rotate', [2, 'into'], 'floats'],
  ['alibiSlopes', [0], 'options', 'alibiSlopes options'],
  ['alibiSlopes', [0, 'heads'], 'huge'],
  ['alibiSlopes', [0, 'convention'], 'choice'],
  ['alibi', [0], 'options', 'alibi options'],
  ['alibi', [0, 'heads'], 'huge'],
  ['alibi', [0, 'queries'], 'places'],
  ['alibi', [0, 'keys'], 'places'],
  ['alibi', [0, 'direction'], 'choice'],
  ['alibi', [0, 'convention'], 'choice'],
  ['attention', [0], 'tensor', 'q'],
  ['attention', [1], 'tensor', 'k'],
  ['attention', [2], 'tensor', 'v'],
  ['attention', [3], 'options', 'attention options'],
  ['attention', [3, 'scale'], 'finite'],
  ['attention', [3, 'causal'], 'alignment'],
  ['attention', [3, 'bias'], 'bias'],
  ['attention', [3, 'intermediates'], 'steps'],
  ['attention', [3, 'position', 'type'], 'choice', 'position.type'],
  ['attention', [3, 'position', 'direction'], 'choice', 'position.direction'],
  ['attention', [3, 'position', 'convention'], 'choice', 'position.convention'],
  ...absoluteParameters,
  ...biasParameters,
  ...contentParameters,
  ...layerParameters,
  ...rotaryParameters,
];

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
    assertUnchanged(`${name} refused ${text}`);
  };

  describe(simd, () => {
    for (const [name, path, demand, title = path.at(-1)] of parameters) {
      test(`${name}: ${title} (${demand})`, () => {
        const good = calls[name]();
        for (const [value, Kind, text] of demands[demand](title)) {
          const isUnknown = Object.hasOwn(Object(value), 'lenght');
          refuses(name, replaced(good, path, value), Kind, text, (parameter, message) =>
            // What depends on two parameters may be about the other one.
            isUnknown
              ? parameter.endsWith('lenght')
              : parameter.startsWith(title) || !message.startsWith(title),
          );
        }
        if (path.length > 1) {
          const own = title.split('.').at(-1);
          refuses(name, replaced(good, path, null), TypeError, saying(own, 'null'), (parameter) =>
            parameter.endsWith(own),
          );
        }
      });
    }

    test('every function names the missing argument', () => {
      const first = {
        sinusoidal: 'dim',
        sinusoidalShift: 'dim',
        rotaryFrequencies: 'dim',
        rotate: 'x',
        alibiSlopes: 'heads',
        alibi: 'heads',
        attention: 'q',
      };
      for (const [name, parameter] of Object.entries(first))
        refuses(name, [], TypeError, saying(parameter, 'undefined'));
      for (const parameter of ['queries', 'keys'])
        refuses(
          'alibi',
          replaced(calls.alibi(), [0, parameter], undefined),
          TypeError,
          saying(parameter, 'undefined'),
        );
      refuses('sinusoidal', [{ dim: 4 }], TypeError, saying('positions', 'undefined'));
      refuses('sinusoidalShift', [{ dim: 4 }], TypeError, saying('offset', 'undefined'));
      refuses('rotate', calls.rotate().slice(0, 1), TypeError, saying('frequencies', 'undefined'));
    });

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
        [{ positions: 2 ** 28, dim: 2 ** 20 }],
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
