/**
 * Settings of a figure that are worth a look, and how to bring them onto the page: each control is
 * an attribute of the element. The functions run in the page; every tab that has been prepared has
 * them.
 */
export const prepareSettings = (tab) =>
  prepareFunctions(tab, [atEachSetting, randomFrom, settingsOf, show]);

/** Makes functions global in every document of a tab; they may call each other. */
export function prepareFunctions(tab, functions) {
  const names = functions.map(({ name }) => name).join();
  return tab.evaluateOnNewDocument(
    `${functions.join('\n')}\nObject.assign(globalThis, { ${names} })`,
  );
}

/** Numbers in [0, 1) that a seed determines: mulberry32. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The defaults; each range at its maximum, each option, each of the texts; all ranges at their
 * minimum and at their maximum; and `count` times everything drawn at random. Each of them once.
 * @param {Pick<FigureElement, 'figure'>} element
 * @param {{ texts: string[], count: number }} options `texts` are the values of text controls
 */
export function settingsOf({ figure }, { texts, count }) {
  const entries = Object.entries(figure.controls);
  /** @type {Record<string, (control: Partial<FigureControl>) => string[]>} */
  const words = {
    range: ({ max }) => [String(max)],
    choice: ({ options }) => options.map(({ value }) => value),
    switch: () => ['yes', 'no'],
    text: () => texts,
  };
  const each = entries.flatMap(([key, control]) =>
    words[control.kind](control).map((word) => ({ [key]: word })),
  );
  const ranges = entries.filter(([, { kind }]) => kind === 'range');
  const ends = ['min', 'max'].map((end) =>
    Object.fromEntries(ranges.map(([key, control]) => [key, String(control[end])])),
  );
  const random = randomFrom(1);
  const one = (list) => list[Math.floor(random() * list.length)];
  const drawn = (/** @type {FigureControl} */ { kind, min, max, step = 1, ...control }) => {
    if (kind !== 'range') return one(words[kind](control));
    if (step === 'log') return String(Number((min * (max / min) ** random()).toPrecision(4)));
    return String(Number((min + step * Math.floor(random() * ((max - min) / step))).toFixed(6)));
  };
  const any = () => Object.fromEntries(entries.map(([key, control]) => [key, drawn(control)]));
  const all = [{}, ...each, ...ends, ...Array.from({ length: count }, any)];
  const defaults = entries.map(([key, { kind, default: usual }]) => [
    key,
    kind === 'switch' ? (usual ? 'yes' : 'no') : String(usual),
  ]);
  const shown = (settings) => JSON.stringify({ ...Object.fromEntries(defaults), ...settings });
  return [...new Map(all.map((settings) => [shown(settings), settings])).values()];
}

/** Resolves once the figure shows these settings, and the default of every other. */
export async function show(figure, settings) {
  for (const key of Object.keys(figure.figure.controls)) {
    if (key in settings) figure.setAttribute(key, settings[key]);
    else figure.removeAttribute(key);
  }
  // The element reads its attributes in a microtask.
  await Promise.resolve();
  const isDone = () => figure.hasAttribute('drawn') || figure.shadowRoot.querySelector('.fault');
  while (!isDone()) await new Promise(requestAnimationFrame);
  await figure.updateComplete;
}

/**
 * Calls `look` with each figure at each of the settings that settingsOf() gives, and with these. All
 * figures change at once, so that the page is laid out once for all of them, but those that show a
 * pair that is chosen in another take turns. They have their first settings at the end.
 * @param {string[]} names
 * @param {Parameters<typeof settingsOf>[1]} options
 * @param {(figure: FigureElement, settings: Record<string, string>) => void} look
 */
export async function atEachSetting(names, options, look) {
  /** @type {FigureElement[]} */
  const figures = names.map((name) => document.querySelector(`ropewalk-figure[name="${name}"]`));
  const isLinked = ({ figure }) => figure.controls.pair?.brush === true;
  const linked = figures.filter(isLinked).map((figure) => [figure]);
  for (const group of [figures.filter((figure) => !isLinked(figure)), ...linked]) {
    const all = group.map((figure) => ({ figure, settings: settingsOf(figure, options) }));
    const most = Math.max(0, ...all.map(({ settings }) => settings.length));
    for (let k = 0; k < most; k++) {
      const now = all.filter(({ settings }) => k < settings.length);
      await Promise.all(now.map(({ figure, settings }) => show(figure, settings[k])));
      // Before any is looked at: each motion that ends has the page laid out again.
      for (const { figure } of now)
        for (const motion of figure.shadowRoot.getAnimations()) motion.finish();
      for (const { figure, settings } of now) look(figure, settings[k]);
    }
    await Promise.all(group.map((figure) => show(figure, {})));
  }
}
