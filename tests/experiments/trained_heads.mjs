/**
 * The attention weights of the kept models of the plan `heads_repeats` on a repeated block, in
 * web/trained/recorded/trained_heads_<variant>.json:
 *
 *   { command, version, binary, layers: [[[[weight]]]] }
 *
 * - layers: in thousandths, by layer, head and query: the weights of keys 0 to the query. Coarser
 *   steps would call some query right that is wrong.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { kept, keptModel } from './checkpoints.mjs';

export const name = 'trained_heads';
export const plan = 'heads_repeats';

const recordedFile = (variant) => inRoot('web/trained/recorded', `${name}_${variant}.json`);
export const recordedHeads = (variant) => JSON.parse(readFileSync(recordedFile(variant), 'utf8'));

/** The page's own text and reading of the record. */
export const pageCode = () => importFromWeb('chapters/train_short/head_weights.ts');

/** @param model a trainer, with two layers */
export function layersOf(model, { symbolsOf, recordedPeriod, recordedLength }) {
  const tokens = symbolsOf(recordedPeriod, recordedLength);
  return [0, 1].map((layer) => {
    const { data, shape } = model.attentionWeights(tokens, layer);
    const [heads, queries, keys] = shape;
    const row = (head, query) => {
      const first = (head * queries + query) * keys;
      return Array.from(data.subarray(first, first + query + 1), (weight) =>
        Math.round(1000 * weight),
      );
    };
    return Array.from({ length: heads }, (_, head) =>
      Array.from({ length: queries }, (__, query) => row(head, query)),
    );
  });
}

export async function run({ training, files, version, binary }, { report }) {
  const page = await pageCode();
  const command = `npm run experiments -- ${name}`;
  for (const variant of kept[plan]) {
    const model = keptModel(training, files, { plan, variant });
    const record = { command, version, binary, layers: layersOf(model, page) };
    writeFileSync(recordedFile(variant), `${JSON.stringify(record)}\n`);
    model.dispose();
    report(variant);
  }
  return `${kept[plan].length} models`;
}
