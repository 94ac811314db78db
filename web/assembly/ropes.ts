/**
 * The small print below the ropes, `<!-- ropes -->`: how often each scheme lost its place, over
 * 100 words and all recorded seeds (EXPERIMENTS: `npm run experiments -- heads`).
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../languages.ts';
import { words as ropeWords } from '../ropes/ropes_text.ts';
import { ropeSchemes, type RopeScheme } from '../ropes/schemes.ts';

interface Record {
  length: number;
  words: string[];
  results: { scheme: RopeScheme; seed: number; first: (number | null)[] }[];
}

const file = path.join(import.meta.dirname, '../trained/recorded/rope_words.json');

const words = {
  en: {
    summary: (counts: string, of: number, seeds: number, length: number) =>
      `Not this word alone: of ${of} ropes of each scheme (100 words, ${seeds} models), so many had a wrong letter before letter ${length}: ${counts}. These models are tiny, with about 31,000 parameters; large ones fail more gradually.`,
    count: (name: string, count: number) => `${name} ${count}`,
    and: ', ',
    details: 'Each seed',
    scheme: 'Scheme',
    whole: (seed: number) => `never wrong, seed ${seed}`,
    median: (seed: number) => `median first wrong letter, seed ${seed}`,
  },
  zh: {
    summary: (counts: string, of: number, seeds: number, length: number) =>
      `不只是这一个词：每种方案训练 ${seeds} 个模型，各写 100 个词，共 ${of} 根绳。写到第 ${length} 个字以前出过错的：${counts}。这些模型很小，只有约 3.1 万个参数；大模型出错是渐进的。`,
    count: (name: string, count: number) => `${name} ${count} 根`,
    and: '，',
    details: '按种子分开看',
    scheme: '方案',
    whole: (seed: number) => `始终写对的词数，种子 ${seed}`,
    median: (seed: number) => `首个错字的中位数，种子 ${seed}`,
  },
};

function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? '–' : String(sorted[sorted.length >> 1]);
}

const wrongOf = (first: readonly (number | null)[]) => first.filter((letter) => letter !== null);

export async function ropes(language: Language): Promise<string> {
  const { results, length } = JSON.parse(await readFile(file, 'utf8')) as Record;
  const say = words[language];
  const seeds = [...new Set(results.map(({ seed }) => seed))];
  const of = (scheme: RopeScheme) => results.filter((result) => result.scheme === scheme);
  const name = (scheme: RopeScheme) => ropeWords.names[scheme][language];
  const counts = ropeSchemes.map((scheme) =>
    say.count(name(scheme), of(scheme).flatMap(({ first }) => wrongOf(first)).length),
  );
  const total = of('rope').flatMap(({ first }) => first).length;
  const head = [say.scheme, ...seeds.map(say.whole), ...seeds.map(say.median)];
  const rows = ropeSchemes.map((scheme) => {
    const cells = [
      ...of(scheme).map(({ first }) => String(first.length - wrongOf(first).length)),
      ...of(scheme).map(({ first }) => median(wrongOf(first))),
    ];
    return `<tr><th scope="row">${name(scheme)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<div class="small-print"><p>${say.summary(counts.join(say.and), total, seeds.length, length)}</p>
<details><summary>${say.details}</summary><div class="scrolling" tabindex="0"><table class="facts">
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></details></div>`;
}
