/** The scales of charts against those of d3. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as d3 from 'd3-scale';
import { importFromWeb } from '../support/typescript.mjs';

const { areaPath, linePath, nearest, scaleLinear, scaleLog } =
  await importFromWeb('plots/scale.ts');

const domains = [
  [0, 1],
  [-1, 1],
  [0, 127],
  [1, 0],
  [-0.02, 0.07],
  [3, 64],
  [0, 32_768],
  [0.5, 4.25],
  [-6200, 0],
  [0, 1e-4],
];

test('linear scales have the places, ticks and texts of d3', () => {
  for (const domain of domains) {
    const [mine, other] = [scaleLinear(domain, [46, 700]), d3.scaleLinear(domain, [46, 700])];
    for (const share of [0, 0.1, 0.5, 0.77, 1]) {
      const value = domain[0] + share * (domain[1] - domain[0]);
      assert.ok(Math.abs(mine(value) - other(value)) < 1e-9);
      assert.ok(Math.abs(mine.invert(mine(value)) - value) < 1e-9 * Math.max(1, Math.abs(value)));
    }
    for (const count of [2, 3.5, 5, 8, 12.4]) {
      const at = `${domain} ${count}`;
      assert.deepEqual(mine.ticks(count), other.ticks(count), at);
      const texts = (scale) => scale.ticks(count).map(scale.tickFormat(count));
      assert.deepEqual(texts(mine), texts(other), at);
    }
  }
});

test('logarithmic scales have the places of d3, and its ticks of one to three decades and more', () => {
  for (const domain of [
    [1, 100],
    [0.5, 800],
    [32, 32_768],
    [1e-6, 1],
    [2, 64_000],
  ]) {
    const [mine, other] = [scaleLog(domain, [0, 600]), d3.scaleLog(domain, [0, 600])];
    assert.deepEqual(mine.ticks(8), other.ticks());
    for (const value of mine.ticks(8)) {
      assert.ok(Math.abs(mine(value) - other(value)) < 1e-9);
      assert.ok(Math.abs(mine.invert(mine(value)) / value - 1) < 1e-12);
    }
  }
});

test('paths leave gaps, close a point by itself, and go round an area', () => {
  const points = [
    [0, 1],
    [1, 2.00049],
    [2, Number.NaN],
    [3, 4],
  ];
  assert.equal(linePath(points), 'M0,1L1,2M3,4Z');
  assert.equal(linePath([]), '');
  const bands = [
    [0, 1, 2],
    [1, 1, 3],
    [2, Number.NaN, 1],
  ];
  assert.equal(areaPath(bands), 'M0,2L1,3L1,1L0,1Z');
});

test('the nearest item, at the ends and between two', () => {
  const at = (value) => nearest([0, 10, 20], (item) => item, value);
  assert.deepEqual([-5, 4, 5, 6, 14, 16, 99].map(at), [0, 0, 1, 1, 1, 2, 2]);
});
