/// <reference types="node" />
/** `npx ropewalk figure`: figures in one file, which requests nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { makeFolder, read, readJson, writeWhole } from './node_files.js';
import { UsageError, type Given, type OptionRule, type Program } from './rules.js';
import {
  pageOf,
  scriptOf,
  staticPageOf,
  type FigureParts,
  type Language,
  type SettingRule,
  type Shown,
} from './single_script.js';
import { hintFor } from '../runtime/hints.js';
import { inline } from '../runtime/inline.js';
import { inlineForTraining } from '../runtime/train_inline.js';

const elements = fileURLToPath(new URL('../elements', import.meta.url));
const part = (...names: string[]) => join(elements, ...names);
const textOf = (path: string) => new TextDecoder().decode(read(path));
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** The picture of a figure at its defaults. */
const stillOf = (name: string, language: Language) => part('single', `${name}_${language}.webp`);

const scriptName = 'elements.single.js';
const pictureKinds: Record<string, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  jpg: 'image/jpeg',
};

const options: Record<string, OptionRule> = {
  out: { kind: 'file', short: 'o', says: 'the folder to write to', required: true },
  lang: { kind: ['en', 'zh'], says: 'language of the figures; default en' },
  set: { kind: 'pairs', says: 'settings of the figure, by their names in the gallery' },
  still: {
    kind: 'file',
    says: 'the picture where no script runs, .png, .svg, .webp or .jpg; default: the figure at its defaults',
  },
  site: {
    kind: 'text',
    says: 'the address of the site of the figures, for links to it; default $ROPEWALK_SITE',
  },
  force: { kind: 'flag', says: 'overwrite files that are there' },
};

const list = (names: readonly string[]) => names.join(', ') || 'none';

function figuresOf(operands: string[]): [name: string, parts: FigureParts][] {
  const all = readJson(part('single', 'figures.json')) as Record<string, FigureParts>;
  const names = Object.keys(all);
  return [...new Set(operands)].map((name) => {
    if (Object.hasOwn(all, name)) return [name, all[name]!];
    throw new UsageError(
      `figure must be one of ${list(names)}, got ${name}${hintFor(name, names)}`,
    );
  });
}

/** What a value must be, where it is not. */
function brokenRule(rule: SettingRule, word: string): string | undefined {
  switch (rule.kind) {
    case 'range': {
      const { min, max, step } = rule;
      const value = word.trim() === '' ? NaN : Number(word);
      const steps = step === 'log' ? 0 : (value - min) / step;
      if (value >= min && value <= max && Math.abs(steps - Math.round(steps)) < 1e-6) return;
      return `a number from ${min} to ${max}${step === 'log' ? '' : ` in steps of ${step}`}`;
    }
    case 'choice':
      return rule.values.includes(word) ? undefined : `one of ${list(rule.values)}`;
    case 'switch':
      return word === 'yes' || word === 'no' ? undefined : 'yes or no';
    case 'text':
      return word.length <= rule.maxLength
        ? undefined
        : `text of at most ${rule.maxLength} characters`;
  }
}

/** The settings that are typed, as the attributes of the element have them. */
function wordsOf(pairs: readonly string[], name: string, { settings }: FigureParts) {
  const known = Object.keys(settings);
  return new Map(
    pairs.map((pair) => {
      const [, key, word] = /^([^=]+)=([^]*)$/.exec(pair) ?? [];
      if (key === undefined)
        throw new UsageError(`--set must be followed by NAME=VALUE, got ${pair}`);
      const rule = Object.hasOwn(settings, key) ? settings[key] : undefined;
      if (!rule)
        throw new UsageError(
          `--set must name a setting of ${name}: ${list(known)}, got ${key}${hintFor(key, known)}`,
        );
      const broken = brokenRule(rule, word!);
      if (broken)
        throw new UsageError(
          `--set ${key} must be ${broken}, got ${word}${rule.kind === 'choice' ? hintFor(word, rule.values) : ''}`,
        );
      return [key, word!] as const;
    }),
  );
}

function siteOf({ site = env['ROPEWALK_SITE'] || undefined }: Given): URL | undefined {
  if (site === undefined) return undefined;
  const address = URL.canParse(String(site)) ? new URL(String(site)) : undefined;
  if (!address || !/^https?:$/.test(address.protocol))
    throw new UsageError(`--site must be a whole address, with https:, got ${site}`);
  if (!address.pathname.endsWith('/')) address.pathname += '/';
  return address;
}

/** The figure alone on its site, with its settings. */
function linkTo(site: URL, name: string, language: Language, words: ReadonlyMap<string, string>) {
  const link = new URL(`${language === 'zh' ? 'zh/' : ''}figure/${name}/`, site);
  link.search = new URLSearchParams([...words]).toString();
  return link.href;
}

function dataAddress(path: string): string {
  const kind = pictureKinds[/\.(\w+)$/.exec(path)?.[1] ?? ''];
  if (kind === undefined)
    throw new UsageError(`--still must end in ${list(Object.keys(pictureKinds))}, got ${path}`);
  return `data:${kind};base64,${base64(read(path))}`;
}

/** Compressed in the file: each figure has the binary that every engine runs. */
const binaries: Record<string, () => Promise<Uint8Array>> = {
  ropewalk: () => inline('simd128'),
  ropewalk_train: () => inlineForTraining('simd128'),
};

async function contentOf(name: string, file: string | null): Promise<string> {
  if (file !== null) return base64(read(part(file)));
  return base64(gzipSync(await binaries[name]!(), { level: 9 }));
}

async function script(figures: readonly [string, FigureParts][]): Promise<string> {
  const all = figures.map(([, parts]) => parts);
  const chunks = [...new Set(all.flatMap((parts) => parts.chunks))];
  const files = new Map(all.flatMap((parts) => Object.entries(parts.files)));
  const contents = await Promise.all(
    [...files].map(async ([name, file]) => [name, await contentOf(name, file)] as const),
  );
  return scriptOf(
    figures.map(([name]) => name),
    new Map(chunks.map((name) => [name, textOf(part('single', name))])),
    Object.assign({}, ...all.map(({ jobs }) => jobs)),
    new Map(contents),
    `${textOf(part('../../../LICENSE'))}\n${textOf(part('licenses.md'))}`,
  );
}

export const figure: Program = {
  says: 'a figure in one file that requests nothing, for pages that work offline: the script, a page with the lines to copy, and a picture with a link where no script runs',
  operands: 'NAME…',
  count: [1, Infinity],
  options,
  example: 'ropewalk figure sinusoid-shift --set offset=7 --out figures',
  async perform(operands, given) {
    const { out, lang = 'en', set = '', still, force } = given;
    const figures = figuresOf(operands);
    const language = lang as Language;
    const pairs = String(set).split('\n').filter(Boolean);
    if (figures.length > 1 && (pairs.length > 0 || still !== undefined))
      throw new UsageError(
        `${pairs.length > 0 ? '--set' : '--still'} must come with one figure, got ${figures.length}`,
      );
    const site = siteOf(given);
    const shown = figures.map(([name, parts]): Shown => {
      const words = wordsOf(pairs, name, parts);
      return {
        ...parts.texts[language],
        name,
        language,
        words,
        still: dataAddress(String(still ?? stillOf(name, language))),
        link: site && linkTo(site, name, language, words),
      };
    }) as [Shown, ...Shown[]];
    const folder = String(out);
    const place = (name: string) => join(folder, name);
    const files: Record<string, string | Uint8Array> = {
      [scriptName]: await script(figures),
      'figure.html': pageOf(shown, scriptName),
      'static.html': staticPageOf(shown),
    };
    // Mail programs take a picture as a file of its own.
    if (still === undefined)
      for (const [name] of figures) files[`${name}.webp`] = read(stillOf(name, language));
    const there = Object.keys(files).filter((name) => existsSync(place(name)));
    if (there.length > 0 && !force)
      throw new UsageError(
        `--out must have no ${there.join(' or ')} yet, or --force be given, got ${folder}`,
      );
    makeFolder(folder);
    for (const [name, text] of Object.entries(files)) writeWhole(place(name), text);
    const size = (content: string | Uint8Array) =>
      `${Math.ceil(Buffer.byteLength(content) / 1000)} kB`;
    const lines = Object.entries(files).map(([name, text]) => `${place(name)}  ${size(text)}`);
    if (!site) lines.push('No link to the site: give its address by --site or ROPEWALK_SITE.');
    if (pairs.length > 0 && still === undefined)
      lines.push(
        'The picture is of the defaults: save yours with PNG or SVG, and give it by --still.',
      );
    return { printed: `${lines.join('\n')}\n` };
  },
};
