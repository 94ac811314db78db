/** Train short, test long: recorded numbers against their files. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { few, sweep } from '../support/sweep.mjs';
import { near } from './support/numbers.mjs';
import { describeInBrowsers, describeInChromium } from './support/visits.mjs';

const folder = join(import.meta.dirname, '../../web/trained/recorded');
const recorded = (plan) => JSON.parse(readFileSync(join(folder, `${plan}.json`), 'utf8'));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {{ accuracy: number, loss: number }} scores */
const accuracyOf = ({ accuracy }) => accuracy;

/** Mean over the seeds of an evaluation at a length. */
function expected(plan, variant, evaluation, length, value = accuracyOf) {
  const runs = recorded(plan).results.filter((run) => run.variant === variant);
  return mean(
    runs.map(({ evaluations }) =>
      value(evaluations[evaluation].find((scores) => scores.length === length)),
    ),
  );
}

const schemes = ['none', 'sinusoidal', 'learned', 'rope', 'alibi', 't5', 'kerple', 'fox', 'cope'];
const only = (shown) =>
  Object.fromEntries(schemes.map((scheme) => [scheme, shown.includes(scheme) ? 'yes' : 'no']));

/** The mean that a cell of the table says, before its deviation. */
const cell = async (figure, id) =>
  Number((await figure.text(`[data-number="${id}"]`)).split(' ')[0]);

describeInBrowsers('train short, test long', (visit) => {
  const { alone, claim, figure, sweptClaim } = visit;

  claim(
    'E1 C34 the table says the means of the recorded file, in the order of the claim',
    async () => {
      for (const language of few(['', 'zh/'])) {
        const shown = await alone('length-race', only(schemes), language);
        const at = {};
        for (const scheme of schemes) {
          at[scheme] = await cell(shown, `recorded-${scheme}-512`);
          near(at[scheme], expected('a1_drawers', scheme, 'length', 512), 0.0051, scheme);
        }
        const groups = [['cope', 'fox'], ['kerple', 'alibi'], ['t5'], ['rope']];
        const last = [['sinusoidal', 'learned', 'none']];
        [...groups, ...last].slice(1).forEach((lower, k) => {
          const worst = Math.min(...groups[k].map((scheme) => at[scheme]));
          assert.ok(
            lower.every((scheme) => at[scheme] < worst),
            `${lower} below ${groups[k]}`,
          );
        });
      }
    },
  );

  claim('C33 the text says how far RoPE reaches, as the recorded losses by place', async () => {
    const shown = await figure('length-race');
    const bins = recorded('a1_drawers')
      .results.filter(({ variant }) => variant === 'rope')
      .map(({ evaluations }) => evaluations.length.find(({ length }) => length === 64).places);
    const losses = [0, 1].map((bin) => mean(bins.map((places) => places[bin][1])));
    assert.deepEqual(
      bins[0].slice(0, 2).map(([place]) => place),
      [35.5, 43.5],
    );
    const text = await shown.inside(
      `document.getElementById('reach-of-rope').nextElementSibling.textContent`,
    );
    for (const number of [losses[0].toFixed(2), losses[1].toFixed(1)])
      assert.ok(text.includes(number), `${number} in ${text}`);
  });

  sweptClaim('C35 on characters RoPE ends above the sinusoid, ALiBi stays', async () => {
    const shown = await alone('length-race', { task: 'characters' });
    const rope = await cell(shown, 'recorded-rope-512');
    near(
      rope,
      expected('a2_characters', 'rope', 'held_out', 512, ({ loss }) => loss),
      0.0051,
      '',
    );
    assert.ok(rope > (await cell(shown, 'recorded-sinusoidal-512')));
    const alibi = await cell(shown, 'recorded-alibi-512');
    assert.ok(Math.abs(alibi - (await cell(shown, 'recorded-alibi-32'))) < 0.1);
  });

  sweptClaim('C39 randomized positions help RoPE at 512 and hurt ALiBi', async () => {
    const plain = await alone('length-race');
    const before = await cell(plain, 'recorded-rope-512');
    const alibi = await cell(plain, 'recorded-alibi-512');
    const drawn = await alone('length-race', { randomized: 'yes' });
    assert.ok((await cell(drawn, 'recorded-rope-512')) > before + 0.2);
    assert.ok((await cell(drawn, 'recorded-alibi-512')) < alibi - 0.1);
  });

  claim('C36 induction and drawers give two orders of the same methods', async () => {
    const inOrder = async (shown, methods) => {
      const values = [];
      for (const method of methods) values.push(await cell(shown, `recorded-${method}`));
      values.slice(1).forEach((value, k) => assert.ok(value > values[k], `${methods}: ${values}`));
    };
    const shown = await alone('extend-without-training');
    await inOrder(shown, ['pi', 'direct', 'ntk', 'yarn', 'rerope_16']);
    await shown.set('task', 'drawers');
    await inOrder(shown, ['direct', 'ntk', 'pi']);
    const on = { repeats: 'b2_repeats_extended', drawers: 'b1_drawers_extended' };
    const scored = ([scores]) => (scores.groups?.[0] ?? scores).accuracy;
    const meanOf = (plan, method) =>
      mean(recorded(plan).results.map(({ evaluations }) => scored(evaluations[`${method}@8`])));
    const said = ['pi', 'ntk'].flatMap((method) =>
      Object.values(on).map((plan) => meanOf(plan, method)),
    );
    for (const language of few(['', 'zh/'])) {
      const finding = await (await alone('extend-without-training', {}, language)).text('.finding');
      assert.deepEqual(
        finding.match(/\d\.\d\d/g),
        said.map((value) => value.toFixed(2)),
      );
      const [list] = finding.split(/[.。] ?PI/);
      for (const [name, method] of Object.entries({
        YaRN: 'yarn',
        ReRoPE: 'rerope_16',
        'NTK-aware': 'ntk',
        '1–4': 'by_parts_1_4',
      })) {
        const isAbove = Object.values(on).every((plan) => meanOf(plan, method) > 0.8);
        assert.equal(list.includes(name), isAbove, name);
      }
    }
  });

  /** Of the race: how many lines are seen, what the finding says, and how high the charts are. */
  const race = (shown) =>
    shown.inside(`({
      seen: [...root.querySelectorAll('.charts > :first-child path.line')]
        .filter((line) => getComputedStyle(line).visibility === 'visible').length,
      marks: [...root.querySelectorAll('.schemes > div')]
        .filter((one) => one.querySelector('.unknown')?.checkVisibility({ visibilityProperty: true }))
        .map((one) => one.querySelector('label').textContent.trim()),
      show: root.querySelector('.show')?.textContent.trim(),
      finding: root.querySelector('.finding').textContent,
      height: root.querySelector('.drawing').offsetHeight,
    })`);

  test('the race has the line of the sinusoid until the reader asks for all, and nothing moves then', async () => {
    for (const [language, guess] of few(
      /** @type {const} */ ([
        ['', /guess first/],
        ['zh/', /先猜一猜/],
      ]),
    )) {
      const shown = await figure('length-race', {}, language);
      const before = await race(shown);
      assert.equal(before.seen, 1);
      assert.match(before.finding, guess);
      assert.deepEqual(before.marks, ['RoPE', 'ALiBi', 'FoX']);
      for (const name of before.marks)
        assert.ok(before.show.includes(name) && before.finding.includes(name), name);
      await shown.inside(`(root.querySelector('.show').click(), 0)`);
      await shown.until(`!root.querySelector('.show')`);
      const after = await race(shown);
      assert.equal(after.seen, 4);
      assert.deepEqual(after.marks, []);
      assert.doesNotMatch(after.finding, guess);
      assert.equal(after.height, before.height);
      const said = (schemes, lengths) =>
        schemes.flatMap((scheme) =>
          lengths.map((length) => expected('a1_drawers', scheme, 'length', length).toFixed(2)),
        );
      assert.deepEqual(before.finding.match(/\d\.\d\d/g), said(['sinusoidal'], [32, 512]));
      const order = ['fox', 'alibi', 'rope', 'sinusoidal'];
      assert.deepEqual(after.finding.match(/0\.\d\d/g), said(order.slice(0, 2), [512]));
      assert.match(after.finding, /FoX.*ALiBi.*(Below|低于).*RoPE/);
    }
    const linked = await figure('length-race', { t5: 'yes' });
    assert.equal((await race(linked)).seen, 5);
    const guessed = await figure('length-race');
    await visit.tab.$eval('ropewalk-guess[name="race"] button', (button) => button.click());
    await guessed.until(`!root.querySelector('.show')`);
    assert.equal((await race(guessed)).seen, 4);
  });

  test('what a model says of one input is that of the file, and red where another thing is in the drawer', async () => {
    const { tokens, found } = recorded('race_input');
    for (const language of few(['', 'zh/']))
      for (const reader of few(['sinusoidal', 'rope', 'alibi'], 2)) {
        const shown = await alone('length-race', { shown: 'yes', reader }, language);
        const inDrawer = [];
        const said = [];
        const wrong = [0, 0];
        tokens.forEach((token, place) => {
          if (token < 36) inDrawer[Math.floor(token / 6)] = token % 6;
          else if (inDrawer[token - 36] !== undefined) said.push([place, inDrawer[token - 36]]);
        });
        // The first queries of the file may be of empty drawers.
        const queries = tokens.flatMap((token, place) => (token < 36 ? [] : [place]));
        const finds = said.map(([place]) => found[reader][queries.indexOf(place)]);
        said.forEach(([place, thing], k) => (wrong[place < 32 ? 0 : 1] += +(finds[k] !== thing)));
        const [things, errors] = await shown.inside(`[
          [...root.querySelectorAll('text.found')].map((text) => Number(text.textContent) - 1),
          root.querySelectorAll('.error').length]`);
        assert.deepEqual(things, finds);
        assert.equal(errors, wrong[0] + wrong[1]);
        const numbers = (await shown.text('[data-number="input"]')).match(/\d+/g).map(Number);
        for (const count of wrong) assert.ok(numbers.includes(count), `${numbers}`);
        assert.ok(reader === 'alibi' ? wrong[1] < 3 : wrong[1] > 3, `${reader}: ${wrong}`);
        assert.ok(wrong[0] <= 1, `${wrong}`);
      }
  });

  test('a head is wrong where less than half of its weight is at the right places, which are blue', async () => {
    const period = 10;
    for (const [language, scheme] of few(
      [
        ['', 'rope'],
        ['', 'fox'],
        ['zh/', 'rope'],
      ],
      2,
    )) {
      const shown = await alone('trained-heads', { scheme }, language);
      const { rows } = await shown.csv();
      const wrong = rows.flatMap(([query, ...weights]) => {
        const onTarget = weights.filter(
          (_, key) => key < query && (query - key + 1) % period === 0,
        );
        const sum = onTarget.reduce((total, weight) => total + Number(weight), 0);
        return Number(query) >= 32 && sum < 0.5 ? [Number(query)] : [];
      });
      assert.equal(wrong.length > 0, scheme === 'rope');
      assert.equal(
        await shown.inside(`root.querySelectorAll('.dots.is-wrong circle').length`),
        wrong.length,
      );
      const isBlue = await shown.inside(`((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i + 2] > data[4 * i]);
      })(root.querySelector('.head-map canvas'))`);
      const isRight = rows
        .slice(32)
        .flatMap(([query, ...weights]) =>
          weights.map((weight, key) =>
            weight < 0.05 ? undefined : (query - key + 1) % period === 0,
          ),
        );
      assert.deepEqual(
        isBlue.filter((_, i) => isRight[i] !== undefined),
        isRight.filter((each) => each !== undefined),
      );
      const finding = await shown.text('.finding');
      const said = finding.match(/\d+/g).map(Number);
      const expectedNumbers = wrong.length > 0 ? [wrong.length, 64] : [64];
      assert.deepEqual(
        said.toSorted((a, b) => a - b),
        expectedNumbers,
        finding,
      );
    }
  });

  claim('names of rows have room on a phone, also in a wider font', async () => {
    for (const language of few(['', 'zh/'])) {
      const page = await visit.open(`${language}figure/extend-without-training/`, { width: 320 });
      const shown = await page.figure('extend-without-training');
      const starts = await shown.inside(`[...root.querySelectorAll('.row-name')].map((name) => {
        name.style.letterSpacing = '0.04em';
        return name.getBBox().x;
      })`);
      assert.ok(starts.length >= 8 && starts.every((x) => x >= 0), `${starts}`);
    }
  });

  sweep('what to notice of trained heads are the means of the figure', async () => {
    for (const language of few(['', 'zh/']))
      for (const settings of [{ scheme: 'fox' }, { scheme: 'sinusoidal' }, { layer: '1' }]) {
        const shown = await alone('trained-heads', settings, language);
        const said = (await shown.text('.tries p')).match(/\d\.\d\d/g);
        const means = [await shown.number('within'), await shown.number('beyond')];
        assert.deepEqual(said.toSorted(), means.map((value) => value.toFixed(2)).toSorted());
      }
  });

  claim(
    'C37 ReRoPE is best with a window of a quarter to a half of the training length',
    async () => {
      const shown = await alone('extend-without-training');
      const runs = recorded('b2_repeats_extended').results;
      const at = (window) =>
        mean(runs.map((run) => run.evaluations[`rerope_${window}@8`][0].groups[0].accuracy));
      near(await cell(shown, 'recorded-rerope_16'), at(16), 0.0051, 'w 16');
      for (const window of [8, 12, 16]) assert.ok(at(window) > 0.95, `w ${window}: ${at(window)}`);
      for (const window of [2, 40, 48, 64])
        assert.ok(at(window) < 0.7, `w ${window}: ${at(window)}`);
    },
  );

  claim(
    'C40 inside the training length sparse text is no harder for RoPE than for CoPE',
    async () => {
      const shown = await alone('flip-flop-memory');
      for (const scheme of ['rope', 'cope']) {
        const error = 1 - expected('c_flip_flop', scheme, 'sparse', 64);
        assert.ok(error < 0.01, `${scheme}: ${error}`);
        near(await cell(shown, `recorded-${scheme}-64`), error, 0.0051, scheme);
      }
    },
  );

  claim(
    'C40 copying: no positions come last at 24 items, and the text says the recorded means',
    async () => {
      const shown = await figure('copy-a-list');
      const at = {};
      for (const scheme of ['fox', 'alibi', 't5', 'rope', 'none']) {
        at[scheme] = expected('d2_copy', scheme, 'items', 24);
        near(await cell(shown, `recorded-${scheme}-24`), at[scheme], 0.0051, scheme);
      }
      assert.deepEqual(
        Object.keys(at),
        Object.keys(at).toSorted((a, b) => at[b] - at[a]),
      );
      const lines = await shown.inside(
        `[...root.querySelectorAll('.charts path.line')].slice(0, 5).map((line) => line.getAttribute('d').match(/M/g).length)`,
      );
      assert.deepEqual(lines, Array(5).fill(2), 'no line where nothing was tested');
      const text = await shown.inside('element.nextElementSibling.textContent');
      const shares = [...text.matchAll(/(\d+)%/g)].map(([, share]) => Number(share));
      const short = Object.keys(at).map((scheme) => expected('d2_copy', scheme, 'items', 8));
      assert.deepEqual(
        shares,
        [...Object.values(at), short.at(-1), Math.min(...short.slice(0, -1))].map((share) =>
          Math.round(100 * share),
        ),
      );
      const drawn = await figure('copy-a-list', { randomized: 'yes' });
      for (const [scheme, count] of [
        ['rope', 24],
        ['t5', 32],
      ])
        near(
          await cell(drawn, `recorded-${scheme}-${count}`),
          expected('d2_copy_randomized', scheme, 'items', count),
          0.0051,
          scheme,
        );
      for (const language of few(['', 'zh/'])) {
        const finding = await (await figure('copy-a-list', {}, language)).text('.finding');
        assert.deepEqual(
          finding.match(/\d\.\d\d/g),
          [at.fox, at.alibi].map((share) => share.toFixed(2)),
        );
        assert.match(finding, /FoX.*ALiBi.*(Below|低于).*T5.*RoPE/);
      }
    },
  );

  claim('C38 on sparse text ALiBi forgets, KERPLE and FoX less', async () => {
    const shown = await alone('flip-flop-memory');
    const alibi = await cell(shown, 'recorded-alibi-256');
    near(alibi, 1 - expected('c_flip_flop', 'alibi', 'sparse', 256), 0.0051, 'alibi');
    for (const scheme of ['kerple', 'fox'])
      assert.ok((await cell(shown, `recorded-${scheme}-256`)) < alibi / 2, scheme);
    await shown.set('text', 'usual');
    assert.ok((await cell(shown, 'recorded-alibi-512')) < 0.05);
    const error = (scheme, text) => (1 - expected('c_flip_flop', scheme, text, 512)).toFixed(2);
    const said = [error('alibi', 'sparse'), error('alibi', 'usual')];
    for (const language of few(['', 'zh/'])) {
      const drawn = await alone('flip-flop-memory', {}, language);
      const found = await drawn.text('.finding');
      assert.match(found, /KERPLE( and |、)FoX .*ALiBi/);
      assert.deepEqual(found.match(/\d\.\d\d/g), said);
      const beside = await drawn.inside(
        `[...root.querySelectorAll('.dot-value')].map((text) => text.textContent)`,
      );
      const inOrder = ['kerple', 'fox', 'cope', 'alibi', 'rope'].map((scheme) =>
        error(scheme, 'sparse'),
      );
      assert.deepEqual(
        beside.filter((text) => /^[\d.]+$/.test(text)),
        inOrder,
      );
      assert.ok(
        beside.some((text) => text.endsWith(said[1]) && !/^\d/.test(text)),
        `${beside}`,
      );
    }
  });

  test('on a phone no line crosses the name of the training length', async () => {
    for (const language of few(['', 'zh/'])) {
      await visit.openFigure('length-race', {}, language, { width: 360 });
      for (const shownFigure of few(['length-race', 'copy-a-list', 'trained-heads'])) {
        const shown = await visit.page.figure(shownFigure);
        const [name, ...drawings] = await shown.inside(`(() => {
          const upright = [...root.querySelectorAll('.chart .limit')].find(
            (limit) => limit.getAttribute('x1') === limit.getAttribute('x2'));
          const lines = upright.closest('svg').querySelectorAll('.line, .band');
          return [upright.nextElementSibling, ...lines].map((part) => {
            const { top, bottom } = part.getBoundingClientRect();
            return { top, bottom };
          });
        })()`);
        assert.ok(drawings.length > 0);
        for (const { top } of drawings) assert.ok(top >= name.bottom, `${shownFigure}: ${top}`);
      }
    }
  });

  sweep(
    'every chart reads its values at the pointer, also one whose figure leaves that to it',
    async () => {
      const race = await alone('length-race', only(['alibi']));
      await race.inside(`(root.querySelector('.actions button').click(), 0)`);
      await race.until(`root.querySelector('.charts > :last-child').checkVisibility()`);
      const readAt = (type, share) =>
        race.inside(`((area) => {
        const { left, top, width } = area.getBoundingClientRect();
        const clientX = left + ${share} * width;
        area.dispatchEvent(new PointerEvent('${type}', { clientX, clientY: top + 5 }));
        return [...area.closest('svg').querySelectorAll('.cursor text')].map((text) => text.textContent);
      })(root.querySelector('.charts > :last-child .pointer'))`);
      const runs = recorded('a1_drawers').results.filter(({ variant }) => variant === 'alibi');
      const first = mean(runs.map(({ curve }) => curve[0][1]));
      const last = mean(runs.map(({ curve }) => curve.at(-1)[1]));
      assert.deepEqual(await readAt('pointermove', 0), [first.toFixed(3)]);
      assert.deepEqual(await readAt('pointermove', 1), [last.toFixed(3)]);
      const apart = await race.inside(`((ring, text) =>
      Math.abs((ring.top + ring.bottom - text.top - text.bottom) / 2))(
      ...['circle', 'text'].map((part) => root.querySelector('.charts > :last-child .cursor ' + part).getBoundingClientRect()))`);
      assert.ok(apart < 25, `the value stands ${apart} pixels from its ring`);
      assert.deepEqual(await readAt('pointerleave', 1), []);
    },
  );
});

describeInChromium('the race on paper', (visit) => {
  test('has its lines before a guess too, and asks for none', async () => {
    const shown = await visit.figure('length-race');
    await visit.tab.emulateMediaType('print');
    const seen = (part) =>
      shown.inside(`(root.querySelector('${part}').checkVisibility({ visibilityProperty: true }))`);
    const lines = ['.charts .line.is-sinusoidal', '.charts .line.is-rope'];
    assert.deepEqual([await seen(lines[0]), await seen(lines[1])], [true, true]);
    assert.deepEqual([await seen('.show'), await seen('.finding')], [false, false]);
    await visit.tab.emulateMediaType('screen');
    assert.deepEqual([await seen(lines[0]), await seen(lines[1])], [true, false]);
  });
});
