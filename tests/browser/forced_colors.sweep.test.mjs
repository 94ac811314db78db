/** Colors that the reader forces on every page: what is drawn by backgrounds must not vanish. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages } from './support/figures.mjs';
import { describeInChromium } from './support/visits.mjs';

describeInChromium('forced colors', (visit) => {
  const force = async (value) => {
    const session = await visit.tab.createCDPSession();
    const features = [
      { name: 'forced-colors', value },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ];
    await session.send('Emulation.setEmulatedMedia', { features });
  };

  /** How many columns of a picture have the color of its corner along its middle. */
  const emptyAlong = (png) =>
    visit.tab.evaluate(async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const color = (x, y) =>
        data.slice(4 * (y * image.width + x), 4 * (y * image.width + x) + 3).join();
      // A place between two pixels moves a thin track by one.
      const middle = [-1, 0, 1].map((by) => Math.floor(image.height / 2) + by);
      const isEmpty = (_, x) => middle.every((y) => color(x, y) === color(0, 0));
      return Array.from({ length: image.width }, isEmpty).filter(Boolean).length;
    }, `data:image/png;base64,${png}`);

  test('a slider has its track from end to end, and a thumb on it', async () => {
    const { page } = await visit.figure('rotary-clocks');
    await force('active');
    const slider = (
      await page.evaluateHandle(() =>
        document.querySelector('[name="rotary-clocks"]').shadowRoot.querySelector('#pair'),
      )
    ).asElement();
    const { width } = await slider.boundingBox();
    const empty = await emptyAlong(await slider.screenshot({ encoding: 'base64' }));
    assert.ok(empty < 0.2 * width, `${empty} of ${width} pixels are empty`);
  });

  for (const { path, figures: names } of pages) {
    test(`/${path}: what no one drew stays undrawn, and what is chosen differs from what is not`, async () => {
      await visit.open(path);
      for (const name of names) await visit.page.figure(name);
      const bordersOf = () =>
        visit.tab.evaluate(
          (all) =>
            all
              .flatMap((name) => {
                const { shadowRoot } = document.querySelector(`[name="${name}"]`);
                return [...shadowRoot.querySelectorAll('*:not(svg *)')].map((element) => {
                  const style = getComputedStyle(element);
                  const drawn = ['Top', 'Right', 'Bottom', 'Left'].filter(
                    (side) =>
                      style[`border${side}Style`] !== 'none' &&
                      style[`border${side}Width`] !== '0px',
                  );
                  const hidden = drawn.filter(
                    (side) => style[`border${side}Color`] === 'rgba(0, 0, 0, 0)',
                  );
                  return (
                    hidden.length > 0 &&
                    `${name}: <${element.localName} class="${element.className}">`
                  );
                });
              })
              .filter(Boolean),
          names,
        );
      // A border that is transparent is drawn as soon as colors are forced.
      assert.deepEqual([...new Set(await bordersOf())], []);
      await force('active');
      const looks = await visit.tab.evaluate(
        (all) =>
          all.flatMap((name) => {
            const { shadowRoot } = document.querySelector(`[name="${name}"]`);
            const look = (element) => {
              const { borderBottom, outline } = getComputedStyle(element);
              return `${borderBottom} ${outline}`;
            };
            const marks = [
              ['button[aria-pressed="true"]', 'button[aria-pressed="false"]'],
              ['.segments input:checked + span', '.segments input:not(:checked) + span'],
            ];
            return marks.flatMap(([chosen, other]) => {
              const [a, b] = [chosen, other].map((selector) => shadowRoot.querySelector(selector));
              return a && b && look(a) === look(b)
                ? [`${name}: ${chosen} looks like ${other}`]
                : [];
            });
          }),
        names,
      );
      assert.deepEqual(looks, []);
    });
  }
});
