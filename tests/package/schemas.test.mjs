/**
 * The schemas are those of schemas.txt: tests that are derived from a schema cannot tell that the schema
 * itself is wrong. `node tests/package/schemas.mjs` writes the list anew; review what it changes.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listFile, schemaList } from './schemas.mjs';

test('kind, range, shape and default of every option are as listed', async () =>
  assert.deepEqual((await schemaList()).split('\n'), readFileSync(listFile, 'utf8').split('\n')));
