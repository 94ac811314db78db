/** The verdict on a model file in Chinese: every sentence of drawn conversions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRopewalk } from 'ropewalk';
import { diagnoseModelFile } from 'ropewalk/diagnose';
import { blobSource, writeSafetensors } from 'ropewalk/files';
import { ggufCase, ggufFaults } from '../dumps/gguf_cases.mjs';
import { importFromWeb } from '../support/typescript.mjs';

const { modelFileIn } = await importFromWeb('check/model_file_in_chinese.ts');
const rw = await createRopewalk();
const han = /\p{Script=Han}/u;
const source = (bytes, name) => blobSource(new Blob([bytes]), name);

function assertChinese(verdict, what) {
  const { data, settings, corrections, further, says } = modelFileIn('zh', verdict);
  const sentences = corrections.filter(({ flags }) => !flags).map(({ text }) => text);
  for (const line of [...data, ...sentences]) assert.match(line, han, `${what}: ${line}`);
  for (const { name, outcome } of settings)
    assert.match(`${name === 'inv_freq' ? '频率' : name}`, han, `${what}: ${name} ${outcome}`);
  if (further && further !== 'config.json') assert.match(further, han, what);
  if (verdict.faults.length > 0) assert.match(says, han, `${what}: ${verdict.hypotheses[0].says}`);
  assert.doesNotMatch(`${says}${JSON.stringify(corrections)}`, /undefined|NaN/, what);
}

test('every sentence about a GGUF file has a Chinese text', async () => {
  for (const which of ['correct', ...ggufFaults])
    for (let seed = 1; seed <= 40; ++seed) {
      const drawn = ggufCase(seed, which);
      if (!drawn) continue;
      const files = [source(drawn.bytes, 'model.gguf')];
      const verdict = await diagnoseModelFile(rw, { files, config: drawn.config });
      assertChinese(verdict, `${which} ${seed}`);
      assert.equal(modelFileIn('en', verdict).says, verdict.hypotheses[0]?.says ?? '');
    }
});

test('a checkpoint with another base and other heads has a Chinese text', async () => {
  const config = { model_type: 'llama', hidden_size: 128, num_attention_heads: 2, rope_theta: 1e6 };
  const inv_freq = Float32Array.from({ length: 32 }, (_, pair) => 10000 ** (-pair / 32));
  const bytes = writeSafetensors({
    'model.layers.0.self_attn.q_proj.weight': {
      data: new Float32Array(64 * 128),
      shape: [64, 128],
    },
    'model.layers.0.self_attn.rotary_emb.inv_freq': { data: inv_freq, shape: [32] },
  });
  const files = [source(bytes, 'model.safetensors')];
  const verdict = await diagnoseModelFile(rw, { files, config });
  assert.deepEqual(verdict.faults, ['wrong_base', 'head_width_wrong']);
  assertChinese(verdict, 'checkpoint');
  assert.match(modelFileIn('zh', verdict).says, /底数.*config 的头需要/);
});
