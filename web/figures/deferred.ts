/** Work on figures out of sight, one figure per task, so that no task blocks the page. */
const waiting = new Map<Element, () => void>();

/** Now, if the element is in the window or the page goes to paper; otherwise in a later task. */
export function runOrDefer(element: Element, work: () => void) {
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
export function runAllDeferred() {
  const all = [...waiting.values()];
  waiting.clear();
  for (const work of all) work();
}
