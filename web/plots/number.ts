/** Numbers as text: a true minus, thousands by commas, as many digits as mean something. */
const minus = '\u2212';

/** With so many digits after the point: 6,196.40. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value))
    return value === -Infinity ? `${minus}∞` : value === Infinity ? '∞' : '–';
  const text = Math.abs(value).toFixed(digits);
  const sign = value < 0 && Number(text) !== 0 ? minus : '';
  return sign + text.replace(/^\d{4,}/, inThousands);
}

/** A count or a place: 54,400. */
export const whole = (value: number) => fixed(value, 0);

const inThousands = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

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
  return `${value < 0 ? minus : ''}${mantissa} × ${powerOfTen(Number(exponent))}`;
}

/** 10⁻⁷ for −7. */
export const powerOfTen = (exponent: number) =>
  `10${exponent < 0 ? '⁻' : ''}${[...String(Math.abs(exponent))].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`;
