/**
 * Calls `act`, which makes an element lower by `spare` CSS pixels, as soon as its lower edge is
 * below the window before and after: what follows the element moves unseen. Returns a function that
 * ends the wait.
 */
export function whenEndIsHidden(
  element: Element,
  spare: () => number,
  act: () => void,
): () => void {
  const stop = () => {
    removeEventListener('scroll', look, true);
    removeEventListener('resize', look);
  };
  const look = () => {
    const isSeen = element.getBoundingClientRect().bottom - spare() < innerHeight;
    if (isSeen && element.isConnected) return;
    stop();
    act();
  };
  addEventListener('scroll', look, { capture: true, passive: true });
  addEventListener('resize', look);
  look();
  return stop;
}
