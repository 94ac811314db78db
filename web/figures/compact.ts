/**
 * Compact forms of a figure: `hide="title caption"` leaves parts out, `controls="offset dim"` shows
 * chosen controls alone. Controls within a drawing belong to it and stay.
 */
import type { Controls } from './figure.ts';

/** The parts that `hide` names. `credit` is the line below a figure on its own address. */
export const parts = [
  'title',
  'controls',
  'readout',
  'caption',
  'values',
  'actions',
  'credit',
] as const;

export type Part = (typeof parts)[number];

interface CompactForm {
  shows(part: Part): boolean;
  /** The controls above the drawing, in the order of the figure. */
  keys: string[];
  /** Those behind "More". */
  more: string[];
}

/** How many controls a reader sees at once, unless the author chooses them. */
const visibleControls = 2;

/** Returns the words of a list, which commas or spaces separate. */
const wordsIn = (list: string | null): string[] => (list ?? '').split(/[\s,]+/).filter(Boolean);

/** What each element has warned of: a drawing goes on, and one warning is enough. */
const warnings = new WeakMap<Element, Set<string>>();

function warnOnce(element: Element, warning: string) {
  const given = warnings.get(element) ?? new Set();
  warnings.set(element, given);
  if (given.has(warning)) return;
  given.add(warning);
  console.warn(warning);
}

/** Returns the known words of the element's attribute; warns of the others, which are left out. */
function known(element: Element, attribute: string, names: readonly string[]): string[] {
  return wordsIn(element.getAttribute(attribute)).filter((word) => {
    if (names.includes(word)) return true;
    const figure = element.getAttribute('name');
    warnOnce(
      element,
      `ropewalk-figure ${figure}: ${attribute} must name some of: ${names.join(', ')}; ` +
        `ignored '${word}'`,
    );
    return false;
  });
}

/** Returns what shows of the figure of an element. */
export function compactForm(element: Element, controls: Controls): CompactForm {
  const hidden = known(element, 'hide', parts);
  const all = Object.keys(controls);
  const chosen = element.hasAttribute('controls') ? known(element, 'controls', all) : all;
  const shows = (part: Part) => !hidden.includes(part);
  const keys = all.filter(
    (key) => shows('controls') && chosen.includes(key) && controls[key]!.place !== 'drawing',
  );
  const count = element.hasAttribute('controls') ? keys.length : visibleControls;
  return { shows, keys: keys.slice(0, count), more: keys.slice(count) };
}
