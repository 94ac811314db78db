/** What a figure takes from the page on which it stands: its language and its theme. */
import type { Language } from '../languages.ts';
import { containersOf, isLight } from './background.ts';

/** Returns the language of the nearest element with `lang`, also from inside a shadow tree. */
export function languageOf(element: Element): Language {
  for (let from: Element | undefined = element; from;) {
    const lang = from.closest('[lang]')?.getAttribute('lang');
    if (lang) return lang.toLowerCase().startsWith('zh') ? 'zh' : 'en';
    const root = from.getRootNode();
    from = root instanceof ShadowRoot ? root.host : undefined;
  }
  return 'en';
}

/** Reloads the page if its server responds. The settings are in the address. */
export async function reloadIfServed() {
  const page = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined);
  if (page?.ok) location.reload();
}

export type Theme = 'light' | 'dark';

export interface Scheme {
  theme: Theme;
  /** Whether the element's color-scheme says the same: if not, the figure has to set its own. */
  isDeclared: boolean;
}

/**
 * The color of a page without backgrounds. Styles give it to a figure, in a property that shows
 * nothing, so that the browser says which color-scheme it uses; a frame has no styles of ours.
 */
function canvasBehind(element: Element): string {
  const { colorScheme, columnRuleColor } = getComputedStyle(element);
  if (element.shadowRoot) return columnRuleColor;
  const isDark = colorScheme.includes('dark') && (!colorScheme.includes('light') || isSystemDark());
  return isDark ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)';
}

const isSystemDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

/**
 * The theme that an element has by its attribute, or else that can be read on what is behind it:
 * pages have many ways to be dark, and some declare a color-scheme that they do not have.
 */
function schemeOf(element: Element, containers: readonly Element[]): Scheme {
  const given = element.getAttribute('theme');
  const canvas = canvasBehind(element);
  // Browsers print no backgrounds.
  const isOnLight = matchMedia('print').matches || isLight(containers, canvas);
  const theme = given === 'light' || given === 'dark' ? given : isOnLight ? 'light' : 'dark';
  return { theme, isDeclared: isLight([], canvas) === (theme === 'light') };
}

/** Events after which the page may have another background. */
const events = [
  // A style sheet has arrived.
  'load',
  // A switch that style sheets follow without a script.
  'change',
  // A background that fades has still its old color when the class changes.
  'transitionend',
  'transitioncancel',
];

const isSheet = (node: Node) =>
  node instanceof Element && node.matches('style, link[rel~="stylesheet" i]');

/** Whether an event of the page can have changed what is behind an element. */
function concerns(event: Event, containers: readonly Element[]): boolean {
  const target = event.target as Element;
  if (event.type === 'load') return isSheet(target);
  // Figures send an event of that name too.
  if (event.type === 'change') return event.isTrusted;
  const { propertyName } = event as TransitionEvent;
  return propertyName === 'background-color' && containers.includes(target);
}

/** The same of a change in the document; `drawn` changes with every move of a control. */
const mayRestyle = ({ type, attributeName, target, addedNodes, removedNodes }: MutationRecord) =>
  type === 'attributes'
    ? attributeName !== 'drawn'
    : [target, ...addedNodes, ...removedNodes].some(isSheet);

/**
 * Calls `notify` with the theme, now and after each change; returns a function that stops it. To
 * read the theme at every drawing would make the browser recompute the styles of the whole page.
 */
export function watchTheme(element: Element, notify: (scheme: Scheme) => void): () => void {
  const containers = containersOf(element);
  let last: Scheme | undefined;
  const look = () => {
    const scheme = schemeOf(element, containers);
    if (scheme.theme !== last?.theme || scheme.isDeclared !== last.isDeclared) notify(scheme);
    last = scheme;
  };
  look();
  const listen = (event: Event) => {
    if (concerns(event, containers)) look();
  };
  for (const type of events) document.addEventListener(type, listen, true);
  addEventListener('load', look);
  const queries = [matchMedia('(prefers-color-scheme: dark)'), matchMedia('print')];
  for (const query of queries) query.addEventListener('change', look);
  // A class, a data attribute, a style: pages have no one way to say that they are dark.
  const choice = new MutationObserver((changes) => {
    if (changes.some(mayRestyle)) look();
  });
  for (const place of [element, ...containers]) choice.observe(place, { attributes: true });
  // Style sheets that come, go and are switched.
  choice.observe(document.head, {
    attributeFilter: ['disabled', 'media', 'rel', 'href'],
    childList: true,
    subtree: true,
  });
  return () => {
    for (const type of events) document.removeEventListener(type, listen, true);
    removeEventListener('load', look);
    for (const query of queries) query.removeEventListener('change', look);
    choice.disconnect();
  };
}
