/** The account of a configuration in Chinese: every line that the package may write has its own. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { positionFromConfig } from '../../dist/package/entries/config.js';
import { createRopewalk } from '../../dist/package/entries/index.js';
import { importTypeScript } from '../support/typescript.mjs';

const root = join(import.meta.dirname, '../..');
const { inChinese, meanings } = await importTypeScript(join(root, 'web/model_account.ts'));
const { presets } = await importTypeScript(join(root, 'web/model_presets.ts'));
const rw = await createRopewalk();

const llama = {
  model_type: 'llama',
  hidden_size: 4096,
  num_attention_heads: 32,
  max_position_embeddings: 131072,
};

/** Which say much that is assumed and contradicts. */
const others = [
  { ...llama, model_type: 'a-new-one', num_attention_heads: 30, rope_theta: 10000 },
  {
    ...llama,
    rope_scaling: {
      type: 'linear',
      rope_type: 'dynamic',
      factor: 4,
      original_max_position_embeddings: 8192,
    },
  },
  {
    ...llama,
    rope_parameters: {
      rope_type: 'yarn',
      factor: 4,
      mscale: 2,
      attention_factor: 1.5,
      original_max_position_embeddings: 4096,
    },
    rope_scaling: { rope_type: 'linear', factor: 2 },
  },
  { model_type: 'mpt', d_model: 64, n_heads: 4, attn_config: {} },
  { model_type: 'roberta', hidden_size: 768, max_position_embeddings: 514 },
];

test('every line of an account has its Chinese, with the numbers of the line', () => {
  const lines = [...presets.map(({ config }) => config), ...others].flatMap((config) => {
    const { account } = positionFromConfig(rw, config);
    return [...account.read, ...account.assumed, ...account.contradicts].map(({ text }) => text);
  });
  assert.ok(new Set(lines).size > 30);
  for (const line of lines) {
    const chinese = inChinese(line);
    assert.match(chinese ?? '', /[\u4e00-\u9fff]/, line);
    assert.deepEqual(chinese.match(/\d+/g)?.sort(), line.match(/\d+/g)?.sort(), line);
  }
  assert.equal(
    inChinese('4096 heads do not divide it; transformers drops the remainder: 7'),
    '不能被 4096 个头整除；transformers 舍去余数，得 7',
  );
  assert.equal(inChinese('a line that nobody wrote'), undefined);
});

test('no Chinese is kept for a line that the package does not write', () => {
  const folder = join(root, 'src/js/config');
  const files = readdirSync(folder);
  const source = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  for (const line of Object.keys(meanings)) {
    for (const part of line.split('{}')) assert.ok(source.includes(part), line);
  }
});
