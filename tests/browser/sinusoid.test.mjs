/** Anatomy of the sinusoid: controls are moved, numbers are read and compared with sums in double. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multiply, rowsOf } from '../support/reference.mjs';
import { few } from '../support/sweep.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { near, numberIn } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const { embed, modelWidth, weightsOf } = await importFromWeb('toy/toy_model.ts');

/** The formula, in double; `spacing` is the number of steps between the first and the last pair. */
function vector(
  t,
  dim,
  { base = 10000, steps = dim / 2, layout = 'interleaved', order = 'sin-first' } = {},
) {
  const pairs = Array.from({ length: dim / 2 }, (_, i) => {
    const angle = t * base ** (-i / steps);
    return order === 'sin-first'
      ? [Math.sin(angle), Math.cos(angle)]
      : [Math.cos(angle), Math.sin(angle)];
  });
  return layout === 'interleaved'
    ? pairs.flat()
    : [...pairs.map(([first]) => first), ...pairs.map(([, second]) => second)];
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** The CSV of the heat map against the formula, all of it. */
async function assertTable(figure, positions, dim, variant) {
  const { rows } = await figure.csv();
  assert.equal(rows.length, positions);
  rows.forEach(([t, ...values], row) => {
    assert.equal(Number(t), row);
    assert.equal(values.length, dim);
    vector(row, dim, variant).forEach((expected, j) =>
      near(Number(values[j]), expected, 1e-7, `PE(${row}, ${j})`),
    );
  });
}

function swings(positions, dim) {
  const swing = (j) => {
    const column = Array.from({ length: positions }, (_, t) => vector(t, dim)[j]);
    return Math.max(...column) - Math.min(...column);
  };
  const mean = (from, to) =>
    Array.from({ length: to - from }, (_, j) => swing(from + j)).reduce((a, b) => a + b) /
    (to - from);
  return { fast: mean(0, dim / 2), slow: mean(dim / 2, dim) };
}

/** The four terms in double, from the words and matrices as they are drawn. */
function fourTerms(count, start, isMixed, seed) {
  const names = Array.from({ length: count }, (_, token) => String(token));
  const x = rowsOf(embed(names, seed), modelWidth);
  const p = x.map((_, place) => vector(start + place, modelWidth));
  const model = { heads: 1, headDim: modelWidth, seed, likeness: 0 };
  const through = (rows, role) =>
    isMixed ? multiply(rows, rowsOf(weightsOf(role, model), modelWidth)) : rows;
  const scores = (left, right) => {
    const keys = through(right, 'key');
    return through(left, 'query').map((q) => keys.map((k) => dot(q, k) / Math.sqrt(modelWidth)));
  };
  return [scores(x, x), scores(x, p), scores(p, x), scores(p, p)];
}

/** How far a map is from a function of the offset, and from symmetry. */
function freedoms(map) {
  let [spread, asymmetry] = [0, 0];
  map.forEach((row, m) =>
    row.forEach((value, n) => {
      asymmetry = Math.max(asymmetry, Math.abs(value - map[n][m]));
      for (let k = 0; map[m + k]?.[n + k] !== undefined; k++)
        spread = Math.max(spread, Math.abs(value - map[m + k][n + k]));
    }),
  );
  return { spread, asymmetry };
}

/** The angle between the hands of each clock, by pair, as an expression over the figure's root. */
const clockAngles = `[...root.querySelectorAll('.pair-button')].map((button) => {
  const hands = [...button.querySelectorAll('line.vector')].map((hand) => {
    const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((key) => Number(hand.getAttribute(key)));
    return Math.atan2(x2 - x1, y1 - y2);
  });
  return [hands[1] - hands[0], hands[3] - hands[2]];
})`;

describeInBrowsers('anatomy of the sinusoid', (visit) => {
  const { alone, claim, sweptClaim } = visit;

  claim(
    'C08 the 50 × 128 table is the formula, every value in [-1, 1], the right half hardly changes',
    async () => {
      const heatmap = await alone('sinusoid-heatmap');
      await assertTable(heatmap, 50, 128);
      const { rows } = await heatmap.csv();
      assert.ok(
        rows.flatMap(([, ...values]) => values).every((value) => Math.abs(Number(value)) <= 1),
      );
      const { fast, slow } = swings(50, 128);
      near(await heatmap.number('swing-fast'), fast, 1e-3, 'left half');
      near(await heatmap.number('swing-slow'), slow, 1e-3, 'right half');
      assert.ok(slow < fast / 20);
    },
  );

  claim('C08 each control changes the picture and the table follows the formula', async () => {
    const heatmap = await alone('sinusoid-heatmap');
    const changes = /** @type {const} */ ([
      ['positions', 12, [12, 128]],
      ['dim', 8, [12, 8]],
      ['base', 100, [12, 8, { base: 100 }]],
      ['layout', 'half-split', [12, 8, { base: 100, layout: 'half-split' }]],
      ['spacing', 'dim/2-1', [12, 8, { base: 100, layout: 'half-split', steps: 3 }]],
      [
        'order',
        'cos-first',
        [12, 8, { base: 100, layout: 'half-split', steps: 3, order: 'cos-first' }],
      ],
    ]);
    for (const [key, value, expected] of changes) {
      const before = await heatmap.drawing();
      await heatmap.set(key, value);
      assert.notEqual(await heatmap.drawing(), before, `${key} changes the drawing`);
      await assertTable(heatmap, ...expected);
    }
  });

  sweptClaim('C08 a column has the name and the wavelength of its wave', async () => {
    const heatmap = await alone('sinusoid-heatmap');
    await heatmap.set('column', 41);
    const text = await heatmap.text('[data-number="readout"]');
    assert.match(text, /Column 41 is the cos of pair i = 20:/);
    near(
      numberIn(/takes ([\d.,]+)/.exec(text)[1]),
      2 * Math.PI * 10000 ** (40 / 128),
      0.05,
      'wavelength',
    );
    await heatmap.set('column', 127);
    const last = await heatmap.text('[data-number="readout"]');
    near(numberIn(/takes ([\d.,]+)/.exec(last)[1]), 54410.143, 10, 'the longest wavelength');
  });

  test('C08 pointing at a cell gives its value', async () => {
    const heatmap = await alone('sinusoid-heatmap');
    const [row, column] = [7, 10];
    await heatmap.point('.map .pointer', (column + 0.5) / 128, (row + 0.5) / 50);
    const text = await heatmap.until(
      `((text) => text.includes('PE(7, 10)') && text)(root.querySelector('[data-number="readout"]').textContent)`,
    );
    near(numberIn(/= (\S+):/.exec(text)[1]), vector(row, 128)[column], 1e-6, 'PE(7, 10)');
  });

  claim(
    'C12 no two positions share a vector: the smallest distance is the neighbors’',
    async () => {
      const heatmap = await alone('sinusoid-heatmap', { positions: 40, dim: 32 });
      const vectors = Array.from({ length: 40 }, (_, t) => vector(t, 32));
      let least = Infinity;
      vectors.forEach((a, m) =>
        vectors.slice(0, m).forEach((b) => {
          least = Math.min(least, Math.hypot(...a.map((value, i) => value - b[i])));
        }),
      );
      near(await heatmap.number('closest'), least, 1e-4, 'smallest distance');
      assert.ok(least > 0);
    },
  );

  claim('C09 the dot product depends on the offset alone', async () => {
    const product = await alone('sinusoid-dot-product');
    for (const [dim, offset, expected] of [
      [64, 1, 30.916832],
      [64, 10, 21.051629],
      [64, 100, 17.874669],
      [128, 1, 62.093684],
      [128, 10, 42.820023],
      [128, 100, 30.543455],
    ]) {
      await product.set('dim', dim);
      await product.set('offset', offset);
      near(await product.number('dot'), expected, 1e-4, `d = ${dim}, offset ${offset}`);
    }
    for (const position of [0, 7, 2000]) {
      await product.set('position', position);
      assert.ok((await product.number('difference')) < 1e-4, 'the curve of another m is the same');
      const { rows } = await product.csv();
      const there = rows.filter(([, , moved]) => moved !== '');
      assert.equal(there.length, Math.min(201, 101 + position));
      for (const [offset, , moved] of there) {
        const expected = dot(vector(position, 128), vector(position - Number(offset), 128));
        near(Number(moved), expected, 1e-4, `m = ${position}, offset ${offset}`);
      }
    }
  });

  sweptClaim('C10 the dot product is the same before and after', async () => {
    const product = await alone('sinusoid-dot-product', { offset: 37 });
    near(await product.number('dot'), dot(vector(37, 128), vector(0, 128)), 1e-4, 'offset 37');
    assert.equal(await product.number('mirror'), await product.number('dot'));
    const { rows } = await product.csv();
    rows.forEach(([, value], k) =>
      near(Number(value), Number(rows[rows.length - 1 - k][1]), 3e-5, 'mirror'),
    );
  });

  claim('C11 it falls in the large, not steadily, under its envelope', async () => {
    const product = await alone('sinusoid-dot-product', {
      dim: 64,
      base: 1000,
      range: 50,
      offset: 20,
    });
    const curve = Array.from({ length: 4097 }, (_, offset) =>
      Array.from({ length: 32 }, (_, i) => Math.cos(offset * 1000 ** (-i / 32))).reduce(
        (a, b) => a + b,
      ),
    );
    const rises = curve.slice(1, 51).filter((value, k) => value > curve[k]).length;
    assert.ok(rises > 0);
    assert.equal(await product.number('rises'), rises);
    near(await product.number('envelope'), Math.max(...curve.slice(20)), 1e-3, 'envelope');
    const { rows } = await product.csv();
    for (const [offset, value, , upper, lower] of rows) {
      const distance = Math.abs(Number(offset));
      near(Number(upper), Math.max(...curve.slice(distance)), 1e-3, `upper envelope at ${offset}`);
      near(
        Number(lower),
        Math.min(...curve.slice(0, distance + 1)),
        1e-3,
        `lower envelope at ${offset}`,
      );
      assert.ok(Number(lower) <= Number(value) + 1e-4 && Number(value) <= Number(upper) + 1e-4);
    }
    const before = await product.drawing();
    await product.set('base', 10);
    assert.notEqual(await product.drawing(), before);
  });

  claim(
    'C13 a score is its four terms, and matrices in between cost the last one C09 and C10',
    async () => {
      for (const [weights, seed, start] of /** @type {const} */ ([
        ['none', 1, 0],
        ['none', 5, 1000],
        ['random', 5, 1000],
      ])) {
        const terms = await alone('sinusoid-four-terms', { tokens: 12, seed, start });
        if (weights === 'random') await terms.set('weights', weights);
        const expected = fourTerms(12, start, weights === 'random', seed);
        const { rows } = await terms.csv();
        assert.equal(rows.length, 144);
        for (const [m, n, ...values] of rows.map((row) => row.map(Number))) {
          const parts = expected.map((term) => term[m - start][n - start]);
          const sum = parts.reduce((a, b) => a + b);
          [...parts, sum].forEach((part, k) => near(values[k], part, 2e-5, `term ${k} ${m} ${n}`));
        }
        await terms.set('query', 9);
        await terms.set('key', 4);
        near(await terms.number('positionPosition'), expected[3][9][4], 1e-4, 'the fourth term');
        const { spread, asymmetry } = freedoms(expected[3]);
        near(await terms.number('positionPosition-spread'), spread, 0.01, 'spread');
        near(await terms.number('positionPosition-asymmetry'), asymmetry, 0.01, 'asymmetry');
        assert.ok(weights === 'none' ? spread + asymmetry < 1e-6 : spread > 0.3 && asymmetry > 0.3);
        assert.ok((await terms.number('residual')) < 1e-4);
        // Between the lines along the diagonal of the chosen pair, at distance 5.
        const between = expected[3].flatMap((row, m) => (m < 5 ? [] : [row[m - 5]]));
        const said = (await terms.text('[data-number="diagonal"]')).split(/[:：]/).at(-1);
        const ends = said.match(/[\u2212\d.]+\d/g).map(numberIn);
        assert.equal(ends.length, weights === 'none' ? 1 : 2);
        near(ends[0], Math.min(...between), 0.0051, 'smallest at one distance');
        near(ends.at(-1), Math.max(...between), 0.0051, 'largest at one distance');
      }
    },
  );

  sweptClaim(
    'C13 the term of the words does not depend on the start of the text, the others do',
    async () => {
      const terms = await alone('sinusoid-four-terms', { tokens: 12 });
      const before = (await terms.csv()).rows;
      await terms.set('start', 500);
      const after = (await terms.csv()).rows;
      const change = (column) =>
        Math.max(...before.map((row, k) => Math.abs(row[column] - after[k][column])));
      assert.equal(change(2), 0);
      assert.ok(change(3) > 0.1 && change(4) > 0.1);
      assert.ok(change(5) < 1e-5, 'the fourth depends on the offset alone');
    },
  );

  claim('C07 one matrix carries every position forward', async () => {
    const shift = await alone('sinusoid-shift', { dim: 4, offset: 2 });
    const expected = [
      [-0.958924275, 0.283662185],
      [0.049979169, 0.99875026],
    ];
    for (const pair of [0, 1]) {
      await shift.set('pair', pair);
      const read = async (id) => shift.number(id);
      near(await read('after-sin'), expected[pair][0], 1e-6, `sine of pair ${pair}`);
      near(await read('after-cos'), expected[pair][1], 1e-6, `cosine of pair ${pair}`);
      const turn = 2 * 10000 ** (-pair / 2);
      near(await read('block-00'), Math.cos(turn), 1e-6, 'block');
      near(await read('block-01'), Math.sin(turn), 1e-6, 'block');
      near(await read('block-10'), -Math.sin(turn), 1e-6, 'block');
      near(await read('block-11'), Math.cos(turn), 1e-6, 'block');
      near(await read('turn'), turn, 1e-4, 'angle');
      const [sine, cosine] = [await read('before-sin'), await read('before-cos')];
      near(
        Math.cos(turn) * sine + Math.sin(turn) * cosine,
        expected[pair][0],
        2e-6,
        'block times PE(3)',
      );
    }
    for (const [dim, offset] of [
      [4, 2],
      [64, -50],
      [64, 37],
    ]) {
      await shift.set('dim', dim);
      await shift.set('offset', offset);
      assert.ok((await shift.number('residual')) < 1e-6, `d = ${dim}, offset ${offset}`);
    }
    await shift.set('t', 11);
    const { rows } = await shift.csv();
    vector(11 + 37, 64).forEach((value, j) =>
      near(Number(rows[j][2]), value, 1e-6, `PE(48, ${j})`),
    );
  });

  sweptClaim('C07 the angle of a clock does not depend on the position', async () => {
    const shift = await alone('sinusoid-shift');
    const before = await shift.text('[data-number="turn"]');
    await shift.set('t', 150);
    assert.equal(await shift.text('[data-number="turn"]'), before);
    near(
      await shift.number('before-sin'),
      Math.sin(150 * 10000 ** (-1 / 8)),
      1e-6,
      'the hand itself has moved',
    );
  });

  for (const [language, folder] of few(Object.entries({ en: '', zh: 'zh/' })))
    claim(`C07 ${language}: both positions of the figure move by the same angles`, async () => {
      const shift = await alone('sinusoid-shift', {}, folder);
      for (const [t, other, offset] of [
        [3, 150, 2],
        [90, 41, -7],
      ]) {
        for (const [key, value] of Object.entries({ t, other, offset }))
          await shift.set(key, value);
        const angles = await shift.inside(clockAngles);
        assert.equal(angles.length, 8);
        angles.forEach((pair, i) => {
          const angle = offset * 10000 ** (-i / 8);
          for (const found of pair) {
            const [sine, cosine] = [Math.sin(found - angle), Math.cos(found - angle)];
            assert.ok(Math.abs(sine) < 1e-3 && cosine > 0, `pair ${i} at ${t} and ${other}`);
          }
        });
        const says = (await shift.text('.finding')).replaceAll('−', '-').match(/-?\d+(\.\d+)?/g);
        for (const said of [t, t + offset, other, other + offset])
          assert.ok(says.includes(String(said)), `${said} in ${says}`);
        const degrees = (offset * 10000 ** (-1 / 8) * 180) / Math.PI;
        assert.equal(
          says.filter((one) => Number(one) === Number(degrees.toPrecision(3))).length,
          2,
        );
        const framed = await shift.text('.pair-button.is-chosen');
        for (const from of [t, other])
          assert.ok(framed.replaceAll('−', '-').includes(`${from}→${from + offset}`), framed);
      }
    });
});
