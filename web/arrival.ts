/** Keeps the place that a link leads to where it is while figures above it take their heights. */

/** What a reader does to move on: from then on the page stays where the reader puts it. */
const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/** For the address of this visit, and for each link within the page from now on. */
export function keepPlaceOfLink() {
  let release = () => {};
  const hold = (isThere: (place: Element) => boolean = () => true) => {
    const place = document.getElementById(location.hash.slice(1));
    if (place && isThere(place)) release = keepInPlace(place);
  };
  // A visit that is repeated begins where the reader left the page, and so does the way back.
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (visit?.type === 'navigate') hold();
  addEventListener('hashchange', () => {
    release();
    hold(isArrivedAt);
  });
}

const isAtEnd = () => scrollY >= document.documentElement.scrollHeight - innerHeight - 1;

function isArrivedAt(place: Element) {
  const wanted = Number.parseFloat(getComputedStyle(place).scrollMarginTop);
  return isAtEnd() || Math.abs(place.getBoundingClientRect().top - wanted) <= 1;
}

/** Scrolls to a place whenever a part of the page changes its size, until the reader moves on. */
function keepInPlace(place: Element): () => void {
  const root = document.documentElement;
  const { hash } = location;
  const listening = new AbortController();
  let scrolledTo = scrollY;
  let doubt: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    clearTimeout(doubt);
    // The next link has scrolled already, and its event comes later.
    if (location.hash !== hash) return;
    place.scrollIntoView();
    scrolledTo = scrollY;
  });
  // Whatever can move it: what stands beside it and around it.
  observer.observe(root);
  for (let part = place; part !== root; part = part.parentElement!)
    for (const beside of part.parentElement!.children) observer.observe(beside);
  // A browser that keeps another part of the page in its place would move this one.
  root.style.overflowAnchor = 'none';
  const release = () => {
    clearTimeout(doubt);
    observer.disconnect();
    listening.abort();
    root.style.overflowAnchor = '';
  };
  const options = { signal: listening.signal, passive: true };
  for (const move of moves) addEventListener(move, release, options);
  // Moves without such an event: a dragged scroll bar, a search of the browser, a screen reader.
  // A browser scrolls to the place of a link, too, once or twice while the page loads, and the
  // event comes later: if a part has grown since, the place is elsewhere, and the observer says so
  // next.
  addEventListener(
    'scroll',
    () => {
      // Firefox rounds by up to a pixel where it scrolls to.
      const isMoved = Math.abs(scrollY - scrolledTo) > 2;
      clearTimeout(doubt);
      if (isMoved && !isArrivedAt(place)) doubt = setTimeout(release);
    },
    options,
  );
  return release;
}
