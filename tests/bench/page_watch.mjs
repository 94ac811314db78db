/** What a test notes inside a page; each function runs there, and refers to nothing outside itself. */

/**
 * Notes the page's long tasks, where the browser reports them, and its longest pause, in
 * `globalThis.watched`. A later call begins anew.
 */
export function watch() {
  const seen = { pause: 0, tasks: undefined };
  globalThis.watched = seen;
  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
    seen.tasks = [];
    const note = (list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(note).observe({ type: 'longtask' });
  }
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    seen.pause = Math.max(seen.pause, now - last);
    last = now;
    if (globalThis.watched === seen) setTimeout(look, 5);
  };
  look();
}
