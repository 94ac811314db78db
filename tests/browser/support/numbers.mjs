/** Numbers as the page prints them. */
import assert from 'node:assert/strict';

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const digit = (raised) => (raised === '⁻' ? '-' : superscripts.indexOf(raised));

/** A true minus, thousands by commas, powers of ten in superscript and ∞, as JavaScript writes them. */
const asWritten = (text) =>
  text
    .replace(/ × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/, (_, raised) => `e${[...raised].map(digit).join('')}`)
    .replaceAll('−', '-')
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace('∞', 'Infinity');

/** The number that a text begins with; a unit may follow. */
export function numberIn(text) {
  const number = Number.parseFloat(asWritten(text));
  assert.ok(!Number.isNaN(number), `"${text}" begins with a number`);
  return number;
}

/** The number that a text is. */
export function numberOf(text) {
  const written = asWritten(text);
  assert.ok(written.trim() !== '' && !Number.isNaN(Number(written)), `"${text}" is a number`);
  return Number(written);
}

export function near(actual, expected, tolerance, what) {
  assert.ok(
    Math.abs(actual - expected) <= tolerance,
    `${what}: ${actual} is not ${expected} within ${tolerance}`,
  );
}
