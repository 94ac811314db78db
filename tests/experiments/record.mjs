/**
 * Recorded results: what a plan found, small enough for the repository and for the page.
 *
 * web/trained/recorded/<plan>.json holds one plan:
 *
 *   { plan, command, version, binary, seeds, results: [{ variant, seed, seconds, curve,
 *     evaluations, failed? }] }
 *
 * - plan: the file of plans/ that was run.
 * - version, binary: of the package that trained. Another binary gives other last bits.
 * - seeds: those that every variant has results of.
 * - results: variants in the order of the plan, seeds within.
 * - curve: [step, mean loss of the steps since the point before] of the training batches, in nats.
 * - evaluations: by the names of the plan, [{ length, loss, accuracy, wholeSequences, count,
 *   groups?, places? }], one per length. Tests score the second half of a sequence.
 * - groups: [{ loss, accuracy, count }] of each group of targets, where the task has several:
 *   repeats has the repeated blocks, then the fresh text.
 * - places: [[place, loss]], means over 8 places, at the middle of these. A causal model has the
 *   same loss at a place of every longer sequence, so the lengths of an evaluation follow on each
 *   other.
 *
 * Losses have 4 significant digits, accuracies 4 decimals.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../../tools/setup/paths.mjs';

const planFolder = path.join(import.meta.dirname, 'plans');
const recordedFile = (name) => inRoot('web/trained/recorded', `${name}.json`);
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The names of all plans, in the order of the tables. */
export const planNames = readdirSync(planFolder)
  .map((file) => path.basename(file, '.json'))
  .sort();

export const planFile = (name) => path.join(planFolder, `${name}.json`);
export const planOf = (name) => json(planFile(name));

/** What was recorded of a plan, or undefined. */
export const recordedOf = (name) =>
  existsSync(recordedFile(name)) ? json(recordedFile(name)) : undefined;

const placesPerBin = 8;

export const roundedLoss = (loss) => Number(loss.toPrecision(4));
const roundedShare = (share) => Number(share.toFixed(4));
const roundedScores = ({ loss, accuracy, count }) => ({
  loss: roundedLoss(loss),
  accuracy: roundedShare(accuracy),
  count,
});

export const roundedCurve = (curve) => curve.map(([step, loss]) => [step, roundedLoss(loss)]);

/** Means over bins of places; places without a target are null or NaN. */
function binsOf(losses) {
  const bins = Array.from({ length: losses.length / placesPerBin }, (_, bin) => {
    const start = bin * placesPerBin;
    const scored = losses.slice(start, start + placesPerBin).filter(Number.isFinite);
    const mean = scored.reduce((sum, loss) => sum + loss, 0) / scored.length;
    return [start + (placesPerBin - 1) / 2, mean];
  });
  return bins
    .filter(([, loss]) => Number.isFinite(loss))
    .map(([place, loss]) => [place, roundedLoss(loss)]);
}

const rounded = (scores) => ({
  length: scores.length,
  ...roundedScores(scores),
  wholeSequences: roundedShare(scores.wholeSequences),
  ...(scores.groups && { groups: scores.groups.map(roundedScores) }),
  ...(scores.lossByPlace && { places: binsOf(scores.lossByPlace) }),
});

/** A result of a run as it is recorded. */
const compact = ({ variant, seed, seconds, curve, evaluations, failed }) => ({
  variant,
  seed,
  seconds: Number(seconds.toFixed(1)),
  curve: roundedCurve(curve),
  evaluations: Object.fromEntries(
    Object.entries(evaluations).map(([name, scores]) => [name, scores.map(rounded)]),
  ),
  ...(failed && { failed }),
});

/**
 * Writes the results of a plan, those of a failed run too.
 * @param results as `ropewalk sweep` writes them, all of one version and one binary
 */
export function record(name, results) {
  const plan = planOf(name);
  const [{ version, binary }] = results;
  const head = { plan, command: `npm run experiments -- ${name}`, version, binary };
  const variants = Object.keys(plan.variants);
  const seeds = plan.seeds.filter((seed) =>
    variants.every((variant) =>
      results.some((run) => run.variant === variant && run.seed === seed),
    ),
  );
  const lines = results
    .toSorted((a, b) => a.index - b.index)
    .map((result) => JSON.stringify(compact(result)));
  const start = JSON.stringify({ ...head, seeds }).slice(0, -1);
  writeFileSync(recordedFile(name), `${start},"results":[\n${lines.join(',\n')}\n]}\n`);
}
