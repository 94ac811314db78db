/** Models with reference logits, each in a folder of its own: see README.md beside this file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Largest difference of a logit in units of the spread of all: the bound for float32. */
export const tolerance = 2e-4;

/** Keys about rotation that a variant's own dictionary replaces. */
const rotaryKeys = [
  'rope_theta',
  'rope_scaling',
  'rotary_emb_base',
  'rotary_pct',
  'partial_rotary_factor',
];

const floatsOf = (file) => {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
};

/** The folders of cases under a folder, at any depth. */
export function caseFolders(folder) {
  if (existsSync(path.join(folder, 'case.json'))) return [folder];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => caseFolders(path.join(folder, entry.name)))
    .sort();
}

/** Largest difference, NaN included. */
function largestDifference(got, expected) {
  if (got.length !== expected.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(got[i] - expected[i]);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

/** What a variant changes: the configuration, and how the text is read. */
function changeOf(config, { rope, config: keys = {}, pairing, positions }, tokens) {
  const changed = { ...config, ...keys };
  if (rope) {
    for (const key of rotaryKeys) delete changed[key];
    changed.rope_parameters = rope;
  }
  const list = positions?.list ?? tokens.map((_, i) => (positions?.start ?? 0) + i);
  return {
    config: changed,
    options: {
      ...(pairing && { position: { layout: pairing } }),
      ...(positions && { positions: list }),
    },
  };
}

/**
 * Loads the model of a case and compares its logits.
 * @param createModel that of the package
 * @returns differences by what was compared, in units of the spread
 */
export async function compareCase(createModel, folder) {
  const at = (file) => path.join(folder, file);
  const { tokens, spread, variants = [] } = JSON.parse(readFileSync(at('case.json'), 'utf8'));
  const config = JSON.parse(readFileSync(at('config.json'), 'utf8'));
  const weights = new Uint8Array(readFileSync(at('model.safetensors')));
  const results = {};
  const compare = async (name, file, changed, options) => {
    const model = await createModel({ config: changed, weights });
    try {
      const { data } = model.logits(tokens, options);
      results[name] = largestDifference(data, floatsOf(at(file))) / spread;
    } finally {
      model.dispose();
    }
  };
  await compare('prefill', 'logits.f32', config, {});
  await compare('token by token', 'logits.f32', config, { chunk: 1 });
  for (const variant of variants) {
    const { config: changed, options } = changeOf(config, variant, tokens);
    const file = variant.logits.file ?? variant.logits;
    await compare(variant.name ?? variant.variant, file, changed, options);
  }
  return results;
}
