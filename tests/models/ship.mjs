/**
 * Writes what the page has of stories260k: its weights in float16 as a .gguf file, and what the
 * figures show before they load it. `node tests/models/ship.mjs` after `npm run build`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../../tools/setup/paths.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { bytesOf, expected, ggufFile } from './llama2c_file.mjs';

export const shippedFile = inRoot('web/trained/stories260k/stories260k.gguf');
export const recordedFile = inRoot('web/trained/recorded/stories260k.json');

/** A file beside the weights, and those that are there as they are. */
export const beside = (name) => path.join(path.dirname(shippedFile), name);
export const copies = { 'tok512.bin': 'tok512.bin', 'stories260k_license.txt': 'LICENSE' };

/** The beginning and the change that the page shows first, and how many tokens the model writes. */
const beginning = 'Once upon a time';
const firstChange = { change: 'pairing', firstPosition: 0, base: 1, factor: 1 };
const storyLength = 155;

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (value) => Number(value.toFixed(4));

/** Kept as float32: rounded, these alone move the loss under negated angles by more than 2e-3. */
const exact = /norm|token_embd|attn_[qk]/;

/** @param files the entry `ropewalk/files`, whose float16 this is */
export function shippedWeights({ writeSafetensors }) {
  const stored = (tensor, name) => {
    const isExact = exact.test(name);
    const format = isExact ? 'f32' : 'f16';
    const bytes = writeSafetensors({ tensor: { ...tensor, format } });
    const start = 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    return { type: format.toUpperCase(), bytes: bytes.subarray(start) };
  };
  return ggufFile({ 'general.name': 'stories260K', 'general.license': 'mit' }, {}, stored);
}

/** What the model writes, as the page's worker returns it. */
async function storyOf(model, tokenizer, position) {
  const story = tokenizer.encode(beginning);
  const given = story.length - 1;
  const options = { maxTokens: storyLength, stop: [1, 2], position };
  for await (const token of model.generate(story, options)) story.push(token);
  const texts = story.map((_, i) => tokenizer.decode(story.slice(0, i + 1)));
  return {
    pieces: texts.slice(1).map((text, i) => text.slice(texts[i].length)),
    given,
    surprises: Array.from(model.loss(story), rounded),
    promptLoss: rounded(mean(model.loss(story.slice(0, given + 1), { position }))),
  };
}

/** @param rw an instance of the package; model the shipped one; tokenizer that of llama2.c */
export async function recordedOf(rw, model, tokenizer) {
  const { tokens } = expected;
  const { changeOf, defaults, methodNames, originalLength, shownLosses } = await importFromWeb(
    'chapters/real_model/methods.ts',
  );
  const methods = {};
  for (const name of methodNames) {
    const { rowFactors, ...change } = await changeOf(name, defaults, rw, tokens.length);
    const position = { ...change, ...(rowFactors && { rowScale: (place) => rowFactors[place] }) };
    const { bins, means } = shownLosses(model.loss(tokens, { position }));
    methods[name] = {
      bins: bins.map(([place, loss]) => [place, rounded(loss)]),
      means: means.map(rounded),
    };
  }
  const { heads } = model.options;
  const alibi = { frequencies: 'none', slopes: rw.alibiSlopes({ heads }) };
  const { readingOf } = await importFromWeb('chapters/real_model/changes.ts');
  const about = { positions: model.layerPositions(), heads };
  const { change } = await readingOf(firstChange, about, rw);
  const firstLoss = (options) =>
    rounded(mean(model.loss(tokens, options).subarray(0, originalLength)));
  return {
    tokens,
    loss: firstLoss(),
    methods,
    alibi: rounded(mean(model.loss(tokens, { position: alibi }).subarray(0, 128))),
    stories: { [beginning]: await storyOf(model, tokenizer) },
    broken: {
      change: firstChange.change,
      loss: firstLoss({ position: change }),
      stories: { [beginning]: await storyOf(model, tokenizer, change) },
    },
  };
}

async function ship() {
  const built = (entry) => import(inRoot('dist/package/entries', `${entry}.js`));
  const { createRopewalk } = await built('index');
  const { createModels, readLlama2cTokenizer } = await built('model');
  mkdirSync(path.dirname(shippedFile), { recursive: true });
  writeFileSync(shippedFile, shippedWeights(await built('files')));
  for (const [name, from] of Object.entries(copies)) writeFileSync(beside(name), bytesOf(from));
  const { createModel } = await createModels({ simd: 'simd128' });
  const model = await createModel({ weights: shippedWeights(await built('files')) });
  const record = await recordedOf(
    await createRopewalk(),
    model,
    readLlama2cTokenizer(bytesOf('tok512.bin')),
  );
  writeFileSync(recordedFile, `${JSON.stringify(record)}\n`);
}

if (process.argv[1] === import.meta.filename) await ship();
