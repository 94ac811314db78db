/** The docstrings in the types of the built package, which editors show. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildReference } from '../../tools/reference.mjs';
import { createPool, createRopewalk } from './installed.mjs';

await buildReference();
const topics = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../build/reference.json'), 'utf8'),
);
const functions = topics.flatMap((topic) => topic.functions);
const types = topics.flatMap((topic) => topic.types);

/** Parameters of these types need a docstring, since the type does not describe the content. */
const isAnonymous = (type) =>
  /^(Tensor|IndexTensor|Operand|Positions|ArrayLike<number>|string|object|number|\{)/.test(type);

/** Returns the missing parts of a docstring. */
function gapsIn({ name, parameters, returns, doc }, documented) {
  if (!doc?.summary) return [`${name}: no docstring`];
  const gaps = parameters
    .filter((one) => isAnonymous(one.type) && !one.doc?.summary && one.name !== 'settings')
    .map((one) => `${name}: the parameter ${one.name}`);
  if (!doc.returns && !documented.has(returns)) gaps.push(`${name}: its result`);
  if (doc.throws.length === 0) gaps.push(`${name}: its errors`);
  if (doc.see.length === 0) gaps.push(`${name}: its source`);
  return gaps;
}

/** Types that are documented, by themselves or with the function that returns them. */
const documentedTypes = new Set(
  types.filter(({ doc, shownWith }) => doc || shownWith).map(({ name }) => name),
);

test('every docstring has parameters, result, errors and source', () => {
  assert.ok(functions.length > 60, `${functions.length} functions`);
  assert.deepEqual(
    functions.flatMap((one) => gapsIn(one, documentedTypes)),
    [],
  );
});

test('every public type has a docstring, or is documented with the one function that uses it', () => {
  const undocumented = types
    .filter(({ name }) => !documentedTypes.has(name))
    .map(({ name }) => name);
  assert.deepEqual(undocumented, []);
  const empty = types.filter(
    ({ members, methods, definition }) => !members.length && !methods.length && !definition,
  );
  assert.deepEqual(
    empty.map(({ name }) => name),
    [],
  );
});

test('getters have the type and the docstring that they have in the sources', () => {
  const membersOf = (type) => types.find(({ name }) => name === type).members;
  const member = (type, wanted) => membersOf(type).find(({ name }) => name === wanted);
  const { type, doc } = member('Model', 'contextLength');
  assert.equal(type, 'number | undefined');
  assert.match(doc.summary, /^Number of positions that the model was made for/);
  assert.equal(member('KvCache', 'length').type, 'number');
  for (const one of types)
    for (const { name, type: own } of one.members)
      assert.notEqual(own, 'void', `${one.name}.${name}`);
});

test('methods of models have a docstring, and their errors where options may be wrong', () => {
  for (const name of ['Model', 'ModelTrainer', 'WorkerModel', 'Tokenizer', 'Models']) {
    const { methods } = types.find((type) => type.name === name);
    assert.ok(methods.length > 0, name);
    for (const { name: method, parameters, doc } of methods) {
      const what = `${name}.${method}`;
      assert.ok(doc?.summary || doc?.returns, what);
      if (
        ['Model', 'ModelTrainer'].includes(name) &&
        parameters.length > 0 &&
        method !== 'layerPositions'
      )
        assert.ok(doc.throws.length > 0, `${what}: its errors`);
    }
  }
});

test('gaps are found', () => {
  const complete = {
    summary: 'It.',
    returns: 'a number',
    throws: ['TypeError'],
    see: ['Nobody 2026'],
  };
  const whole = { name: 'f', parameters: [], returns: 'number', doc: complete };
  assert.deepEqual(gapsIn(whole, documentedTypes), []);
  assert.deepEqual(gapsIn({ ...whole, doc: undefined }, documentedTypes), ['f: no docstring']);
  assert.deepEqual(gapsIn({ ...whole, doc: { ...complete, see: [] } }, documentedTypes), [
    'f: its source',
  ]);
  assert.deepEqual(gapsIn({ ...whole, doc: { ...complete, throws: [] } }, documentedTypes), [
    'f: its errors',
  ]);
  assert.deepEqual(
    gapsIn({ ...whole, doc: { ...complete, returns: undefined } }, documentedTypes),
    ['f: its result'],
  );
  const given = { name: 'x', type: 'Tensor' };
  assert.deepEqual(gapsIn({ ...whole, parameters: [given] }, documentedTypes), [
    'f: the parameter x',
  ]);
});

test('every function of an instance and a pool is documented', async () => {
  const names = new Set(functions.map(({ name }) => name));
  const methods = new Set(types.flatMap((type) => type.methods).map(({ name }) => name));
  const rw = await createRopewalk();
  const pool = await createPool({ size: 1 });
  const isFunction = ([, value]) => typeof value === 'function';
  const running = [...Object.entries(rw), ...Object.entries(pool)].filter(isFunction);
  await pool.close();
  assert.deepEqual(
    [...running.map(([name]) => name), 'createRopewalk', 'createPool'].filter(
      (name) => !names.has(name) && !methods.has(name),
    ),
    [],
  );
});
