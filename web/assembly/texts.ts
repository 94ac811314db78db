/** The texts of the chapters, and the places in them that links lead to. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../languages.ts';
import { withAbout } from './about.ts';
import { addressOf, anchor, chapters, type Chapter } from './chapters.ts';
import { choosingPlans, withChoosing, type ChoosingResults } from './choosing.ts';
import { idsIn } from './links.ts';
import { chapterHtml } from './markdown.ts';
import { withSpine } from './spine.ts';
import { withTextSchemes } from './text_schemes.ts';
import { withTimeline } from './timeline.ts';

/** The folder of a chapter's texts and figures. */
export const folderOf = ({ name }: Chapter) =>
  path.join(path.dirname(import.meta.dirname), 'chapters', name);

/** The recorded trainings that the tables of a chapter show. */
async function choosingResults(): Promise<ChoosingResults> {
  const files = choosingPlans.map(async (plan) => {
    const file = path.join(path.dirname(import.meta.dirname), `trained/recorded/${plan}.json`);
    return [plan, JSON.parse(await readFile(file, 'utf8'))] as const;
  });
  return Object.fromEntries(await Promise.all(files)) as ChoosingResults;
}

const results = choosingResults();

/** A chapter's text, with what the assembly writes into it: ticks, tables, timeline, citation. */
export async function bodyOf(chapter: Chapter, language: Language): Promise<string> {
  const file = path.join(folderOf(chapter), `${language}.md`);
  const source = withTextSchemes(await readFile(file, 'utf8'), language);
  const text = chapterHtml(source, language);
  const tables = withChoosing(withSpine(text, language), language, await results);
  return withAbout(withTimeline(tables, language), language);
}

/** The address of each id on the front page and in the chapters. A chapter's own is its page. */
export async function placesOf(language: Language): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  const web = path.dirname(import.meta.dirname);
  const front = path.join(web, language === 'zh' ? 'zh' : '', 'index.html');
  for (const id of idsIn(await readFile(front, 'utf8'))) places.set(id, `./#${id}`);
  for (const chapter of chapters) {
    for (const id of idsIn(await bodyOf(chapter, language))) {
      if (places.has(id)) throw new Error(`two pages have the id "${id}"`);
      places.set(id, `${addressOf(chapter)}#${id}`);
    }
  }
  for (const chapter of chapters) places.set(anchor(chapter), addressOf(chapter));
  return places;
}
