/** How bright the ground is on which a figure stands: the backgrounds of the elements around it. */

/** The shadow host, the slot or the element that an element stands in as it is laid out. */
function containerOf(element: Element): Element | undefined {
  const parent = element.assignedSlot ?? element.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : undefined;
}

/** The elements around one, from the inside out, also through shadow trees. */
export function containersOf(element: Element): Element[] {
  const found: Element[] = [];
  for (let at = containerOf(element); at; at = containerOf(at)) found.push(at);
  return found;
}

const linear = (share: number) =>
  share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;

/** Relative luminance, from 0 for black to 1 for white (WCAG 2.2). */
const luminanceOf = (red: number, green: number, blue: number) =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/**
 * The relative luminance and the opacity of a color as getComputedStyle serializes it (CSS Color 4,
 * section 15). Wide gamuts count as sRGB, and lightness as that of a gray: what remains is far from
 * the threshold between light and dark.
 */
export function lightOf(color: string): { luminance: number; alpha: number } {
  const numbers = (color.match(/(?<![\w.])-?[\d.]+(e-?\d+)?%?/g) ?? []).map((text) =>
    text.endsWith('%') ? Number.parseFloat(text) / 100 : Number(text),
  );
  const [first = 0, second = 0, third = 0, alpha = 1] = numbers;
  if (/^rgb/.test(color))
    return { luminance: luminanceOf(first / 255, second / 255, third / 255), alpha };
  if (/^okl/.test(color)) return { luminance: first ** 3, alpha };
  if (/^(lab|lch)/.test(color)) return { luminance: Math.max(0, (first + 16) / 116) ** 3, alpha };
  if (/^color\(xyz/.test(color)) return { luminance: second, alpha };
  if (/^color\(.*-linear /.test(color))
    return { luminance: 0.2126 * first + 0.7152 * second + 0.0722 * third, alpha };
  if (/^color\(/.test(color)) return { luminance: luminanceOf(first, second, third), alpha };
  return { luminance: 0, alpha: 0 };
}

/** Above this luminance, black has more contrast than white. */
const threshold = 0.18;

/**
 * Whether dark text can be read on the ground of an element. Backgrounds that one can see through
 * are mixed with those behind them; pictures do not count.
 * @param canvas the color behind all elements
 */
export function isLight(containers: readonly Element[], canvas: string): boolean {
  let luminance = 0;
  let seen = 1;
  for (const container of containers) {
    const ground = lightOf(getComputedStyle(container).backgroundColor);
    luminance += seen * ground.alpha * ground.luminance;
    seen *= 1 - ground.alpha;
    if (seen < 0.01) break;
  }
  return luminance + seen * lightOf(canvas).luminance > threshold;
}
