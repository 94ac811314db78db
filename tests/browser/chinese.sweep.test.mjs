/** The Chinese page is in Chinese: the package's errors; its figures are so in labels.sweep.test.mjs. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { layerPlanFromConfig, positionFromConfig } from 'ropewalk/config';
import { createRopewalk } from 'ropewalk';
import { importFromWeb } from '../support/typescript.mjs';
import { faultsOf } from './support/chinese.mjs';
import { describeInChromium } from './support/visits.mjs';

const root = join(import.meta.dirname, '../..');
const { parts, errorIn, errors, rules, errorTextOf } = await importFromWeb('error_text.ts');
const rw = await createRopewalk();

const llama = { model_type: 'llama', hidden_size: 4096, num_attention_heads: 32 };
const scaled = (rope_scaling) => ({ ...llama, max_position_embeddings: 4096, rope_scaling });
const llama3 = {
  rope_type: 'llama3',
  factor: 8,
  low_freq_factor: 8,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};

/** One for every rule that a configuration can break. */
const broken = [
  '{"model_type":',
  '[]',
  'x'.repeat(2 ** 23 + 1),
  {},
  { model_type: 'unheard-of' },
  { ...llama, rope_theta: -3 },
  { ...llama, rope_theta: 'high' },
  { ...llama, rope_theta: [1, 2] },
  { ...llama, rope_theta: {} },
  { ...llama, hidden_size: 1.5 },
  { ...llama, hidden_size: null },
  { ...llama, hidden_size: 12, num_attention_heads: 4 },
  { ...llama, partial_rotary_factor: 2 },
  { ...llama, partial_rotary_factor: 0.01 },
  { ...llama, rotary_dim: 256 },
  { ...llama, model_type: 5 },
  { ...llama, position_embedding_type: 'other' },
  { ...llama, rope_scaling: 3 },
  scaled({ rope_type: 'unheard-of' }),
  scaled({ rope_type: 'linear' }),
  scaled({ rope_type: 'yarn', factor: 4, beta_fast: 1, beta_slow: 32 }),
  scaled({ rope_type: 'yarn', factor: 4, truncate: 'yes' }),
  scaled(llama3),
  scaled({ rope_type: 'longrope', factor: 4, short_factor: [1], long_factor: [1] }),
  scaled({ rope_type: 'longrope', factor: 4 }),
  scaled({ rope_type: 'longrope', factor: 4, short_factor: 1 }),
  scaled({ rope_type: 'longrope', factor: 4, short_factor: Array(70000).fill(1) }),
  { model_type: 'roberta', hidden_size: 768, max_position_embeddings: 1 },
  { model_type: 'pixtral' },
  { model_type: 'mpnet' },
  { model_type: 'whisper' },
];

const smollm3 = { model_type: 'smollm3', num_hidden_layers: 2 };

/** The same for the layers of a model. */
const brokenPlans = [
  { ...llama, num_hidden_layers: 0 },
  { ...smollm3, num_hidden_layers: null },
  { ...smollm3, layer_types: ['full_attention'] },
  { ...smollm3, layer_types: ['full_attention', {}] },
  { ...smollm3, no_rope_layers: [1] },
  { ...smollm3, model_type: 'cohere2', sliding_window_pattern: 'GL' },
  { ...smollm3, model_type: 'llama4_text', attn_temperature_tuning: 'on' },
];

function refusalOf(work) {
  try {
    work();
  } catch (error) {
    return errorTextOf(error);
  }
  return undefined;
}

test('every refusal of a configuration has its Chinese, with the keys and numbers of the English', () => {
  const readings = [
    ...broken.map((config) => ({ config, read: () => positionFromConfig(rw, config) })),
    ...brokenPlans.map((config) => ({ config, read: () => layerPlanFromConfig(config) })),
  ];
  for (const { config, read } of readings) {
    const refused = refusalOf(read);
    assert.ok(refused, JSON.stringify(config).slice(0, 80));
    const english = refused.message;
    const chinese = errorIn('zh', refused);
    assert.deepEqual(faultsOf(chinese), [], english);
    assert.match(chinese, /[\u4e00-\u9fff]/);
    const numbers = (text) =>
      text
        .replace(/(must be JSON).*/, '$1')
        .match(/\d+(\.\d+)?/g)
        ?.sort();
    assert.deepEqual(numbers(chinese), numbers(english), english);
    assert.equal(errorIn('en', refused), english);
  }
});

test('no Chinese text is kept for an error message that no longer exists', () => {
  const source = ['src', 'web/worker', 'web/figures']
    .flatMap((folder) => {
      const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile());
    })
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    .join('\n');
  // Numbers' rules are joined of parts.
  const lines = [errors, rules, parts].flatMap(Object.keys);
  for (const line of lines.filter((each) => !/^a (whole )?number /.test(each)))
    for (const part of line.split('{}').filter((piece) => piece.trim().length > 16))
      assert.ok(
        part
          .split(/ "absent" |; it | and (?=at most)|, | got /)
          .every((piece) => source.includes(piece.trim())),
        `${line}: ${part}`,
      );
});

describeInChromium('the Chinese page', (visit) => {
  test('the panel of the model reports errors in Chinese', async () => {
    await visit.open('zh/sinusoid.html');
    await visit.tab.waitForFunction(() =>
      document.querySelector('ropewalk-model').shadowRoot?.querySelector('#config'),
    );
    const texts = broken
      .filter((config) => config !== broken[2])
      .map((config) => (typeof config === 'string' ? config : JSON.stringify(config)));
    for (const text of texts) {
      const fault = await visit.tab.evaluate(async (typed) => {
        const panel = document.querySelector('ropewalk-model');
        const at = (selector) => panel.shadowRoot.querySelector(selector);
        const before = at('.fault')?.textContent;
        at('#config').value = typed;
        at('#config').dispatchEvent(new Event('input'));
        while (!at('.fault') || at('.fault').textContent === before)
          await new Promise(requestAnimationFrame);
        return at('.fault').textContent;
      }, text);
      assert.deepEqual(faultsOf(fault), [], text);
      assert.match(fault, /^没有采用这份配置：.+。一切保持原样。$/);
    }
  });
});
