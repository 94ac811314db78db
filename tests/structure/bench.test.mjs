/** The bench's own arithmetic and writing: what it says of others has to be right. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alternate, median, quickest, ratio } from '../bench/harness.mjs';
import { check, furthest, swapped } from '../bench/inputs.mjs';
import { between } from '../bench/readme.mjs';
import { duration, shown } from '../bench/tables.mjs';
import { longestTasks } from '../bench/tasks.mjs';

test('the median is the middle value, or the mean of the middle two', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([10, 1, 9, 2]), 5.5);
});

/** A clock that only work moves: a call of each contestant takes what `costs` says. */
function madeUp(costs) {
  const calls = [];
  let time = 0;
  const contestants = Object.entries(costs).map(([name, cost]) => ({
    name,
    run() {
      calls.push(name);
      time += typeof cost === 'function' ? cost() : cost;
    },
  }));
  return { calls, contestants, now: () => time };
}

test('contestants take turns, and each sample repeats a call until it is long enough', async () => {
  const { calls, contestants, now } = madeUp({ quick: 1, slow: 10 });
  const figures = await alternate(contestants, { rounds: 3, sampleTime: 4, warmUp: 0, now });
  assert.deepEqual(
    calls.slice(2),
    Array(3).fill(['quick', 'quick', 'quick', 'quick', 'slow']).flat(),
  );
  assert.deepEqual(figures.quick, { repeats: 4, samples: [1, 1, 1], median: 1, min: 1 });
  assert.deepEqual(figures.slow, { repeats: 1, samples: [10, 10, 10], median: 10, min: 10 });
});

test('the time of one call is the median of its samples, not their mean', async () => {
  const list = [0, 1, 2, 3, 100];
  const { contestants, now } = madeUp({ shaky: () => list.shift() });
  const { shaky } = await alternate(contestants, { rounds: 4, sampleTime: 0, warmUp: 0, now });
  assert.deepEqual([shaky.median, shaky.min], [2.5, 1]);
});

test('asynchronous contestants are waited for', async () => {
  let time = 0;
  const run = async () => {
    await undefined;
    time += 7;
  };
  const settings = { rounds: 2, sampleTime: 14, warmUp: 0, now: () => time };
  const { late } = await alternate([{ name: 'late', run }], settings);
  assert.deepEqual(late, { repeats: 2, samples: [7, 7], median: 7, min: 7 });
});

test('a contestant whose call exceeds the time limit drops out with a reason', async () => {
  const { calls, contestants, now } = madeUp({ quick: 1, slow: 30 });
  const impatient = contestants.map((one) => ({ ...one, patience: 20 }));
  const figures = await alternate(impatient, { rounds: 2, sampleTime: 0, warmUp: 0, now });
  assert.deepEqual(figures.slow, { dropped: 'one call takes 30 ms' });
  assert.equal(calls.filter((name) => name === 'slow').length, 1);
});

test('the quickest is taken of those that were timed, and ratios need both', () => {
  const figures = { a: { median: 4 }, b: { median: 2 }, c: { dropped: 'it throws' } };
  assert.equal(quickest(figures, ['a', 'b', 'c', 'd']).name, 'b');
  assert.equal(quickest(figures, ['c']), undefined);
  assert.equal(ratio(figures.a, figures.b), 2);
  assert.equal(ratio(figures.c, figures.b), undefined);
});

test('a contestant that is wrong anywhere is an error that names it', () => {
  assert.equal(furthest([1, 2, 3], [1, 2.5, 3]), 0.5);
  assert.equal(furthest([1, NaN, 3], [1, 2, 3]), Infinity);
  assert.equal(furthest([1], [1, 2]), Infinity);
  assert.equal(check('it', 1e-7, 1e-6), 1e-7);
  for (const error of [1e-5, NaN, Infinity])
    assert.throws(() => check('it', error, 1e-6), /^Error: it is wrong by/);
});

test('heads and rows change places and back', () => {
  const data = Float32Array.from({ length: 12 }, (_, i) => i);
  assert.deepEqual([...swapped(data, 2, 3, 2)], [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]);
  assert.deepEqual(swapped(swapped(data, 2, 3, 2), 3, 2, 2), data);
});

test('durations keep three digits in a readable unit, and tables align', () => {
  assert.deepEqual([0.01234, 1.5, 123.4, 4321].map(duration), [
    '12.3 µs',
    '1.50 ms',
    '123 ms',
    '4.32 s',
  ]);
  const table = {
    title: 'Title',
    columns: ['', 'n'],
    rows: [
      ['long', 1],
      ['x', undefined],
    ],
    notes: ['why'],
  };
  assert.equal(shown(table), 'Title\n\n      n\nlong  1\nx     –\n* why\n');
});

test('a page keeps the text around its table of speed', () => {
  const around = (table) =>
    `before\n<!-- Made by npm run bench -- --readme -->\n\n${table}\n\n<!-- to here -->\nafter\n`;
  assert.equal(between(around('old'), 'new'), around('new'));
  assert.throws(() => between('no place', 'new'), /no place for the table/);
});

test('the longest task of each drag is reported with its processor time and its own time', () => {
  const mark = (name, ts) => ({ name, cat: 'blink.user_timing', ph: 'I', ts, pid: 1, tid: 1 });
  const span = (name, ts, dur, tdur, tid = 1) => ({
    name,
    cat: '',
    ph: 'X',
    ts,
    dur,
    tdur,
    pid: 1,
    tid,
  });
  const traceEvents = [
    mark('navigationStart', 0),
    mark('drag a', 100),
    span('RunTask', 1000, 9000, 2000),
    span('RunTask', 20_000, 8000, 7000),
    span('Layout', 20_500, 7000, 6500),
    span('Paint', 21_000, 3000, 2500),
    span('RunTask', 30_000, 90_000, 90_000, 2),
    mark('rest', 40_000),
    span('RunTask', 50_000, 80_000, 80_000),
  ];
  assert.deepEqual(longestTasks({ traceEvents }, ['drag a', 'rest'], 4), {
    'drag a': {
      longest: 28,
      parts: [
        { name: 'Layout', time: 16 },
        { name: 'Paint', time: 10 },
      ],
    },
    rest: { longest: 320, parts: [] },
  });
});
