/** How text of docstrings is set: mathematics with raised and lowered letters, quotes, breaks. */
import markdownIt from 'markdown-it';
import { escaped } from './html.ts';

const digits = '0123456789−';
const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻';
const raisedLetters = new Map([...'ᵀⁿⁱᵏ'].map((sign, k) => [sign, 'Tnik'[k]!]));
const loweredLetters = new Map([...'ₕᵢⱼₖₗₘₙₚᵣₛₜₓ'].map((sign, k) => [sign, 'hijklmnprstx'[k]!]));

const any = (letters: ReadonlyMap<string, string>) => `[${[...letters.keys()].join('')}]`;
const loweredRun = new RegExp(`(${any(loweredLetters)})([₊₋]?[₀-₉]?)`, 'gu');
const raisedRun = new RegExp(any(raisedLetters), 'gu');

/** What stands in the brackets that begin at `start`, and where they end. */
function bracketed(text: string, start: number): { inside: string; end: number } | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0)
      return { inside: text.slice(start + 1, at), end: at + 1 };
  }
  return undefined;
}

/** x^(…), x^word and 2^24, which keeps its digits in one word for the search. */
function raised(text: string): string {
  const at = text.indexOf('^');
  if (at < 0) return text;
  const before = text.slice(0, at);
  const set = (inside: string, end: number) =>
    `${before}<sup>${raised(inside)}</sup>${raised(text.slice(end))}`;
  const brackets = text[at + 1] === '(' ? bracketed(text, at + 1) : undefined;
  if (brackets) return set(brackets.inside, brackets.end);
  const [power = ''] = /^−?(\d+|\p{L}[\p{L}\d₀-₉]*)/u.exec(text.slice(at + 1)) ?? [];
  if (power === '') return `${before}^${raised(text.slice(at + 1))}`;
  const end = at + 1 + power.length;
  if (!/^[\d−]+$/.test(power)) return set(power, end);
  const small = Array.from(power, (sign) => raisedDigits[digits.indexOf(sign)]).join('');
  return `${before}${small}${raised(text.slice(end))}`;
}

const lowered = (text: string) =>
  text
    .replaceAll(/(?<=[\p{L}Σ])_\{([^}]+)\}/gu, '<sub>$1</sub>')
    .replaceAll(
      /(?<![\p{L}\d_])([\p{L}Σ]\u0302?|max|min)_(\p{L}|\d)(?![\p{L}\d_])/gu,
      '$1<sub>$2</sub>',
    )
    .replaceAll(loweredRun, (_, letter: string, more: string) => {
      const plain = more.normalize('NFKC').replace('-', '−');
      return `<sub>${loweredLetters.get(letter)}${plain}</sub>`;
    })
    .replaceAll('</sub><sub>', '')
    .replaceAll(raisedRun, (sign) => `<sup>${raisedLetters.get(sign)}</sup>`);

/** Long names break before an underscore or a dot, or after a slash; a root stays at its slash. */
const broken = (text: string) =>
  text
    .replaceAll('/√', '/\u2060√')
    .replaceAll(/[\w./]{16,}/g, (word) => word.replaceAll(/(?<=\w)(?=[_.]\w)|(?<=\/)/g, '<wbr>'));

const longestWhole = 30;

/** Code that stays on one line, as far as it fits a phone's. */
const codeOf = (text: string) =>
  text.length <= longestWhole
    ? `<code class="whole">${escaped(text)}</code>`
    : `<code>${broken(escaped(text))}</code>`;

const markdown = markdownIt({ typographer: true }).disable('replacements');
markdown.renderer.rules['text'] = (tokens, at) =>
  broken(lowered(raised(escaped(tokens[at]!.content))));
markdown.renderer.rules['code_inline'] = (tokens, at) => codeOf(tokens[at]!.content);

/** Values of options and calls as code; docstrings write both as the sources do. */
const withCode = (text: string) =>
  text
    .split(/(`[^`]*`)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll(
            /(?<![\p{L}\d])'[\w./+[\]-]+'(?!\p{L})|(?<![\w.])[a-z][\w.]*\(\)/gu,
            '`$&`',
          ),
    )
    .join('');

export const proseOf = (text: string) => markdown.render(withCode(text));
export const lineOf = (text: string) => markdown.renderInline(withCode(text));

const widest = 76;

/** Breaks lines of a declaration that are too wide at the members of a union. */
export const brokenDeclaration = (text: string) =>
  text
    .split(/(\/\*\*[^]*?\*\/)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/^.+$/gm, brokenLine)))
    .join('');

/** A comment of a declaration in one line, which the page wraps. */
export const joinedComment = (comment: string) =>
  comment.replaceAll(/\n *\* (?!\/)/g, ' ').replaceAll(/\s*\n *\*\/|\s+\*\/$/g, ' */');

function brokenLine(line: string): string {
  if (line.length <= widest) return line;
  const depths: number[] = [];
  let depth = 0;
  for (const [at, sign] of [...line].entries()) {
    if (/[([{<]/.test(sign)) depth++;
    if (/[)\]}]/.test(sign) || (sign === '>' && line[at - 1] !== '=')) depth--;
    depths.push(depth);
  }
  const least = Math.min(0, ...depths);
  const indent = ' '.repeat(/^ */.exec(line)![0].length + 2);
  const [start, ...members] = line
    .replaceAll(/ (?=[|&] )/g, (space, at: number) => (depths[at] === least ? '\n' : space))
    .split('\n');
  const [, before, first] = /^([^|&]*=) ([^({].*)$/.exec(start!) ?? [];
  const isUnion = before !== undefined && members.some((member) => member.startsWith('|'));
  const parts = isUnion ? [`| ${first}`, ...members] : members;
  const lines = [isUnion ? before : start!];
  const arePacked = parts.length > 8 && parts.every((member) => /^\| '/.test(member));
  for (const member of parts) {
    const longer = `${lines.at(-1)!} ${member}`;
    if (arePacked && lines.length > 1 && longer.length <= widest) lines[lines.length - 1] = longer;
    else lines.push(indent + member);
  }
  return lines.join('\n');
}
