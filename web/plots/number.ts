/** Numbers as text: a true minus sign, as many digits as mean something. */
const minus = '\u2212';

export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value))
    return value === -Infinity ? `${minus}∞` : value === Infinity ? '∞' : '–';
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? minus + text : text;
}

/** Three significant digits for a quantity of any size: 6.28, 628, 54,400, 2.4 × 10⁻⁷. */
export function rounded(value: number, digits = 3): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e7) return scientific(value, digits - 1);
  const text = Number(size.toPrecision(digits)).toLocaleString('en-US', {
    maximumFractionDigits: 6,
  });
  return value < 0 ? minus + text : text;
}

function scientific(value: number, digits: number): string {
  const [mantissa, exponent] = Math.abs(value).toExponential(digits).split('e') as [string, string];
  const raised = [...String(Number(exponent))].map((sign) => superscripts[sign] ?? sign).join('');
  return `${value < 0 ? minus : ''}${mantissa} × 10${raised}`;
}

const superscripts: Record<string, string> = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};
