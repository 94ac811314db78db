/**
 * The schemas are those of schemas.txt: tests that are derived from a schema cannot tell that the schema
 * itself is wrong. `node tests/package/schemas.mjs` writes the list anew; review what it changes.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { schemes } from './distance_biases.mjs';
import { inside } from './installed.mjs';
import { listFile, schemaList } from './schemas.mjs';

test('kind, range, shape and default of every option are as listed', async () =>
  assert.deepEqual((await schemaList()).split('\n'), readFileSync(listFile, 'utf8').split('\n')));

test('a choice of a bias by distance has the values of the core, in its order, which is what is sent', async () => {
  const { distanceSchemes } = await inside('runtime/fields');
  for (const [type, parameters] of Object.entries(distanceSchemes))
    for (const [name, values] of Object.entries(parameters)) {
      const { choices = [] } = schemes[type].schema[name].rule;
      const named = choices.filter((choice) => typeof choice === 'string');
      assert.deepEqual(named, values, `${type}.${name}`);
    }
});
