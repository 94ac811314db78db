/** Numbers as the figures write them: every label of a chart, an axis or a table is one of these. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';

const { fixed, powerOfTen, rounded, whole } = await importFromWeb('plots/number.ts');

test('a number with so many digits has a true minus, no minus before 0, and commas', () => {
  assert.equal(fixed(6196.43, 1), '6,196.4');
  assert.equal(fixed(-1234567.89123, 5), '−1,234,567.89123');
  assert.equal(fixed(999.99999, 5), '999.99999');
  assert.equal(fixed(999.99999, 2), '1,000.00');
  assert.equal(fixed(-0.004, 2), '0.00');
  assert.deepEqual(
    [Infinity, -Infinity, NaN].map((value) => fixed(value, 2)),
    ['∞', '−∞', '–'],
  );
  assert.deepEqual([0, -999, 1000, 131072].map(whole), ['0', '−999', '1,000', '131,072']);
});

test('a quantity of any size has three digits, far from 1 times a power of ten', () => {
  assert.deepEqual(
    [0, 2 * Math.PI, 54410.1].map((value) => rounded(value)),
    ['0', '6.28', '54,400'],
  );
  assert.deepEqual(
    [0.001, -0.00123456789, 1234.5678, 9999999].map((value) => rounded(value, 7)),
    ['0.001', '−0.001235', '1,234.568', '9,999,999'],
  );
  assert.deepEqual(
    [2.41e-7, -1e7].map((value) => rounded(value)),
    ['2.41 × 10⁻⁷', '−1.00 × 10⁷'],
  );
  assert.deepEqual([-12, 0, 10].map(powerOfTen), ['10⁻¹²', '10⁰', '10¹⁰']);
});
