/**
 * The letters of the site: STIX Two Text, and STIX Two Math for formulas and signs, cut at build
 * time to the characters that the pages use. Two files hold what the front page reads by and are
 * preloaded everywhere; browsers fetch each of the others for the first character that needs it.
 *
 * What grows in a formula, as brackets, roots and sums, browsers stretch only by a mathematical
 * font, and only from one do they take the measures by which indices and fractions are set.
 * Chromium takes those measures of the first font that has a space.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subset from 'subset-font';
import type { Plugin } from 'vite';

const small = 'abcdefghijklmnopqrstuvwxyz';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
/** Chinese text takes these from the Chinese font, with which they are as wide as a character. */
const marks = '‘’“”–—…·';
const signs = ' "#$%&\'*+<=>@[\\]^_`{|}~±²³¹×÷¼½′‾ⁱ⁰⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₊₋ℝ←↑→↓⟹−√∂∈∏∑∗∞∫≈≠≤≥⊗⊤⋅⋯‖⌈⌉⌊⌋⟨⟩';
const growing = '()[]{}|‖⌊⌋⌈⌉⟨⟩√∑∏∫';
const greek = 'ΔΘΣΦαβγδεζηθκλμνξπρστφχψω';
/** The questions of the front page's figures begin with these. */
const initials = 'ABCDEHIRTW';

type Style = 'normal' | 'italic';

interface Face {
  /** Of its file. */
  name: string;
  source: { part: 'latin' | 'greek'; style: Style; weight: 400 | 600 } | 'math';
  characters: string;
}

const text = (part: 'latin' | 'greek', style: Style, weight: 400 | 600 = 400) =>
  ({ part, style, weight }) as const;

/** Where two have a character for a style, the later one serves it, as in CSS. */
const faces: Face[] = [
  { name: 'mathematics', source: 'math', characters: ` ${signs}${growing}${greek}${marks}` },
  {
    name: 'serif',
    source: text('latin', 'normal'),
    characters: ` \u00a0${small}${capitals}${digits}.,:;?!()’“”–-+/`,
  },
  {
    name: 'serif_italic',
    source: text('latin', 'italic'),
    characters: ` \u00a0${small}${initials}.,?’-`,
  },
  {
    name: 'serif_italic_more',
    source: text('latin', 'italic'),
    characters: `${without(capitals, initials)}${digits}:;!()“”–/+=`,
  },
  { name: 'serif_italic_greek', source: text('greek', 'italic'), characters: greek },
  {
    name: 'serif_bold',
    source: text('latin', 'normal', 600),
    characters: ` \u00a0${small}${capitals}${digits}.,:;?!()’“”–-+/=`,
  },
];

/** These letters are small beside the sans-serif of labels and beside Chinese characters. */
const sizeAdjust = '105%';

/** Every page needs these for its first lines. */
const early = ['serif', 'serif_italic'];

/** The descriptors of style and weight of text that a face serves: signs look the same in all. */
function servedBy({ source }: Face): [Style, string][] {
  const all: [Style, string][] = [
    ['normal', '400'],
    ['italic', '400'],
    ['normal', '600 700'],
  ];
  if (source === 'math') return all;
  return all.filter(
    ([style, weight]) => style === source.style && weight.startsWith(String(source.weight)),
  );
}

function without(characters: string, others: string): string {
  return [...characters].filter((one) => !others.includes(one)).join('');
}

function styleSheet(): string {
  const text = faces.flatMap((face) =>
    servedBy(face).flatMap(([style, weight]) => [
      rule('Ropewalk Serif', face.name, style, weight, face.characters),
      // For Chinese text.
      rule('Ropewalk Letters', face.name, style, weight, without(face.characters, marks)),
    ]),
  );
  // Letters in formulas are those of the text.
  const [math] = faces;
  const signs = without(math!.characters, greek);
  return [...text, rule('Ropewalk Math', math!.name, 'normal', '400', signs)].join('');
}

function rule(family: string, file: string, style: Style, weight: string, characters: string) {
  return `@font-face {
  font-family: '${family}';
  font-style: ${style};
  font-weight: ${weight};
  font-display: swap;
  size-adjust: ${sizeAdjust};
  src: url('./${file}.woff2') format('woff2');
  unicode-range: ${rangesOf(characters)};
}
`;
}

/** U+41-5A, U+3B8 */
function rangesOf(characters: string): string {
  const codes = [...new Set(characters)].map((one) => one.codePointAt(0)!).sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  const hex = (code: number) => code.toString(16);
  return ranges.map(([a, b]) => `U+${hex(a)}${a === b ? '' : `-${hex(b)}`}`).join(', ');
}

const { resolve } = createRequire(import.meta.url);
const inPackage = (file: string) => readFile(resolve(file));

function cut({ source, characters }: Face): Promise<Buffer> {
  if (source === 'math')
    return subsetOf('@fontsource/stix-two-math/files/stix-two-math-latin-400-normal', characters, {
      keepFeatures: ['ssty'],
    });
  const { part, style, weight } = source;
  const file = `@fontsource/stix-two-text/files/stix-two-text-${part}-${weight}-${style}`;
  // Of the ligatures only this one: other letters stand clear of an f.
  return subsetOf(file, part === 'latin' ? `${characters}ﬁ` : characters, {
    keepFeatures: ['kern', 'liga'],
    noLayoutClosure: true,
    dropTables: ['STAT', 'gasp', 'prep', 'GDEF'],
  });
}

/** Those of harfbuzz that the types of the package do not know yet. */
interface Options {
  keepFeatures: string[];
  noLayoutClosure?: boolean;
  dropTables?: string[];
}

async function subsetOf(file: string, characters: string, options: Options): Promise<Buffer> {
  const all = { targetFormat: 'woff2', noHinting: true, ...options } as const;
  return subset(await inPackage(`${file}.woff2`), characters, all);
}

/** `folder` is where the fonts are left, with the style sheet '@letters.css'. */
export function letters(folder: string): Plugin {
  const sheet = path.join(folder, 'letters.css');
  return {
    name: 'ropewalk-letters',
    async config() {
      await mkdir(folder, { recursive: true });
      for (const face of faces)
        await writeFile(path.join(folder, `${face.name}.woff2`), await cut(face));
      await writeFile(sheet, styleSheet());
      return { resolve: { alias: { '@letters.css': sheet } } };
    },
    /** Text moves when its font arrives: it has to come early, but after the style sheet. */
    transformIndexHtml: {
      order: 'post',
      handler(document, { bundle, path: address }) {
        const ofFormulas = ['mathematics', 'serif_italic_greek', 'serif_italic_more'];
        const names = document.includes('<math') ? [...early, ...ofFormulas] : early;
        return names.flatMap((name) => {
          const isIts = new RegExp(`/${name}-[^/]*\\.woff2$`);
          const file = Object.keys(bundle ?? {}).find((one) => isIts.test(one));
          if (!file) return [];
          const href = `${'../'.repeat(address.split('/').length - 2) || './'}${file}`;
          const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href };
          return [{ tag: 'link', attrs, injectTo: 'head' as const }];
        });
      },
    },
    async generateBundle() {
      for (const family of ['text', 'math']) {
        const source = await inPackage(`@fontsource/stix-two-${family}/LICENSE`);
        this.emitFile({ type: 'asset', fileName: `assets/stix_two_${family}_license.txt`, source });
      }
    },
  };
}
