/** Back and Forward within a page. */

/** @param visit the page, see visits.mjs */
export function travelIn(visit) {
  return {
    /** Does something and waits until the address changes. */
    async written(act) {
      const before = await visit.tab.evaluate(() => location.search);
      await act();
      await visit.tab.waitForFunction((old) => location.search !== old, { polling: 20 }, before);
    },
    go: (steps) =>
      visit.tab.evaluate(
        (by) =>
          new Promise((done) => {
            addEventListener('popstate', () => setTimeout(done), { once: true });
            history.go(by);
          }),
        steps,
      ),
  };
}
