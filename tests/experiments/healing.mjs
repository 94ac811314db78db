/**
 * Interpolation heals: the Llama of tests/models/stories260k with its positions changed, trained
 * for 80 steps on what the unchanged model writes. web/chapters/real_model/healing.ts has the plan
 * and its steps. Recorded in web/trained/recorded/healing.json:
 *
 *   { plan, command, version, binary, unchanged, results: [{ method, seed, seconds, curve,
 *     measured }] }
 *
 * - unchanged: { places, short, story } of the model as it was trained.
 * - curve: [step, mean loss of the steps since the point before] in training, in nats.
 * - measured: [{ step, places, short, story? }]: mean losses between the places of the plan, of
 *   stories by themselves, and with seed 0 what the model writes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../../tools/setup/paths.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { roundedCurve, roundedLoss } from './record.mjs';

const recordedFile = inRoot('web/trained/recorded/healing.json');
const stories = (file) =>
  new Uint8Array(readFileSync(path.join(import.meta.dirname, '..', 'models', 'stories260k', file)));

export const name = 'healing';
const seeds = [0, 1, 2];
const stepsPerPoint = 5;

/** How the page trains and measures. */
export const pageCode = () => importFromWeb('chapters/real_model/healing.ts');

export const recordedHealing = () =>
  existsSync(recordedFile) ? JSON.parse(readFileSync(recordedFile, 'utf8')) : undefined;

/** What replaces the positions of the model. */
export const positionOf = (rw, page, method) =>
  method === 'direct'
    ? {}
    : { frequencies: rw.rotaryFrequencies({ dim: 8, scaling: page.scalingOf(method) }) };

const roundedScores = ({ places, short, ...rest }) => ({
  ...rest,
  places: places.map(roundedLoss),
  ...(short !== undefined && { short: roundedLoss(short) }),
});

/** Points of the curve: means over the steps since the one before. */
export function curveOf(losses) {
  const points = [];
  for (let step = stepsPerPoint; step <= losses.length; step += stepsPerPoint) {
    const part = losses.slice(step - stepsPerPoint, step);
    points.push([step, part.reduce((sum, loss) => sum + loss, 0) / stepsPerPoint]);
  }
  return roundedCurve(points);
}

/** One run: a method and the seed of the stories that it learns from. */
async function healed(setting, tests, lessons, { method, seed }) {
  const { page, rw, createModel, tokenizer } = setting;
  const { plan } = page;
  const position = positionOf(rw, page, method);
  const model = await createModel({ weights: stories('stories260K.bin') });
  const trainer = page.trainerOf(model, position);
  const beginning = tokenizer.encode(plan.beginning);
  const [losses, measured] = [[], []];
  let seconds = 0;
  for (;;) {
    if (plan.measured.includes(trainer.steps)) {
      const scores = page.measure(model, tests, trainer.steps, position);
      const story = tokenizer.decode(await page.sampleStory(model, beginning, position));
      measured.push(roundedScores({ ...scores, ...(seed === 0 && { story }) }));
    }
    if (trainer.steps === plan.steps) break;
    const start = performance.now();
    losses.push(trainer.stepOn([lessons[losses.length]]).loss);
    seconds += (performance.now() - start) / 1000;
  }
  model.dispose();
  return { method, seed, seconds: Number(seconds.toFixed(1)), curve: curveOf(losses), measured };
}

/** Writes what was found so far, in the order of methods and seeds. */
export function write({ plan, methods }, { version, binary }, unchanged, results) {
  const place = ({ method, seed }) => methods.indexOf(method) * seeds.length + seed;
  const head = { plan, command: `npm run experiments -- ${name}`, version, binary, unchanged };
  const lines = results.toSorted((a, b) => place(a) - place(b)).map((one) => JSON.stringify(one));
  const start = JSON.stringify(head).slice(0, -1);
  writeFileSync(recordedFile, `${start},"results":[\n${lines.join(',\n')}\n]}\n`);
}

/** Trains what is not in the store, and records each run. */
export async function run(started, { storeOf, report }) {
  const page = await pageCode();
  const { plan } = page;
  const store = storeOf(plan);
  const { createModels, readLlama2cTokenizer } = await started.entry('model.js');
  const { createModel } = await createModels({ simd: started.binary });
  const tokenizer = readLlama2cTokenizer(stories('tok512.bin'));
  const teacher = await createModel({ weights: stories('stories260K.bin') });
  const tests = await page.testTexts(teacher, plan.texts, plan.stories);
  const { places, short } = page.measure(teacher, tests, 0, {});
  const beginning = tokenizer.encode(plan.beginning);
  const story = tokenizer.decode(await page.sampleStory(teacher, beginning, {}));
  const unchanged = { ...roundedScores({ places, short }), story };

  const all = page.methods.flatMap((method) => seeds.map((seed) => ({ method, seed })));
  const isDone = ({ method, seed }) =>
    store.results.some((result) => result.method === method && result.seed === seed);
  const setting = { page, rw: started.training, createModel, tokenizer };
  const left = all.filter((one) => !isDone(one));
  /** What the teacher writes for each seed, the same for all methods. */
  const lessonsOf = new Map();
  for (const one of left) {
    const { seed } = one;
    if (!lessonsOf.has(seed)) lessonsOf.set(seed, await page.lessons(teacher, seed, plan.steps));
    store.add(await healed(setting, tests, lessonsOf.get(seed), one));
    write(page, started, unchanged, store.results);
    report(`${store.results.length} of ${all.length}`);
  }
  return `${left.length} of ${all.length} runs`;
}
