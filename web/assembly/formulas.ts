/**
 * Formulas, at build time: $…$ and $$…$$ in a chapter become MathML, which browsers lay out
 * themselves, so the page ships no script for them.
 */
import katex from 'katex';

const hues = ['query', 'key', 'value', 'position'];

/** \q{…} \k{…} \v{…} \p{…}: the same hue as everywhere else. */
const macros = Object.fromEntries(hues.map((hue) => [`\\${hue[0]}`, `\\textcolor{${hue}}{#1}`]));

export function renderFormulas(page: string): string {
  return page
    .replace(/\$\$([^$]+)\$\$/g, (_, tex: string) => display(tex))
    .replace(
      /\$([^$\n]+)\$([,.;:)\u3001-\u3002\uff09\uff0c\uff1a\uff1b]*)/g,
      (_, tex: string, mark: string) => {
        // A line must not begin with the mark that follows a formula.
        const formula = mathml(tex, false);
        return mark ? `<span class="joined">${formula}${mark}</span>` : formula;
      },
    );
}

/**
 * Parts that \qquad sets apart may stand one below the other where the line is short, and one part
 * may continue on the next line at \allowbreak.
 */
function display(tex: string): string {
  const parts = tex.split('\\qquad').map((part) => {
    const pieces = part.split('\\allowbreak').map((piece) => mathml(piece, true));
    return pieces.length > 1 ? `<div class="statement">${pieces.join('')}</div>` : pieces[0];
  });
  return `<div class="formula" tabindex="0">${parts.join(' ')}</div>`;
}

function mathml(tex: string, displayMode: boolean): string {
  const source = tex
    .trim()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    // Less space: in MathML it comes out as more.
    .replaceAll('\\!', '');
  const rendered = katex.renderToString(source, {
    output: 'mathml',
    displayMode,
    macros,
    strict: 'error',
  });
  const portable = forAnyFont(rendered);
  return hues.reduce(
    (text, hue) => text.replaceAll(`mathcolor="${hue}"`, `class="${hue}"`),
    portable,
  );
}

/**
 * What browsers make of MathML depends on the mathematical font. Ours (letters.ts) has no slanted
 * letters, so they become the text's own italic; the double-struck are plain, dots keep the
 * distance of a sign like plus, and a prime, high already, becomes a speck when it is set as an
 * exponent and runs into an italic letter as tall as θ when it directly follows it.
 */
function forAnyFont(formula: string): string {
  const prime = '<mspace width="0.12em"></mspace><mi mathvariant="normal">′</mi>';
  return (
    withOperatorNames(formula)
      .replace(/<msup>(<mi>\p{L}<\/mi>)<mo[^>]*>′<\/mo><\/msup>/gu, `<mrow>$1${prime}</mrow>`)
      .replace(
        /<msubsup>(<mi>\p{L}<\/mi>)((?:(?!<msub).)*?)<mo[^>]*>′<\/mo><\/msubsup>/gu,
        `<msub><mrow>$1${prime}</mrow>$2</msub>`,
      )
      .replace(/<mi>f<\/mi>/g, '<mi mathvariant="normal" class="leaning letter">f</mi>')
      .replace(/<mi>(\p{L})<\/mi>/gu, '<mi mathvariant="normal" class="letter">$1</mi>')
      .replaceAll('<mo>…</mo>', '<mi mathvariant="normal">…</mi>')
      .replaceAll('<mi mathvariant="double-struck">R</mi>', '<mi mathvariant="normal">ℝ</mi>')
      .replaceAll('\u2223', '|')
      // Bars do not say which of them opens: within a row they are set like a sign, lower.
      .replace(
        /<mo fence="true"([^>]*>\|<.*?)<mo fence="true"([^>]*>\|<)/g,
        '<mo fence="true" form="prefix"$1<mo fence="true" form="postfix"$2',
      )
  );
}

/**
 * Names such as `sin` are letters to browsers, without space around them. As in TeX a thin one
 * parts them from operands on both sides, and none from a bracket, a sign or the end; an index of
 * the name comes before the space.
 */
function withOperatorNames(formula: string): string {
  const applied = '<mo>\u2061</mo>';
  const space = '<mspace width="0.1667em"></mspace>';
  const name = '<mi>\\p{L}{2,}</mi>';
  const withIndex = new RegExp(
    `<(munder|msub|msup|msubsup)><mrow>(${name})${applied}</mrow>((?:(?!<\\1>).)*?)</\\1>`,
    'gu',
  );
  const before = new RegExp(
    `(?<=</m(?:i|n|sub|sup|subsup|frac|style|sqrt|row)>|>\\)</mo>)(?=(?:<m(?:sub|sup|subsup|under)>)?${name})`,
    'gu',
  );
  const after = new RegExp(
    `${applied}(?=(?:<m(?:style|row|su[bp]|subsup)\\b[^>]*>)*<m(?:i|n|frac|sqrt)\\b)`,
    'g',
  );
  return (
    formula
      .replace(withIndex, `<$1>$2$3</$1>${applied}`)
      // A sum or integral brings its own space.
      .replace(before, (_, at: number) =>
        /<(msub|msubsup)><mo>((?!<\/\1>).)*<\/\1>$/.test(formula.slice(0, at)) ? '' : space,
      )
      .replace(after, space)
      .replaceAll(applied, '')
  );
}
