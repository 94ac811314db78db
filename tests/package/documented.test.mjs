/** The docstrings, as the types of the built package carry them to a reader and an editor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract } from '../../tools/reference/extract.mjs';
import { createPool, createRopewalk } from './installed.mjs';

const topics = await extract();
const functions = topics.flatMap((topic) => topic.functions);
const types = topics.flatMap((topic) => topic.types);

/** Parameters of these types could be anything: a docstring has to say what goes in. */
const isAnonymous = (type) =>
  /^(Tensor|IndexTensor|Operand|Positions|ArrayLike<number>|string|object|number|\{)/.test(type);

/** What a docstring leaves out. */
function gapsIn({ name, parameters, returns, doc }, documented) {
  if (!doc?.summary) return [`${name}: no docstring`];
  const gaps = parameters
    .filter((one) => isAnonymous(one.type) && !one.doc?.summary && one.name !== 'settings')
    .map((one) => `${name}: what ${one.name} is`);
  if (!doc.returns && !documented.has(returns)) gaps.push(`${name}: what it returns`);
  if (doc.throws.length === 0) gaps.push(`${name}: what it throws`);
  if (doc.see.length === 0) gaps.push(`${name}: whose formula it is`);
  return gaps;
}

/** Types whose members are told where a function returns them. */
const told = new Set(
  types.filter(({ doc, shownWith }) => doc || shownWith).map(({ name }) => name),
);

test('every function says what goes in, what comes out, what it throws, and its source', () => {
  assert.ok(functions.length > 60, `${functions.length} functions`);
  assert.deepEqual(
    functions.flatMap((one) => gapsIn(one, told)),
    [],
  );
});

test('every public type has a docstring, or stands with the one function that uses it', () => {
  const silent = types.filter(({ name }) => !told.has(name)).map(({ name }) => name);
  assert.deepEqual(silent, []);
  const empty = types.filter(
    ({ members, methods, definition }) => !members.length && !methods.length && !definition,
  );
  assert.deepEqual(
    empty.map(({ name }) => name),
    [],
  );
});

test('gaps are found', () => {
  const said = { summary: 'It.', returns: 'a number', throws: ['TypeError'], see: ['Nobody 2026'] };
  const whole = { name: 'f', parameters: [], returns: 'number', doc: said };
  assert.deepEqual(gapsIn(whole, told), []);
  assert.deepEqual(gapsIn({ ...whole, doc: undefined }, told), ['f: no docstring']);
  assert.deepEqual(gapsIn({ ...whole, doc: { ...said, see: [] } }, told), [
    'f: whose formula it is',
  ]);
  assert.deepEqual(gapsIn({ ...whole, doc: { ...said, throws: [] } }, told), ['f: what it throws']);
  assert.deepEqual(gapsIn({ ...whole, doc: { ...said, returns: undefined } }, told), [
    'f: what it returns',
  ]);
  const given = { name: 'x', type: 'Tensor' };
  assert.deepEqual(gapsIn({ ...whole, parameters: [given] }, told), ['f: what x is']);
});

test('nothing that runs is left out', async () => {
  const names = new Set(functions.map(({ name }) => name));
  const members = new Set(
    types.flatMap((type) => [...type.members, ...type.methods]).map(({ name }) => name),
  );
  const rw = await createRopewalk();
  const pool = await createPool({ size: 1 });
  const running = [...Object.keys(rw), ...Object.keys(pool), 'createRopewalk', 'createPool'];
  await pool.close();
  assert.deepEqual(
    running.filter((name) => !names.has(name) && !members.has(name)),
    [],
  );
});
