/**
 * What the models of the plan `heads_repeats` write when they are given a word twice, in two files of
 * web/trained/recorded, each with { command, version, binary, length }:
 *
 * - rope_words.json: { words, results: [{ scheme, seed, first }] }: of 100 words, the first wrong
 *   letter of each; null: none up to the end of the rope.
 * - first_ropes.json: { shown: { WORD: { SCHEME: { symbols, right } } } }: of the words that the front
 *   page shows first, every letter and the probability of the right one.
 *
 * The scheme `yarn` is the model of RoPE with the frequencies of YaRN. Models have the 16-bit
 * parameters of their checkpoints.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { planOf } from './record.mjs';

export const plan = 'heads_repeats';

const recordedFile = (name) => inRoot('web/trained/recorded', `${name}.json`);
export const recordedWords = () => JSON.parse(readFileSync(recordedFile('rope_words'), 'utf8'));
export const firstRopes = () => JSON.parse(readFileSync(recordedFile('first_ropes'), 'utf8'));

/** 100 words of 4 to 12 letters, in each word all different. */
export const words =
  `tide star plan work lamp wind corn fish knot ship rope walk harpy jumpy raven tiger ocean pearl
  quiet shelf ultra vowel wharf youth anchor basket candle easing fabric garnet insect jungle lizard
  magnet nectar orange bracket dolphin factory history justice kingdom machine network painter quickly
  rainbow thunder ropewalk flourish graphite hydrants journals keyboard outlined computer triangle
  dynamite exploits hospital upholding algorithm copyright discovery education fisherman juxtapose
  nightmare dangerous blueprint chemistry aftershock downstream importance pathfinder republican
  sympathize trampoline wanderlust lumberjack blacksmith playground backgrounds neutrophils
  birthplaces copyrighted documentary workmanship speculatory playwrights regulations speculation
  filmography ambidextrous exhaustingly incomputably thunderclaps metalworking farsightedly
  stenographic`.split(/\s+/);

/** The page's own functions on words, and its schemes. */
export const pageCode = () => importFromWeb('ropes/letters.ts');

/** What a trainer writes after a word twice, and the probability of each right letter. */
export function layRope({ blockOf, laidOf, promptOf, writtenLength }, trainer, word, use) {
  const block = blockOf(word);
  const continuation = trainer.generate(promptOf(block), writtenLength(block), use);
  return { block, ...laidOf(block, continuation) };
}

/** The frequencies of YaRN, for a trainer's options, by an instance of the package. */
export function yarnUse(rw, { yarnScaling }) {
  const { width, heads } = planOf(plan).trainer.model;
  const { inverseFrequencies, attentionFactor } = rw.rotaryFrequencies({
    dim: width / heads,
    scaling: yarnScaling,
  });
  return { frequencies: { inverseFrequencies, attentionFactor } };
}

/**
 * @param trainers by seed: { seed, trainers: { SCHEME: Trainer } }
 * @param head version and binary
 */
export async function recordRopes(rw, seeds, head) {
  const page = await pageCode();
  const uses = { yarn: yarnUse(rw, page) };
  const lay = ({ trainers }, scheme, word) =>
    layRope(page, trainers[scheme === 'yarn' ? 'rope' : scheme], word, uses[scheme]);
  const first = ({ block, symbols }) => page.firstWrong(block, symbols) ?? null;
  const results = page.ropeSchemes.flatMap((scheme) =>
    seeds.map((models) => ({
      scheme,
      seed: models.seed,
      first: words.map((word) => first(lay(models, scheme, word))),
    })),
  );
  const rope = (word, scheme) => {
    const { symbols, right } = lay(seeds[0], scheme, word);
    return [scheme, { symbols, right: right.map((value) => Number(value.toFixed(3))) }];
  };
  const shown = Object.fromEntries(
    Object.values(page.firstWords).map((word) => [
      word,
      Object.fromEntries(page.ropeSchemes.map((scheme) => rope(word, scheme))),
    ]),
  );
  const command = `npm run experiments -- ${plan}`;
  const write = (name, content) => {
    const record = { command, ...head, length: page.ropeLength, ...content };
    writeFileSync(recordedFile(name), `${JSON.stringify(record)}\n`);
  };
  write('rope_words', { words, results });
  write('first_ropes', { shown });
}
