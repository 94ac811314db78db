/**
 * Poems that count: small models learn poems of eight lines and write on past the eighth.
 * web/chapters/real_model/poem_training.ts has the plan and its steps. Recorded in
 * web/trained/recorded/poems.json:
 *
 *   { plan, command, version, binary, results: [{ scheme, seed, seconds, curve, right, poems,
 *     fives }] }
 *
 * - curve: [step, mean loss of the steps since the point before], in nats.
 * - right: of each line of all that the model wrote, the share of places where “sign or not” is right.
 * - poems: the first two of them.
 * - fives: of lines 1–8, 9–16 and 17–24 of these two, the share that has five characters.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { poemsFile } from './prepare_poems.mjs';
import { roundedCurve } from './record.mjs';

const recordedFile = inRoot('web/trained/recorded/poems.json');

export const name = 'poems';
const seeds = [0, 1, 2];
const stepsPerPoint = 20;
const shownPoems = 2;

/** How the page trains and counts. */
export const pageCode = () => importFromWeb('chapters/real_model/poem_training.ts');

export const recordedPoems = () =>
  existsSync(recordedFile) ? JSON.parse(readFileSync(recordedFile, 'utf8')) : undefined;

export const poemText = () => readFileSync(poemsFile, 'utf8');

const rounded = (share) => Number(share.toFixed(4));

/** Points of the curve: means over the steps since the one before. */
export function curveOf(losses) {
  const points = [];
  for (let step = stepsPerPoint; step <= losses.length; step += stepsPerPoint) {
    const part = losses.slice(step - stepsPerPoint, step);
    points.push([step, part.reduce((sum, loss) => sum + loss, 0) / stepsPerPoint]);
  }
  return roundedCurve(points);
}

/** One run: a scheme and the seed of its weights and of the order of the poems. */
function counted({ page, training, poems }, { scheme, seed }) {
  const { plan } = page;
  const trainer = page.trainerOf(training, poems, scheme, seed);
  const start = performance.now();
  const losses = [];
  while (trainer.steps < plan.steps) losses.push(page.learn(trainer, poems, seed).loss);
  const seconds = Number(((performance.now() - start) / 1000).toFixed(1));
  const written = Array.from({ length: plan.written }, (_, i) =>
    page.written(trainer, poems, seed * plan.written + i),
  );
  trainer.dispose();
  return {
    ...{ scheme, seed, seconds, curve: curveOf(losses) },
    right: page.countedRight(written).map(rounded),
    poems: written.slice(0, shownPoems).map((poem) => poem.join('')),
  };
}

/** Counted when it is recorded: the poems are in the store. */
export const fivesOf = (page, { poems }) =>
  page.sharesOfFive(poems.map((poem) => Array.from(poem))).map(rounded);

/** Trains what is not in the store, and records all of it. */
export async function run(started, { storeOf, report }) {
  const page = await pageCode();
  const { plan } = page;
  const store = storeOf(plan);
  const poems = page.poemsOf(poemText());
  const all = page.schemes.flatMap((scheme) => seeds.map((seed) => ({ scheme, seed })));
  const place = ({ scheme, seed }) => all.findIndex((o) => o.scheme === scheme && o.seed === seed);
  const isDone = (one) => store.results.some((result) => place(result) === place(one));
  const left = all.filter((one) => !isDone(one));
  for (const one of left) {
    store.add(counted({ page, training: started.training, poems }, one));
    report(`${store.results.length} of ${all.length}`);
    // Lets the report be seen.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const head = {
    ...{ plan, command: `npm run experiments -- ${name}` },
    ...{ version: started.version, binary: started.binary },
  };
  const lines = store.results
    .toSorted((a, b) => place(a) - place(b))
    .map((one) => JSON.stringify({ ...one, fives: fivesOf(page, one) }));
  const start = JSON.stringify(head).slice(0, -1);
  writeFileSync(recordedFile, `${start},"results":[\n${lines.join(',\n')}\n]}\n`);
  return `${left.length} of ${all.length} runs`;
}
