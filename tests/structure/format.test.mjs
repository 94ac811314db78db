/** Every source is laid out by its formatter: `npm run format` does it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatted, unformatted } from '../../tools/format.mjs';

test('C++, TypeScript and JavaScript are as their formatters leave them', async () => {
  assert.deepEqual(
    (await unformatted()).map(([path]) => path),
    [],
  );
});

test('another layout is found', async () => {
  assert.equal(await formatted('any.cpp', 'int  a ;\n'), 'int a;\n');
  assert.equal(await formatted('any.ts', 'const a =   ["b"];\n'), "const a = ['b'];\n");
  assert.equal(await formatted('any.mjs', 'const a =   ["b"];\n'), "const a = ['b'];\n");
});
