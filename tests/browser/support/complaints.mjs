/** What a figure draws or writes where it should not be. The functions run in the page. */
import { prepareFunctions, prepareSettings } from './settings.mjs';

/** Every tab in which `complaintsOf` runs has been prepared. */
export const prepareComplaints = async (tab) => {
  await prepareSettings(tab);
  await prepareFunctions(tab, [complaintsOf, placesIn, misplacedIn]);
};

/**
 * What is misplaced in figures at each of their settings, each with its first settings.
 * @param {string[]} names
 * @param {Parameters<typeof atEachSetting>[1]} options
 * @param {(figure: FigureElement, settings: Record<string, string>) => void} [also] is called with
 *   each figure at each of them
 */
export async function complaintsOf(names, options, also = () => {}) {
  const found = new Map();
  await atEachSetting(names, options, (figure, settings) => {
    also(figure, settings);
    for (const what of misplacedIn(figure)) {
      const complaint = `${figure.getAttribute('name')}: ${what}`;
      if (!found.has(complaint)) found.set(complaint, JSON.stringify(settings));
    }
  });
  return [...found].map(([what, settings]) => `${what} at ${settings}`);
}

/** Texts and controls of a figure with their boxes; a text of several lines has several. */
export function placesIn(root) {
  const quoted = (text) => `"${text.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 40)}"`;
  const places = [];
  const add = (element, what, boxes) => {
    if (element.closest('.visually-hidden, option')) return;
    const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!isSeen) return;
    // Plain numbers: each box is compared with all others.
    for (const { left, top, right, bottom } of boxes)
      places.push({ element, what, box: { left, top, right, bottom } });
  };
  // In Firefox the box of a text in a drawing is wider than its letters, by a pixel at each end.
  const slack = navigator.userAgent.includes('Firefox') ? 1 : 0;
  const boxOf = (text) => {
    const { left, top, width, height } = text.getBoundingClientRect();
    return new DOMRect(left + slack, top, Math.max(0, width - 2 * slack), height);
  };
  for (const text of root.querySelectorAll('svg text'))
    if (text.textContent.trim()) add(text, quoted(text), [boxOf(text)]);
  for (const control of root.querySelectorAll('input, select, textarea, button:empty'))
    add(control, `<${control.localName} id="${control.id}">`, [control.getBoundingClientRect()]);
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { currentNode: node } = nodes;
    const parent = node.parentElement;
    if (!parent || parent.closest('svg, style, select, textarea') || !node.textContent.trim())
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const isCut = getComputedStyle(parent).textOverflow === 'ellipsis';
    add(parent, quoted(node), (isCut ? parent : range).getClientRects());
  }
  return places;
}

/** What leaves its drawing or the figure, and what lies on what. */
export function misplacedIn(figure) {
  const { shadowRoot: root } = figure;
  const found = new Set();
  const scrollers = [...root.querySelectorAll('*:not(svg *)')].filter((element) =>
    ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
  );
  const isScrolled = (element) =>
    scrollers.some((scroller) => scroller !== element && scroller.contains(element));
  const isCut = (element) => getComputedStyle(element).textOverflow === 'ellipsis';
  /** Boxes are as high as the font's tallest letter: of what lies above and below, a part is empty. */
  const [across, down] = [1.5, 3];
  const beyond = (box, frame) => Math.max(frame.left - box.left, box.right - frame.right);
  const meets = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2 * down;

  const frame = figure.getBoundingClientRect();
  /** What a box that scrolls does not show now lies on nothing. */
  const isShown = ({ element, box }) =>
    scrollers.every((scroller) => {
      const window = scroller.getBoundingClientRect();
      return !scroller.contains(element) || (box.top < window.bottom && box.bottom > window.top);
    });
  const places = placesIn(root).filter(isShown);
  places.forEach(({ element, what, box }, i) => {
    const svg = element.closest('svg');
    const place = svg?.getBoundingClientRect();
    if (
      place &&
      (beyond(box, place) > across ||
        place.top - box.top > down ||
        box.bottom - place.bottom > down)
    )
      found.add(`${what} leaves its drawing`);
    if (!isScrolled(element) && beyond(box, frame) > across)
      found.add(`${what} leaves the figure by ${beyond(box, frame).toFixed(1)}`);
    for (let k = 0; k < i; k++) {
      const other = places[k];
      if (other.element !== element && meets(other.box, box))
        found.add(`${what} lies on ${other.what}`);
    }
  });
  for (const element of root.querySelectorAll(
    '.drawing *:not(defs, defs *, linearGradient, .visually-hidden)',
  )) {
    if (!element.checkVisibility() || isScrolled(element) || isCut(element)) continue;
    const box = element.getBoundingClientRect();
    const name = () => `<${element.localName} class="${element.getAttribute('class') ?? ''}">`;
    // In Firefox the box of a shape has its stroke.
    const isShape = element.closest('svg') !== null;
    if (beyond(box, frame) > (isShape ? down : across))
      found.add(`${name()} leaves the figure by ${beyond(box, frame).toFixed(1)}`);
    if (isShape) continue;
    const { clientWidth, scrollWidth } = element;
    // The text of a field scrolls in it.
    const isBox = clientWidth > 0 && !element.closest('input') && !scrollers.includes(element);
    if (isBox && scrollWidth > clientWidth + 1)
      found.add(`${name()} is ${clientWidth} wide, what it holds ${scrollWidth}`);
  }
  return [...found];
}
