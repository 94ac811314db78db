/** Formats numbers: minus sign U+2212, commas between thousands, significant digits only. */
const minus = '\u2212';

/** Formats a number with `digits` decimals: 6,196.40. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value))
    return value === -Infinity ? `${minus}∞` : value === Infinity ? '∞' : '–';
  const text = Math.abs(value).toFixed(digits);
  const sign = value < 0 && Number(text) !== 0 ? minus : '';
  return sign + text.replace(/^\d{4,}/, withCommas);
}

/** Formats an integer: 54,400. */
export const whole = (value: number) => fixed(value, 0);

const withCommas = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** Formats a number with `digits` significant digits: 6.28, 628, 54,400, 2.4 × 10⁻⁷. */
export function rounded(value: number, digits = 3): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e7) return scientific(value, digits - 1);
  // toLocaleString would load its tables first: tens of milliseconds in the first chart of a page.
  const text = String(Number(Number(size.toPrecision(digits)).toFixed(6)));
  return (value < 0 ? minus : '') + text.replace(/^\d{4,}/, withCommas);
}

function scientific(value: number, digits: number): string {
  const [mantissa, exponent] = Math.abs(value).toExponential(digits).split('e') as [string, string];
  return `${value < 0 ? minus : ''}${mantissa} × ${powerOfTen(Number(exponent))}`;
}

/** Formats a power of ten: 10⁻⁷ for −7. */
export const powerOfTen = (exponent: number) =>
  `10${exponent < 0 ? '⁻' : ''}${[...String(Math.abs(exponent))].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`;
