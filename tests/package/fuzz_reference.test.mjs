/**
 * What the reference of the fuzzer of combinations refuses, and its coverage of the schemas. Its numbers are
 * compared with those of the package in every case of the fuzzer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentsOf, drawnCase, objects } from '../fuzz/js/fuzzer.mjs';
import { schemas } from '../fuzz/js/combinations/instances.mjs';
import { drawnProblem, requireCoverage } from '../fuzz/js/combinations/problem.mjs';
import { Invalid, readCall } from '../fuzz/js/combinations/reading.mjs';
import { attend } from '../fuzz/js/combinations/reference.mjs';
import { drawsOf } from '../fuzz/js/random.mjs';

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

/**
 * The options that no case has of as many as it takes to have each once.
 * @param {string[]} wanted
 * @param {(index: number) => string[]} drawn the options of a case
 */
function undrawn(wanted, drawn) {
  const left = new Set(wanted);
  for (let index = 0; index < 60_000 && left.size > 0; index++)
    for (const name of drawn(index)) left.delete(name);
  return [...left];
}

/** Names of options below the name of their schema. */
const below = (place, options) => Object.keys(options).map((name) => `${place}.${name}`);
const ofEach = (kind) =>
  Object.entries(schemas[kind]).flatMap(([type, schema]) => below(`${kind} ${type}`, schema));

test('every option of every scheme is drawn in some combination', () => {
  const kinds = ['positions', 'gradientPositions', 'configured', 'scalings'];
  const calls = ['attention', 'gradients'].flatMap((kind) => below(kind, schemas[kind]));
  const drawn = (index) => {
    const { settings, isGradient } = drawnProblem(drawsOf(1, index), schemas);
    const { position = {} } = settings;
    const { scheme, type, scaling } = typeof position === 'string' ? { type: position } : position;
    const kind = isGradient ? 'gradientPositions' : 'positions';
    return [
      ...below(isGradient ? 'gradients' : 'attention', settings),
      ...below(`${kind} ${type}`, position),
      ...(scheme ? below(`configured ${scheme.type}`, scheme) : []),
      ...(scaling ? below(`scalings ${scaling.type}`, scaling) : []),
    ];
  };
  assert.deepEqual(undrawn([...calls, ...kinds.flatMap(ofEach)], drawn), []);
});

test('every option that a function reads by a rule is drawn in some hostile call', () => {
  // Those of schemes are drawn as in combinations.
  const isOther = (schema) => !Object.values(schemas.positions).includes(schema);
  const read = Object.values(objects).flat();
  const titles = new Map(read.map(({ what, schema }) => [schema, what]));
  const hasRule = ([, option]) => option.rule !== undefined;
  const wanted = [...titles]
    .filter(([schema]) => isOther(schema))
    .flatMap(([schema, what]) =>
      below(what, Object.fromEntries(Object.entries(schema).filter(hasRule))),
    );
  const drawn = (index) => {
    const one = drawnCase(1, index);
    const args = argumentsOf({ ...one, changes: one.changes.filter(({ option }) => option) });
    return objects[one.name].flatMap(({ place, schema }) => {
      const object = place.reduce((value, key) => value?.[key], args);
      return below(titles.get(schema), object ?? {});
    });
  };
  assert.deepEqual(undrawn(wanted, drawn), []);
});
