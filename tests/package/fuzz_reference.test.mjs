/**
 * What the reference of the fuzzer of combinations refuses, and its coverage of the schemas. Its numbers are
 * compared with those of the package in every case of the fuzzer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemas } from '../fuzz/js/combinations/instances.mjs';
import { requireCoverage } from '../fuzz/js/combinations/problem.mjs';
import { Invalid, readCall } from '../fuzz/js/combinations/reading.mjs';
import { attend } from '../fuzz/js/combinations/reference.mjs';

const filled = (value, ...shape) => ({
  data: new Float32Array(shape.reduce((a, b) => a * b)).fill(value),
  shape,
});

test('a rule that a call breaks is named', () => {
  const call = (settings) => () =>
    attend(readCall(filled(1, 2, 2), filled(1, 1, 2), filled(1, 1, 1), settings));
  const position = { type: 'fox', gates: filled(0, 1, 1) };
  assert.throws(call({ position, causal: 'top-left' }), Invalid);
  assert.throws(call({ causal: true }), Invalid);
});

test('the fuzzer covers every scheme and option of the schemas, and says which it does not', () => {
  requireCoverage(schemas);
  const unknown = { isRequired: false, kind: 'mask' };
  const { positions } = schemas;
  const complaint = (changed, pattern) =>
    assert.throws(() => requireCoverage({ ...schemas, ...changed }), pattern);
  complaint(
    { attention: { ...schemas.attention, novel: unknown } },
    /attention\.novel needs a drawer/,
  );
  complaint({ positions: { ...positions, novel: {} } }, /position 'novel' needs a formula/);
  complaint({ scalings: { novel: {} } }, /scaling 'novel' needs a formula/);
  complaint(
    { positions: { ...positions, none: { novel: positions.fox.gates } } },
    /formula of 'none' must read novel/,
  );
});
