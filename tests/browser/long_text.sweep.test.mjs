/**
 * The map of a long text in Chromium and Firefox: it is zoomed, pointed at and recomputed, and its
 * numbers are compared with rows that are computed here, in double, at full length.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRopewalk } from 'ropewalk';
import * as reference from '../support/reference.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const { longTextBlock, longTextCell, longTextSketch, longTextTile } = await importFromWeb(
  'chapters/attention_lab/long_text_jobs.ts',
);
const { LongTextMap } = await importFromWeb('chapters/attention_lab/long_text_map.ts');
const { embed, modelWidth, weightsOf } = await importFromWeb('toy/toy_model.ts');
const { normal, stream } = await importFromWeb('toy/hash_random.ts');
const { colorOf, magnitudeScale } = await importFromWeb('plots/colors.ts');

const heads = 8;
const headDim = 32;
const longest = 4096;
/** 163 tokens, some of them again and again: their copies return 25 times in 4,096. */
const words = Array.from({ length: 163 }, (_, i) => (i % 7 === 0 ? 'the' : `w${(i * i) % 101}`));
const usual = {
  text: words.join(' '),
  scheme: 'rope',
  head: 8,
  seed: 1,
  likeness: 1,
  causal: 'yes',
  length: longest,
};
const schemes = ['none', 'sinusoidal', 'rope', 'alibi', 't5', 'window'];

/** T5's bucket of a distance, for keys before their query: Raffel et al. 2020, 32 buckets, up to 128. */
function bucket(distance) {
  if (distance < 16) return distance;
  return Math.min(31, 16 + Math.floor((Math.log(distance / 16) / Math.log(128 / 16)) * 16));
}

/** Rows of weights of one head, in double. */
class Reference {
  constructor({ text, scheme, head, seed, likeness, causal, length }) {
    const tokens = text.split(' ');
    this.tokens = Array.from({ length }, (_, at) => tokens[at % tokens.length]);
    this.scheme = scheme;
    this.isCausal = causal === 'yes';
    const positions = this.tokens.map((_, at) => at);
    const x = reference.rowsOf(embed(this.tokens, seed), modelWidth);
    const input =
      scheme === 'sinusoidal' ? reference.add(x, reference.sinusoidal(positions, modelWidth)) : x;
    const vectors = (role) => {
      const all = weightsOf(role, { heads, headDim, seed, likeness });
      const size = modelWidth * headDim;
      const matrix = reference.rowsOf(all.slice((head - 1) * size, head * size), headDim);
      const rows = reference.multiply(input, matrix);
      return scheme === 'rope' ? reference.rotate(rows, positions, 'half-split') : rows;
    };
    this.q = vectors('query');
    this.k = vectors('key');
    this.slope = reference.alibiSlopes(heads)[head - 1];
    const draws = stream(seed, head - 1, 32);
    this.biases = Array.from({ length: 32 }, (_, i) => 2 * normal(draws, i));
  }

  bias(distance) {
    if (this.scheme === 'alibi') return -this.slope * Math.abs(distance);
    return this.scheme === 't5' ? this.biases[bucket(distance)] : 0;
  }

  sees(row, column) {
    if (this.isCausal && column > row) return false;
    return this.scheme !== 'window' || Math.abs(row - column) < 256;
  }

  row(row) {
    return reference.softmax(
      this.k.map((key, column) =>
        this.sees(row, column)
          ? reference.dot(this.q[row], key) / Math.sqrt(headDim) + this.bias(row - column)
          : -Infinity,
      ),
    );
  }

  /** The weights of a square, row by row. */
  square({ row, column, side }) {
    return Array.from({ length: side }, (_, r) =>
      this.row(row + r).slice(column, column + side),
    ).flat();
  }
}

/** Logits are float32 sums of size up to 30, whose rounding the exponential turns into this. */
const tolerance = 2e-4;

function near(actual, expected, what) {
  const bound = tolerance * Math.abs(expected) + 1e-30;
  assert.ok(Math.abs(actual - expected) <= bound, `${what}: ${actual} is not ${expected}`);
}

const middle = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

/**
 * In the page, before anything else: every height of the figure since it was first drawn with the
 * letters of the site.
 */
function watchHeight() {
  globalThis.heights = new Set();
  const look = () => {
    const figure = document.querySelector('ropewalk-figure[drawn]');
    if (figure && document.fonts.status === 'loaded')
      globalThis.heights.add(Math.round(figure.getBoundingClientRect().height));
    requestAnimationFrame(look);
  };
  look();
}

test('a coarse map of all rows comes first, and goes when the blocks are there', async () => {
  const rw = await createRopewalk();
  const request = { ...usual, scheme: 'none', causal: true, head: 7, length: 512 };
  const run =
    (job) =>
    async (...given) =>
      job(rw, ...given);
  const jobs = { longTextSketch, longTextBlock, longTextTile, longTextCell };
  const channel = () =>
    Object.fromEntries(Object.entries(jobs).map(([key, job]) => [key, run(job)]));
  const map = new LongTextMap({ channel }, request, words, { causal: true, window: Infinity });
  const region = { level: 2, rows: [0, 511], columns: [0, 511] };
  const first = await new Promise((done) => {
    map.changed = () => done(map.pieces(region));
    map.look(region);
  });
  assert.deepEqual(
    first.map(({ level, width, height }) => [level, width, height]),
    [[4, 32, 32]],
  );
  const expected = new Reference({ ...usual, scheme: 'none', length: 512 });
  for (const [y, x] of [
    [20, 5],
    [31, 31],
  ])
    near(
      first[0].mean[32 * y + x],
      middle(expected.row(16 * y + 8).slice(16 * x, 16 * x + 16)),
      'texel',
    );
  await map.whole;
  assert.ok(map.pieces(region).every(({ level }) => level === 2));
});

describeInBrowsers('the long text', (visit, name) => {
  let figure;

  /**
   * @param {object} [settings]
   * @param {{ width?: number, prepare?: (tab: import('puppeteer-core').Page) => unknown }} [options]
   */
  async function open(settings = {}, { width = 1100, prepare } = {}) {
    const query = Object.entries({ figure: 'long-text', ...usual, ...settings });
    const words = new URLSearchParams(query.map(([key, value]) => [key, String(value)]));
    const page = await visit.open(`embed.html?${words}`, { width, prepare });
    figure = await page.figure('long-text');
    await complete();
  }

  const map = "root.querySelector('rw-weight-map')";
  /** Waits two frames for the drawing to begin, then until nothing is missing. */
  const complete = async () => {
    await figure.inside(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 0)',
    );
    await figure.until(`${map}?.hasAttribute('complete')`);
  };
  const attribute = (key) => figure.inside(`${map}.dataset[${JSON.stringify(key)}]`);
  const where = () => figure.text('.map-where');
  const value = async (id) => {
    await figure.until(`root.querySelector('.long-focus data')`);
    return Number(await figure.inside(`root.querySelector('[data-number="${id}"]')?.value ?? NaN`));
  };
  const press = async (key) => {
    await figure.inside(`(${map}.focus(), 0)`);
    await visit.tab.keyboard.press(key);
    await complete();
  };
  /** Moves the real pointer to a share of the map's square; the box of that in the window. */
  const move = async (x, y) => {
    const box = await figure.inside(`(() => {
      const canvas = ${map}.querySelector('.edges');
      canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width } = canvas.getBoundingClientRect();
      return { left: left + 64, top: top + 64, side: width - 72 };
    })()`);
    await visit.tab.mouse.move(box.left + x * box.side, box.top + y * box.side);
    return box;
  };
  /** The same, until what is there is pointed at: to a pixel or two, as the browser rounds. */
  const hover = async (x, y) => {
    const box = await move(x, y);
    await figure.until(`(({ sight, marked }) => {
      const isNear = (first, middle, share) =>
        Math.abs(first + marked.side / 2 - middle - (share - 0.5) * sight.span) <= marked.side / 2 + 0.01 * sight.span;
      return marked && isNear(marked.column, sight.x, ${x}) && isNear(marked.row, sight.y, ${y});
    })(${map})`);
    return box;
  };
  /** Waits for the sum of the very cell that is pointed at. */
  const cellAt = async (row, column) => {
    const shown = `${row.toLocaleString('en-US')}, ${column.toLocaleString('en-US')}`;
    const at = `[...root.querySelectorAll('.long-name')].map((one) => one.textContent.replace(/^\\D+/, '')).join(', ')`;
    await figure.until(`${at} === '${shown}' && root.querySelector('[data-number="weight"]')`);
    return value('weight');
  };

  // Engines run one binary and one drawing: Firefox shows the numbers of one scheme.
  for (const scheme of name === 'chromium' ? schemes : ['rope']) {
    test(`C01 C18 C19 C20 ${scheme}: cells of 4,096 tokens, pointed at, equal the double row`, async () => {
      const expected = new Reference({ ...usual, scheme });
      await open({ scheme, zoom: 128, row: 3000, column: 2900 });
      assert.equal(await attribute('level'), '0');
      await hover(0.5001, 0.5001);
      near(await cellAt(3000, 2900), expected.row(3000)[2900], 'the cell in the middle');
      await press('ArrowRight');
      near(await cellAt(3000, 2901), expected.row(3000)[2901], 'the one beside it');
      const [product, scale, bias, logSumExp, weight] = [
        await value('product'),
        await value('scale'),
        await value('bias'),
        await value('log-sum-exp'),
        await value('weight'),
      ];
      near(Math.exp(product * scale + (bias || 0) - logSumExp), weight, 'the sum of its lines');
    });
  }

  test('a dot from afar is the mean, or the largest, of the cells it covers', async () => {
    const expected = new Reference(usual);
    await open();
    const side = 2 ** Number(await attribute('level'));
    assert.ok(side >= 4, `one dot covers ${side} × ${side} cells`);
    for (const [x, y] of [
      [0.25, 0.75],
      [0.6, 0.601],
    ]) {
      await hover(x, y);
      const square = await figure.inside(
        `(({ row, column, side }) => ({ row, column, side }))(${map}.marked)`,
      );
      const cells = expected.square(square);
      assert.equal(cells.length, side * side);
      near(await value('square'), middle(cells), 'mean');
      near(await value('share'), middle(cells) * side, 'share of a query');
      await figure.inside(`(root.querySelector('input[name="measure"][value="max"]').click(), 0)`);
      near(await value('square'), Math.max(...cells), 'largest');
      await figure.inside(`(root.querySelector('input[name="measure"][value="mean"]').click(), 0)`);
    }
  });

  test('the color of a cell is its weight’s logarithm, and what the mask hides has none', async () => {
    const expected = new Reference({ ...usual, scheme: 'none' });
    await open({ scheme: 'none', zoom: 512, row: 3000, column: 2999 });
    // The browser warns of canvases that are read more than once.
    visit.page.expectsComplaints = true;
    const scale = magnitudeScale('light', 0, -5);
    for (const column of [2996, 2998, 3001]) {
      const seen = await figure.inside(`(() => {
        const canvas = ${map}.querySelector('.cells');
        const { sight } = ${map};
        const side = canvas.width - 72;
        const at = (cell, middle) => Math.round(64 + ((cell + 0.3 - middle) / sight.span + 0.5) * side);
        return [...canvas.getContext('2d').getImageData(at(${column}, sight.x), at(3000, sight.y), 1, 1).data];
      })()`);
      const weight = expected.row(3000)[column];
      if (column > 3000) assert.deepEqual(seen, [0, 0, 0, 0]);
      else {
        const color = colorOf(scale, Math.log10(weight));
        color.forEach((part, i) =>
          assert.ok(Math.abs(part - seen[i]) <= 6, `${column}: ${seen} is not ${color}`),
        );
      }
    }
  });

  test('keys zoom, move and go back; the address keeps the place and brings it back', async () => {
    await open();
    assert.equal(await where(), 'queries 0–4,095, keys 0–4,095');
    await press('+');
    assert.equal(await where(), 'queries 1,024–3,071, keys 1,024–3,071');
    await visit.tab.keyboard.down('Shift');
    await press('ArrowUp');
    await visit.tab.keyboard.up('Shift');
    assert.equal(await where(), 'queries 0–2,047, keys 1,024–3,071');
    await press('+');
    await press('-');
    // Written now and then: of the place before the last there may be a line of its own.
    const search = await figure.until(
      `/zoom=2&row=102[34]&column=204[78](&|$)/.test(location.search) && location.search`,
    );
    await visit.page.open(`embed.html${search}`);
    figure = await visit.page.figure('long-text');
    await complete();
    // The middle is kept to the cell.
    assert.match(await where(), /^queries 0–2,04[78], keys 1,02[34]–3,07[12]$/);
    await press('Home');
    assert.equal(await where(), 'queries 0–4,095, keys 0–4,095');
  });

  test('the wheel zooms with ctrl or when the map has the focus, and else scrolls the page', async () => {
    await open();
    const { left, top, side } = await hover(0.5, 0.5);
    const wheel = (options) =>
      figure.inside(`${map}.querySelector('.edges').dispatchEvent(new WheelEvent('wheel', {
        deltaY: -100, bubbles: true, cancelable: true, composed: true,
        clientX: ${left + side / 2}, clientY: ${top + side / 2}, ...${JSON.stringify(options)} }))`);
    assert.equal(await wheel({}), true, 'left to the page');
    assert.equal(await where(), 'queries 0–4,095, keys 0–4,095');
    assert.equal(await wheel({ ctrlKey: true }), false);
    await complete();
    assert.notEqual(await where(), 'queries 0–4,095, keys 0–4,095');
    await figure.inside(`(${map}.focus(), 0)`);
    assert.equal(await wheel({}), false);
  });

  test('a drag moves the map with the pointer', async () => {
    await open({ zoom: 8, row: 2000, column: 1000 });
    const { side } = await move(0.5, 0.5);
    const before = await figure.inside(`${map}.sight`);
    await visit.tab.mouse.down();
    const box = await move(0.25, 0.75);
    await visit.tab.mouse.up();
    const now = await figure.until(`${map}.sight.x !== ${before.x} && ${map}.sight`);
    assert.ok(
      Math.abs(now.x - before.x - before.span / 4) <= (2 * before.span) / side,
      'to the right',
    );
    assert.ok(
      Math.abs(now.y - before.y + before.span / 4) <= (2 * before.span) / box.side,
      'and up',
    );
  });

  for (const width of [360, 1100]) {
    test(`the figure keeps its height until all sums are known, ${width} pixels wide`, async () => {
      const prepare = (tab) => tab.evaluateOnNewDocument(watchHeight);
      await open({}, { width, prepare });
      const heights = await visit.tab.evaluate(() => [...globalThis.heights]);
      assert.equal(heights.length, 1, heights.join());
    });
  }

  test('only the last of many requests is drawn', async () => {
    const short = { ...usual, length: 512 };
    await open({ length: 512 });
    await figure.inside(`['none', 'alibi', 't5', 'window', 'sinusoidal'].forEach((scheme) =>
      root.querySelector('input[name="scheme"][value="' + scheme + '"]').click())`);
    await figure.until(`element.hasAttribute('drawn')`);
    await complete();
    const expected = new Reference({ ...short, scheme: 'sinusoidal' });
    const rows = Array.from({ length: 512 }, (_, row) => expected.row(row));
    const entropy = (row) =>
      -row.reduce((sum, weight) => sum + (weight > 0 ? weight * Math.log(weight) : 0), 0);
    const attended = middle(rows.map((row) => Math.exp(entropy(row))));
    const mass = new Float64Array(512);
    rows.forEach((row, m) => row.forEach((weight, n) => (mass[Math.abs(m - n)] += weight)));
    let [distance, sum] = [0, mass[0]];
    while (sum < 256) sum += mass[++distance];
    const totals = await figure.inside(`${map}.map.totals`);
    near(totals.attended, attended, 'attended keys');
    assert.ok(
      Math.abs(totals.medianDistance - distance) <= 1,
      `${totals.medianDistance}, not ${distance}`,
    );
    assert.equal(await figure.number('median-distance'), totals.medianDistance);
    const twice = rows.slice(words.length);
    const share =
      middle(twice.map((row, at) => row[at])) /
      middle(twice.map((row, at) => row[at + words.length]));
    near(totals.copyShare, share, 'weight of a copy');
    const copy = [words.length, Math.round(100 * share)];
    const said = (text) => text.match(/\d+/g).map(Number);
    assert.deepEqual(said(await figure.text('.finding')), [...copy, totals.medianDistance]);
    figure = await visit.alone('long-text', { ...short, scheme: 'sinusoidal' }, 'zh/');
    await complete();
    assert.deepEqual(said(await figure.text('.finding')), [...copy, totals.medianDistance]);
  });

  test('C24 without position the copy of a word gets as much as the word, and both are enlarged', async () => {
    const settings = { ...usual, length: 512, scheme: 'none' };
    const expected = new Reference(settings);
    for (const [language, said] of Object.entries({
      '': /copy 163 tokens back gets as much weight/,
      'zh/': /163 个词元之前.*一样多/,
    })) {
      figure = await visit.alone('long-text', settings, language);
      await complete();
      assert.match(await figure.text('.finding'), said);
    }
    const squares = await figure.inside(`${map}.closeUps.map(({ of, region }) => {
      const cells = (first, [from, to]) => Array.from({ length: to - from + 1 }, (_, i) => first + i);
      const { rows, columns } = region;
      return { of, cells: cells(rows[0], rows).map((row, i) => [row, columns[0] + i]) };
    })`);
    assert.deepEqual(
      squares.map(({ of }) => of),
      ['copy', 'own'],
    );
    const [copy, own] = squares.map(({ cells }) =>
      cells.map(([row, key]) => expected.row(row)[key]),
    );
    assert.equal(own.length, 24);
    own.forEach((weight, i) => near(copy[i], weight, `cell ${i}`));
    for (const [row, key] of squares[1].cells) assert.equal(row, key);
  });

  test('the file has the visible cells, largest first', async () => {
    const expected = new Reference({ ...usual, causal: 'no' });
    await open({ causal: 'no', zoom: 256, row: 700, column: 900 });
    const { columns, rows } = await figure.csv();
    assert.equal(columns.length, 7);
    assert.ok(rows.length >= 256 && rows.length <= 17 * 17, `${rows.length} rows`);
    const weights = rows.map((row) => Number(row[6]));
    assert.deepEqual(
      weights,
      [...weights].sort((a, b) => b - a),
    );
    const wanted = new Map();
    for (const [query, from, , key, at, , weight] of rows) {
      if (!wanted.has(from)) wanted.set(from, expected.row(Number(from)));
      assert.deepEqual([query, key], [expected.tokens[from], expected.tokens[at]]);
      near(Number(weight), wanted.get(from)[at], `${from}, ${at}`);
    }
  });

  test('narrower, wider, and with tokens along its edges: the map fits and is complete', async () => {
    await open({}, { width: 1300 });
    const wide = await figure.inside(
      `${map}.querySelector('canvas').getBoundingClientRect().width`,
    );
    await visit.tab.setViewport({ width: 360, height: 740 });
    await figure.until(
      `${map}.querySelector('canvas').getBoundingClientRect().width < ${wide / 2}`,
    );
    await complete();
    const [content, view] = await visit.tab.evaluate(() => [
      document.scrollingElement.scrollWidth,
      document.scrollingElement.clientWidth,
    ]);
    assert.ok(content <= view, `${content} > ${view}`);
  });

  test('a text that cannot be read gives a message, and the map stays', async () => {
    await open({ length: 128 });
    const type = (text) =>
      figure.drawnAfter(() =>
        figure.inside(`(() => {
          const field = root.querySelector('textarea');
          field.value = ${JSON.stringify(text)};
          field.dispatchEvent(new Event('input', { bubbles: true }));
          return 0;
        })()`),
      );
    const tokens = () => figure.inside(`${map}.map.tokens.slice(0, 3).join(' ')`);
    await type('a '.repeat(31_000));
    assert.match(await figure.text('.long-fault'), /62,000 characters; at most 60,000/);
    assert.equal(await tokens(), words.slice(0, 3).join(' '));
    await type('\u200b');
    assert.match(await figure.text('.long-fault'), /no word/);
    await type('one two');
    assert.equal(await figure.text('.long-fault'), '');
    assert.equal(await tokens(), 'one two one');
    await type('');
    assert.equal(await tokens(), 'Alice was beginning');
  });
});
