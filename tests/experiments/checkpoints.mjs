/**
 * Trained models that the page shows: the parameters of a run as 16-bit floats, in
 * web/trained/checkpoints/<plan>_<variant>.safetensors. Tensors have the names and
 * shapes of Trainer.parameters(); the metadata has plan, variant and seed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../../tools/setup/paths.mjs';

/** The variants whose first seed is kept. */
export const kept = {
  b2_repeats_extended: ['rope'],
  heads_repeats: ['sinusoidal', 'rope', 'alibi', 'fox'],
};

/** @param seeds of the plan */
export const isKept = ({ plan, variant, trainer }, seeds) =>
  trainer.seed === seeds[0] && (kept[plan] ?? []).includes(variant);

export const modelFile = (plan, variant) =>
  inRoot('web/trained/checkpoints', `${plan}_${variant}.safetensors`);

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
  const file = modelFile(plan, variant);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, writeSafetensors(Object.fromEntries(tensors), metadata));
}
