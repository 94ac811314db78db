/** The contents in the rail: marks the part in view, and hides while a note takes its place. */

/** The part in view is the last one that begins above this line: a share of the window's height. */
const readingLine = 0.3;

export function startRail() {
  const rail = document.querySelector<HTMLElement>('.rail');
  if (!rail) return;
  markCurrent(rail);
  hideBehindNotes(rail);
}

function markCurrent(rail: HTMLElement) {
  const links = [...rail.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  const places = links.map(({ hash }) => document.getElementById(hash.slice(1))!);
  const footer = document.querySelector('footer')!;
  const mark = () => {
    const isAtEnd = footer.getBoundingClientRect().bottom <= innerHeight + 1;
    const isAbove = (place: HTMLElement) =>
      place.getBoundingClientRect().top <= readingLine * innerHeight;
    const current = isAtEnd ? links.at(-1) : links[Math.max(0, places.findLastIndex(isAbove))];
    for (const link of links)
      if (link === current) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    if (current) bringIntoView(current, rail);
  };
  // The observed area has no upper end: a part intersects while it begins above the line. Unlike
  // scroll events, an observer also notices crossings when a figure above grows.
  const below = `${-100 * (1 - readingLine)}%`;
  const crossings = new IntersectionObserver(mark, { rootMargin: `1000000px 0px ${below} 0px` });
  for (const place of places) crossings.observe(place);
  new IntersectionObserver(mark, { threshold: [0, 1] }).observe(footer);
}

/** Scrolls the rail alone; scrollIntoView() would scroll the page too. */
function bringIntoView(link: HTMLElement, rail: HTMLElement) {
  const { top, bottom } = link.getBoundingClientRect();
  const box = rail.getBoundingClientRect();
  rail.scrollTop += Math.min(0, top - box.top) + Math.max(0, bottom - box.bottom);
}

function hideBehindNotes(rail: HTMLElement) {
  const notes = document.querySelectorAll('.chapter > :is(.side-note, .slips)');
  const passing = new Set<Element>();
  let observer: IntersectionObserver | undefined;
  const observe = () => {
    observer?.disconnect();
    passing.clear();
    // The area that the rail covers while it sticks. Before it does, no note is that far up.
    const top = Number.parseFloat(getComputedStyle(rail).top) || 0;
    const below = Math.max(0, innerHeight - top - rail.offsetHeight);
    observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) passing.add(target);
          else passing.delete(target);
        rail.classList.toggle('behind', passing.size > 0);
      },
      { rootMargin: `${-Math.round(top)}px 0px ${-Math.round(below)}px 0px` },
    );
    for (const note of notes) observer.observe(note);
  };
  new ResizeObserver(observe).observe(document.documentElement);
}
