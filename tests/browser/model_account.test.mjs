/** The account of a configuration in Chinese: the sentences of the compiler's complete list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeNote, positionFromConfig } from 'ropewalk/config';
import { createRopewalk } from 'ropewalk';
import { importFromWeb } from '../support/typescript.mjs';

const { chinese } = await importFromWeb('worker/account_in_chinese.ts');
const { presets } = await importFromWeb('figures/model_presets.ts');
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

test('every note of an account has its Chinese, with the numbers of the English', () => {
  const notes = [...presets.map(({ config }) => config), ...others].flatMap((config) => {
    const { account } = positionFromConfig(rw, config);
    return [...account.read, ...account.assumed, ...account.contradicts];
  });
  assert.ok(new Set(notes.map(({ code }) => code)).size > 30);
  for (const note of notes) {
    const [english, translated] = [describeNote(note), describeNote(note, chinese)];
    assert.match(translated, /[\u4e00-\u9fff]/, english);
    const numbers = (text) => text.match(/\d+/g)?.sort();
    assert.deepEqual(numbers(translated), numbers(english), english);
  }
  assert.equal(
    describeNote({ code: 'indivisible', values: { heads: 4096, width: 7 } }, chinese),
    '不能被 4096 个头整除；transformers 舍去余数，得 7',
  );
});

test('a code that no note has is an error', () => {
  assert.throws(
    () => describeNote({ code: /** @type {any} */ ('unheard') }),
    /^TypeError: note\.code must be a code of notes, got "unheard"$/,
  );
});
