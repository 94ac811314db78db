/**
 * Calls `act` as soon as the lower edge of an element is below the window: what follows the element
 * may then move unseen. Returns a function that ends the wait.
 */
export function whenEndIsHidden(element: Element, act: () => void): () => void {
  const stop = () => {
    removeEventListener('scroll', look, true);
    removeEventListener('resize', look);
  };
  const look = () => {
    const isSeen = element.getBoundingClientRect().bottom < innerHeight;
    if (isSeen && element.isConnected) return;
    stop();
    act();
  };
  addEventListener('scroll', look, { capture: true, passive: true });
  addEventListener('resize', look);
  look();
  return stop;
}
