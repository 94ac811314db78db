/** A token of the sentence is dragged to another place by mouse, pen or finger. */

/** A pointer that moves less is a click or a tap. */
const threshold = 4;

/** How many of the items stand before a point, in lines from left to right. */
const placeAt = (items: readonly Element[], x: number, y: number) =>
  items.filter((item) => {
    const { left, right, top, bottom } = item.getBoundingClientRect();
    return bottom < y || (top <= y && (left + right) / 2 < x);
  }).length;

/**
 * Follows the pointer that was pressed on an item of a list until it is let go; then calls `move`
 * with the item's new place among the items. The browser may take a finger's gesture to scroll,
 * which ends the drag without a move.
 */
export function startDrag(event: PointerEvent, move: (to: number) => void) {
  if (event.button !== 0 || !event.isPrimary) return;
  const item = event.currentTarget as HTMLElement;
  const all = [...item.parentElement!.querySelectorAll('li[tabindex]')];
  const others = all.filter((other) => other !== item);
  const { clientX, clientY } = event;
  const ended = new AbortController();
  let to: number | undefined;

  const mark = (place?: number) => {
    others.forEach((other, i) => {
      other.toggleAttribute('data-before', i === place);
      other.toggleAttribute('data-after', place === others.length && i === place - 1);
    });
  };
  const follow = ({ clientX: x, clientY: y }: PointerEvent) => {
    if (to === undefined && Math.hypot(x - clientX, y - clientY) < threshold) return;
    to = placeAt(others, x, y);
    item.toggleAttribute('data-dragged', true);
    item.style.translate = `${x - clientX}px ${y - clientY}px`;
    mark(to);
  };
  const end = () => {
    ended.abort();
    item.removeAttribute('data-dragged');
    item.style.translate = '';
    mark();
  };
  const drop = () => {
    end();
    if (to !== undefined && to !== all.indexOf(item)) move(to);
  };
  // Captured, the pointer enters no other token.
  item.setPointerCapture(event.pointerId);
  const options = { signal: ended.signal };
  item.addEventListener('pointermove', follow, options);
  item.addEventListener('pointerup', drop, options);
  item.addEventListener('pointercancel', end, options);
}
