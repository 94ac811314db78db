/**
 * Trained models that the page shows: the parameters of a run as 16-bit floats, in
 * web/trained/checkpoints/<plan>_<variant>.safetensors. Tensors have the names and
 * shapes of Trainer.parameters(); the metadata has plan, variant and seed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../../tools/setup/paths.mjs';
import { planOf } from './record.mjs';

/** The variants whose models are kept: that of the first seed for the page, the others in build/. */
export const kept = {
  b2_repeats_extended: ['rope'],
  heads_repeats: ['sinusoidal', 'rope', 'alibi', 'fox'],
};

export const isKept = ({ plan, variant }) => (kept[plan] ?? []).includes(variant);

/** @param seed of another run than the first */
export const modelFile = (plan, variant, seed = 0) =>
  seed === 0
    ? inRoot('web/trained/checkpoints', `${plan}_${variant}.safetensors`)
    : inRoot('build/experiments', plan, `${variant}_${seed}.safetensors`);

/**
 * Writes the parameters of a checkpoint.
 * @param files the entry `ropewalk/files` of the package
 * @param entry the run that the checkpoint is of
 */
export function writeModel({ readSafetensors, writeSafetensors }, entry, checkpoint) {
  const { plan, variant, trainer } = entry;
  const isParameter = (name) => !/^(first|second)Moments\./.test(name);
  const tensors = [...readSafetensors(checkpoint).tensors]
    .filter(([name]) => isParameter(name))
    .map(([name, { data, shape }]) => [name, { data, shape, format: 'f16' }]);
  const metadata = { format: 'pt', plan, variant, seed: String(trainer.seed) };
  const file = modelFile(plan, variant, trainer.seed);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, writeSafetensors(Object.fromEntries(tensors), metadata));
}

/**
 * A trainer with the parameters of a kept model.
 * @param training an instance of the package's training
 * @param files the entry `ropewalk/files` of the package
 */
export function keptModel(training, { readSafetensors }, { plan, variant, seed = 0 }) {
  const { trainer, variants } = planOf(plan);
  const model = training.createTrainer({ ...trainer, ...variants[variant], seed });
  const { tensors } = readSafetensors(readFileSync(modelFile(plan, variant, seed)));
  model.setParameters(Object.fromEntries(tensors));
  return model;
}
