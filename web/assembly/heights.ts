/**
 * The style sheet '@heights.css': how high each figure is at its defaults, which the page reserves
 * until the figure draws. Heights are interpolated between the widths of the window at which
 * `npm run screenshots` measured them.
 */
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { frameAround } from '../figures/snippets.ts';
import type { Language } from '../languages.ts';

interface Measured {
  /**
   * Of the window, in CSS pixels. Two that differ by one are where figures become 640, 720 and 800
   * pixels wide, and the layout of many changes. In the last the front page, which has no rail, is
   * as wide as it gets.
   */
  widths: number[];
  /** By figure and language, for each width. */
  heights: Record<string, Record<string, number[]>>;
}

const file = path.join(import.meta.dirname, '../style/heights.json');

/** Of style/page.css and style/rail.css, in CSS pixels: at the usual size of text 1rem is 18px. */
const sizes = { figure: 62 * 18, side: 3 * 18, rail: (2 + 15) * 18 };

/** The width of a window in which the rail leaves a figure as wide as in a narrower window. */
function besideRail(width: number): number {
  const margin = Math.min(0.04 * width, sizes.side);
  const figure = Math.min(width - 2 * margin, sizes.figure);
  const wide = figure + sizes.rail + 2 * sizes.side;
  return Math.round(wide * 0.04 > sizes.side ? wide : (figure + sizes.rail) / 0.92);
}

/** Declares each measured width's share of the window's: 1px at that width, 0px at the next. */
function shares(widths: number[]): string {
  const one = widths.map((width, k) => {
    const [before, after] = [widths[k - 1], widths[k + 1]];
    const rise = before ? `(100vw - ${before}px) / ${width - before}` : '1px';
    const fall = after ? `(${after}px - 100vw) / ${after - width}` : '1px';
    return `--w${k}: max(0px, min(${rise}, ${fall}));`;
  });
  return one.join('\n');
}

function styleSheet({ widths, heights }: Measured): string {
  // Beside the rail figures never get as wide as in the widest window.
  const railed = widths.slice(0, -1).map(besideRail);
  const reserved = Object.entries(heights).flatMap(([name, languages]) =>
    Object.entries(languages).map(([language, all]) => {
      const sum = all.map((height, k) => `${height} * var(--w${k})`).join(' + ');
      return `ropewalk-figure[name='${name}']:lang(${language}) { --reserved: calc(${sum}); }`;
    }),
  );
  return `:root { ${shares(widths)} }
@media (min-width: 80rem) { .railed { ${shares(railed)} --w${railed.length}: 0px; } }
${reserved.join('\n')}
`;
}

/** Of the window, in CSS pixels: the figure is as wide there as in a frame of 600 pixels. */
const narrowFrame = 640;

/** In CSS pixels: the letters of another browser may break one line more than those measured. */
const lineMore = 28;

/**
 * Returns the height that a frame gets in a snippet: enough for the figure at its defaults in every
 * column of 600 CSS pixels and more, where no script tells the frame its height.
 */
export function frameHeight(name: string, language: Language): number {
  const { widths, heights } = JSON.parse(readFileSync(file, 'utf8')) as Measured;
  const measured = heights[name]?.[language];
  // A new figure is built first and measured then.
  const wide = measured?.filter((_, k) => widths[k]! >= narrowFrame) ?? [700];
  return Math.ceil((Math.max(...wide) + lineMore + frameAround) / 10) * 10;
}

/** @param folder where the style sheet is left */
export function heights(folder: string): Plugin {
  return {
    name: 'ropewalk-heights',
    async config() {
      const measured = await readFile(file, 'utf8');
      const sheet = path.join(folder, 'heights.css');
      await mkdir(folder, { recursive: true });
      await writeFile(sheet, styleSheet(JSON.parse(measured)));
      return { resolve: { alias: { '@heights.css': sheet } } };
    },
  };
}
