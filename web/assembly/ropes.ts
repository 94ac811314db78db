/**
 * The small print below the ropes, `<!-- ropes -->`: how often each scheme lost its place, over
 * 100 words and all recorded seeds (`npm run experiments -- heads`).
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../languages.ts';
import { words as ropeWords } from '../ropes/ropes_text.ts';
import { originalLength, ropeSchemes, yarnScaling, type RopeScheme } from '../ropes/letters.ts';
import type { Recorded } from '../trained/recordings.ts';

interface Record {
  length: number;
  words: string[];
  results: { scheme: RopeScheme; seed: number; first: (number | null)[] }[];
}

interface Setup {
  layers: string;
  width: string;
  heads: string;
  /** Parameters, in thousands. */
  thousands: string;
  steps: string;
  symbols: string;
  factor: string;
}

const trained = path.join(import.meta.dirname, '../trained');
const json = async (name: string) =>
  JSON.parse(await readFile(path.join(trained, 'recorded', `${name}.json`), 'utf8'));

const words = {
  en: {
    summary: (counts: string, of: number, seeds: number, length: number) =>
      `One word proves little, and repeating it needs only the letters just before, which ALiBi and FoX favor: this does not test what a model recalls from far back. Each scheme was trained ${seeds} times, and each model wrote 100 words. Ropes with a wrong letter before letter ${length}, out of ${of} for each scheme: ${counts}.`,
    yarn: (worse: number, of: number) =>
      `YaRN helps most words and harms some: ${worse} of the ${of} ropes broke earlier with it than without.`,
    count: (name: string, count: number) => `${name} ${count}`,
    and: ', ',
    setup: (model: Setup) =>
      `These are tiny models, with ${model.layers} layers of width ${model.width}, ${model.heads} heads and about ${model.thousands},000 parameters, trained for ${model.steps} steps on texts of ${model.symbols} symbols. Most of the texts are one block over and over. RoPE has base 10,000, YaRN the factor ${model.factor}. The likeliest symbol is written and read again; it is right if the word has it at this place. One wrong letter brings others, because the model reads what it wrote. Models of text fail more gradually: <a href="#train-short">Train short, test long</a> has their losses.`,
    details: 'By seed',
    scheme: 'Scheme',
    wrong: (seeds: string) => `words with a wrong letter, of 100 (seeds ${seeds})`,
    within: (length: number) => `of these, already by letter ${length}, the training length`,
    median: (length: number) =>
      `median first wrong letter of those that broke after letter ${length}`,
  },
  zh: {
    summary: (counts: string, of: number, seeds: number, length: number) =>
      `一个词说明不了什么；而且重复一个词只用看前面不远处，正合 ALiBi 和 FoX 的偏好，并不说明它们记得住远处的内容。每种方案训练 ${seeds} 次，每次测 100 个词，共 ${of} 根绳。写到第 ${length} 个字之前就出错的：${counts}。`,
    yarn: (worse: number, of: number) =>
      `YaRN 对多数词有用，对少数词反而更糟：${of} 根绳里有 ${worse} 根比不加 YaRN 时更早出错。`,
    count: (name: string, count: number) => `${name} ${count} 根`,
    and: '，',
    setup: (model: Setup) =>
      `这些模型很小：${model.layers} 层，隐藏维度 ${model.width}，${model.heads} 个头，约 ${Number(model.thousands) / 10} 万个参数；训练 ${model.steps} 步，每条文本 ${model.symbols} 个符号，大多是一段符号不断重复。RoPE 的 base（底数）为 10,000，YaRN 的扩展倍数为 ${model.factor}。每步写下概率最大的符号，再接回输入；与该位置应有的符号相同才算对。模型会接着读自己写的字，所以错了一个，后面往往跟着错。处理真实文章的模型不会这样一下子崩掉，见<a href="#train-short">《短训练，长测试》</a>里的损失。`,
    details: '各随机种子的结果',
    scheme: '方案',
    wrong: (seeds: string) => `100 个词里出过错的（种子 ${seeds}）`,
    within: (length: number) => `其中在训练长度（${length}）以内就出错的`,
    median: (length: number) => `训练长度（${length}）以外才出错的词：首个错字位置的中位数`,
  },
};

function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? '–' : String(sorted[sorted.length >> 1]);
}

const wrongOf = (first: readonly (number | null)[]) => first.filter((letter) => letter !== null);

/** Number of values in a .safetensors file, by its header. */
async function parametersIn(file: string): Promise<number> {
  const bytes = await readFile(file);
  const header = bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))).toString();
  const tensors = Object.values(JSON.parse(header) as { [name: string]: { shape?: number[] } });
  const sizes = tensors.map(({ shape }) => shape?.reduce((size, axis) => size * axis, 1) ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function setupOf(): Promise<Setup> {
  const { plan } = (await json('heads_repeats')) as Recorded;
  const parameters = await parametersIn(
    path.join(trained, `checkpoints/${plan.name}_rope.safetensors`),
  );
  const { layers, width, heads } = plan.trainer.model!;
  const numbers = {
    layers,
    width,
    heads,
    thousands: Math.round(parameters / 1000),
    steps: plan.steps,
    symbols: plan.trainer.length,
    factor: yarnScaling.factor,
  };
  const texts = Object.entries(numbers).map(([name, value]) => [name, value!.toLocaleString('en')]);
  return Object.fromEntries(texts) as Setup;
}

export async function ropes(language: Language): Promise<string> {
  const { results, length } = (await json('rope_words')) as Record;
  const say = words[language];
  const seeds = [...new Set(results.map(({ seed }) => seed))];
  const of = (scheme: RopeScheme) => results.filter((result) => result.scheme === scheme);
  const name = (scheme: RopeScheme) => ropeWords.names[scheme][language];
  const counts = ropeSchemes.map((scheme) =>
    say.count(name(scheme), of(scheme).flatMap(({ first }) => wrongOf(first)).length),
  );
  const total = of('rope').flatMap(({ first }) => first).length;
  const head = [
    say.scheme,
    say.wrong(seeds.join(say.and)),
    say.within(originalLength),
    say.median(originalLength),
  ];
  const rows = ropeSchemes.map((scheme) => {
    const wrong = of(scheme).map(({ first }) => wrongOf(first));
    const isWithin = (letter: number) => letter <= originalLength;
    const cells = [
      wrong.map((letters) => letters.length),
      wrong.map((letters) => letters.filter(isWithin).length),
      wrong.map((letters) => median(letters.filter((letter) => !isWithin(letter)))),
    ].map((values) => `<td>${values.join(say.and)}</td>`);
    return `<tr><th scope="row">${name(scheme)}</th>${cells.join('')}</tr>`;
  });
  const [plain, mended] = [of('rope'), of('yarn')].map((runs) =>
    runs.flatMap(({ first }) => first.map((letter) => letter ?? Infinity)),
  );
  const worse = mended!.filter((letter, i) => letter < plain![i]!).length;
  const summary = say.summary(counts.join(say.and), total, seeds.length, length);
  return `<div class="small-print"><p>${summary} ${say.yarn(worse, total)}</p>
<p>${say.setup(await setupOf())}</p>
<details><summary>${say.details}</summary><div class="scrolling" tabindex="0"><table class="facts">
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></details></div>`;
}
