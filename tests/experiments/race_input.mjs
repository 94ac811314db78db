/**
 * One test input of the drawers, and what the models of the plan `a1_drawers` find in it, in
 * web/trained/recorded/race_input.json:
 *
 *   { command, version, binary, plan, seed, tokens, found: { SCHEME: [thing] } }
 *
 * - tokens: three times as many as in training; see src/core/training/tasks.hpp.
 * - found: at each query, in their order, the thing that the model says.
 */
import { writeFileSync } from 'node:fs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { planOf } from './record.mjs';

export const name = 'race_input';

const seed = 0;
/** Those of the guess, and the best. */
const schemes = ['sinusoidal', 'rope', 'alibi', 'fox'];
const { trainer, ...plan } = planOf('a1_drawers');
const { drawers, things, askProbability } = trainer.task;

/** Drawn as the package draws them, from other random numbers. */
async function drawnTokens() {
  const { stream } = await importFromWeb('toy/hash_random.ts');
  const uniform = (...names) => stream(seed, ...names) / 2 ** 32;
  const below = (count, ...names) => Math.floor(count * uniform(...names));
  return Array.from({ length: 3 * trainer.length }, (_, at) => {
    const drawer = below(drawers, 1, at);
    const isQuery = uniform(2, at) < askProbability;
    return isQuery ? drawers * things + drawer : things * drawer + below(things, 3, at);
  });
}

/** The most probable thing at each query. */
function foundBy(model, tokens) {
  const { data, shape } = model.logits(tokens);
  const classes = shape.at(-1);
  return tokens.flatMap((token, at) => {
    if (token < drawers * things) return [];
    const scores = data.subarray(at * classes, at * classes + things);
    return scores.indexOf(Math.max(...scores));
  });
}

export async function run({ pool, planEntries, training, files, version, binary }, { report }) {
  const tokens = await drawnTokens();
  const found = {};
  for (const entry of planEntries({ trainer, ...plan })) {
    if (entry.trainer.seed !== seed || !schemes.includes(entry.variant)) continue;
    const { checkpoint } = await pool.run({ ...entry, evaluations: {} }, { keepModel: true });
    const model = training.createTrainer(entry.trainer);
    const { tensors } = files.readSafetensors(checkpoint);
    const names = Object.keys(model.parameters());
    model.setParameters(Object.fromEntries(names.map((each) => [each, tensors.get(each)])));
    found[entry.variant] = foundBy(model, tokens);
    model.dispose();
    report(entry.variant);
  }
  const command = `npm run experiments -- ${name}`;
  const record = { command, version, binary, plan: plan.name, seed, tokens, found };
  writeFileSync(inRoot('web/trained/recorded/race_input.json'), `${JSON.stringify(record)}\n`);
  return `${Object.keys(found).length} models`;
}
