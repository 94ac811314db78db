/** Work on figures that nobody sees: one figure to a task, so that no task holds the page up. */
const waiting = new Map<Element, () => void>();

/** Now, if the element is in the window or the page goes to paper; otherwise in its turn. */
export function inTurn(element: Element, work: () => void) {
  waiting.delete(element);
  const { top, bottom } = element.getBoundingClientRect();
  if ((bottom > 0 && top < innerHeight) || matchMedia('print').matches) return work();
  if (waiting.size === 0) setTimeout(next);
  waiting.set(element, work);
}

function next() {
  const [first] = waiting;
  if (!first) return;
  const [element, work] = first;
  waiting.delete(element);
  work();
  if (waiting.size > 0) setTimeout(next);
}

/** Paper shows every figure, and shows it at once. */
export function takeAllTurns() {
  const all = [...waiting.values()];
  waiting.clear();
  for (const work of all) work();
}
