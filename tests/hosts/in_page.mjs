/** What the check asks a page; these functions run there, and call each other. */
import { placesIn, prepareComplaints } from '../browser/support/complaints.mjs';
import { prepareFunctions } from '../browser/support/settings.mjs';

/** Every document of the tab has the functions, and keeps what it would otherwise forget. */
export async function prepare(tab) {
  await prepareComplaints(tab);
  await prepareFunctions(tab, [
    treesIn,
    undefinedIn,
    rgbaOf,
    groundOf,
    faintIn,
    emptyIn,
    scrolledIn,
  ]);
  await tab.evaluateOnNewDocument(keepShifts);
  await tab.evaluateOnNewDocument(keepRefusals);
  await tab.evaluateOnNewDocument(keepHeights);
}

/** Layout shifts without a reader's doing, and what they moved. Firefox does not measure them. */
function keepShifts() {
  globalThis.shifts = [];
  if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return;
  const name = ({ node }) => node?.nodeName.toLowerCase() ?? 'something';
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of /** @type {any[]} */ (list.getEntries()))
      if (!hadRecentInput) globalThis.shifts.push([value, sources.map(name).join()]);
  }).observe({ type: 'layout-shift', buffered: true });
}

/** The windows of frames that have named the height of their figure. */
function keepHeights() {
  globalThis.measured = new Set();
  addEventListener('message', ({ data, source }) => {
    if (data?.type === 'ropewalk-height') globalThis.measured.add(source);
  });
}

function keepRefusals() {
  globalThis.refused = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    globalThis.refused.push(`${violatedDirective} refused ${blockedURI}`),
  );
}

/** The document, and every shadow tree in it. */
export function treesIn(root) {
  const hosts = [...root.querySelectorAll('*')].filter(({ shadowRoot }) => shadowRoot);
  return [root, ...hosts.flatMap(({ shadowRoot }) => treesIn(shadowRoot))];
}

/** Custom elements of figures that no script has defined; a host may leave its own undefined. */
export function undefinedIn(root) {
  const all = treesIn(root).flatMap((tree) => [...tree.querySelectorAll(':not(:defined)')]);
  const ours = all.map(({ localName }) => localName).filter((name) => /^(ropewalk|rw)-/.test(name));
  return [...new Set(ours)];
}

/** Red, green, blue and opacity, each up to 255, of any color that a style can have. */
export function rgbaOf(color) {
  const page = /** @type {any} */ (globalThis);
  page.swatch ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const { swatch } = page;
  swatch.clearRect(0, 0, 1, 1);
  swatch.fillStyle = color;
  swatch.fillRect(0, 0, 1, 1);
  return [...swatch.getImageData(0, 0, 1, 1).data];
}

/** The color behind an element: the backgrounds around it, mixed, also through shadow hosts. */
export function groundOf(element) {
  const mixed = [0, 0, 0];
  let seen = 1;
  for (let at = element; at && seen > 0.01; at = at.parentElement ?? at.getRootNode().host) {
    const [red, green, blue, alpha] = rgbaOf(getComputedStyle(at).backgroundColor);
    [red, green, blue].forEach((value, i) => (mixed[i] += (seen * value * alpha) / 255));
    seen *= 1 - alpha / 255;
  }
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark';
  return mixed.map((value) => value + seen * (isDark ? 18 : 255));
}

/** Texts of a figure whose contrast with what is behind them is too low (WCAG 2.2, 1.4.3). */
export function faintIn(figure) {
  const { shadowRoot: root } = figure;
  const linear = (share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) =>
    0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  // What lies on a shape has another ground than its ancestors say.
  const shapes = [...root.querySelectorAll('svg :is(rect, path, circle, polygon), canvas')]
    .filter((shape) => shape.localName === 'canvas' || getComputedStyle(shape).fill !== 'none')
    .map((shape) => shape.getBoundingClientRect());
  const isOnShape = (text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return shapes.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom);
  };
  const found = [];
  for (const { element, what } of placesIn(root)) {
    const isDrawn = element instanceof SVGElement;
    if (element.matches('input, select, textarea, :disabled') || (isDrawn && isOnShape(element)))
      continue;
    const { color, fill, fontSize, fontWeight } = getComputedStyle(element);
    const ground = groundOf(element);
    const [red, green, blue, alpha] = rgbaOf(isDrawn ? fill : color);
    const ink = [red, green, blue].map(
      (value, i) => (value * alpha + ground[i] * (255 - alpha)) / 255,
    );
    const size = Number.parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    const value = contrast(ink, ground);
    if (value < least - 0.05) found.push(`${what} has the contrast ${value.toFixed(2)}`);
  }
  return found;
}

/** Parts of the drawing that are there and show nothing. */
export function emptyIn(figure) {
  const parts = [...figure.shadowRoot.querySelectorAll('.drawing :is(svg, canvas)')];
  if (parts.length === 0) return ['nothing is drawn'];
  const isOneColor = (canvas) => {
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer);
    return pixels.every((pixel) => pixel === pixels[0]);
  };
  return parts
    .filter((part) => {
      const { width, height } = part.getBoundingClientRect();
      if (width * height === 0) return part.checkVisibility();
      if (part.localName === 'canvas') return isOneColor(part);
      return !part.querySelector('path, line, rect, circle, text, polyline');
    })
    .map(({ localName }) => `an empty <${localName}>`);
}

/**
 * Scroll bars that a reader meets inside the page: in the figure, in what the host has around it,
 * and of the document where that is in a frame.
 */
export function scrolledIn(figure, { isAround }) {
  const around = [];
  for (let at = figure.parentElement; isAround && at && at !== document.body; at = at.parentElement)
    around.push(at);
  const inner = [...figure.shadowRoot.querySelectorAll('*')].filter(
    (element) => !element.closest('.table, svg'),
  );
  const scrolls = (way, content, box) => ['auto', 'scroll'].includes(way) && content > box + 1;
  const found = [...inner, ...around].filter((element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    // A layout may have one box that scrolls in place of the page.
    const isPage = element.clientHeight >= innerHeight - 200 && around.includes(element);
    return (
      scrolls(overflowX, element.scrollWidth, element.clientWidth) ||
      (!isPage && scrolls(overflowY, element.scrollHeight, element.clientHeight))
    );
  });
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
  if (scrollWidth > clientWidth + 1) found.push(document.documentElement);
  if (parent !== self && scrollHeight > clientHeight + 1) found.push(document.documentElement);
  return found.map(
    (element) =>
      `<${element.localName} class="${element.className}"> scrolls: ` +
      `${element.scrollWidth} × ${element.scrollHeight} in ` +
      `${element.clientWidth} × ${element.clientHeight}`,
  );
}
