/** One model for the whole page: presets, a config.json of the reader's, and its account. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { few, sweep } from '../support/sweep.mjs';
import { pageOf } from './support/figures.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const llama = {
  model_type: 'llama',
  hidden_size: 2048,
  num_attention_heads: 32,
  max_position_embeddings: 131072,
  rope_theta: 500000,
  rope_scaling: {
    rope_type: 'llama3',
    factor: 32,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
    unheard_of: 1,
  },
};

describeInBrowsers('the model of the page', (visit) => {
  const { open } = visit;

  /** The value of an expression over the panel's `root`. */
  const inPanel = (expression) =>
    visit.tab.evaluate(
      `((root) => (${expression}))(document.querySelector('ropewalk-model').shadowRoot)`,
    );

  /** What the panel says once `selector` is there (or the selected text matches). */
  async function said(selector, pattern = /./) {
    const handle = await visit.tab.waitForFunction(
      (wanted, source) => {
        const text = document
          .querySelector('ropewalk-model')
          .shadowRoot.querySelector(wanted)?.textContent;
        return text && new RegExp(source).test(text) && text.replaceAll(/\s+/g, ' ').trim();
      },
      { polling: 50 },
      selector,
      pattern.source,
    );
    return handle.jsonValue();
  }

  const choose = (id) =>
    inPanel(`(() => {
      const select = root.querySelector('#preset');
      select.value = '${id}';
      select.dispatchEvent(new Event('change'));
      return 0;
    })()`);

  const paste = (text) =>
    inPanel(`(() => {
      const field = root.querySelector('#config');
      field.value = ${JSON.stringify(text)};
      field.dispatchEvent(new Event('input'));
      return 0;
    })()`);

  const shown = async (figure, key) =>
    figure.inside(
      `root.getElementById('${key}').closest('.control').querySelector('.exact').value`,
    );

  test('every preset is read without a fault, and said in a sentence', async () => {
    await open('sinusoid.html');
    const ids = await inPanel(
      `[...root.querySelectorAll('option')].map(({ value }) => value).filter(Boolean)`,
    );
    assert.ok(ids.length >= 8);
    let before = '';
    for (const id of few(ids, 3)) {
      await choose(id);
      const handle = await visit.tab.waitForFunction(
        (old) => {
          const text = document
            .querySelector('ropewalk-model')
            .shadowRoot.querySelector('.summary')?.textContent;
          return text && text !== old && text;
        },
        { polling: 20 },
        before,
      );
      before = await handle.jsonValue();
      assert.equal(await inPanel(`root.querySelector('.fault')?.textContent`), undefined, id);
    }
    await choose('llama-3.1-8b');
    assert.match(
      await said('.summary', /llama3/),
      /128 of 128 values per head, base 500,000, pairs are half a width apart, extended by llama3, 8 times, up to 131,072 positions\. From .*meta-llama\/Llama-3\.1-8B/,
    );
  });

  test('figures follow it, say where they cannot, and go back when it is let go', async () => {
    await open('sinusoid.html');
    const heatmap = await visit.page.figure('sinusoid-heatmap');
    await heatmap.drawnAfter(() => choose('gpt-oss-20b'));
    assert.equal(await shown(heatmap, 'dim'), '64');
    assert.equal(await shown(heatmap, 'base'), '150000');
    const { columns, rows } = await heatmap.csv();
    assert.equal(columns.length, 65);
    // PE(40, 2) = sin(40 · 150000^(−2/64)), side by side.
    assert.ok(Math.abs(Number(rows[40][3]) - Math.sin(40 * 150000 ** (-2 / 64))) < 1e-5);
    // Loaded after the choice: it follows from the start.
    const later = await visit.page.figure('sinusoid-dot-product');
    assert.equal(await shown(later, 'base'), '150000');
    // 768 values at the input are more than this control has.
    await choose('bert-base');
    await visit.tab.waitForFunction(
      () => document.querySelector('[name="sinusoid-heatmap"]').shadowRoot.querySelector('.note'),
      { polling: 50 },
    );
    assert.match(
      await heatmap.text('.note'),
      /^Width: the model says “768”.* 4 to 512 .*64 is shown/,
    );
    assert.equal(
      await shown(heatmap, 'base'),
      '10000',
      'a model without a base leaves the default',
    );
    await heatmap.drawnAfter(() => choose(''));
    assert.equal(await shown(heatmap, 'dim'), '128');
    assert.equal(await heatmap.text('.note'), undefined);
    await visit.tab.waitForFunction(() => !location.search.includes('model'));
  });

  sweep('so do the chapters on rotation and on longer contexts, from the address', async () => {
    for (const [figure, values] of /** @type {const} */ ([
      ['rotary-wavelengths', { base: '150000', length: '131072', dim: '64' }],
      ['unseen-angles', { trained: '4096', length: '131072', base: '150000' }],
    ])) {
      await open(`${pageOf(figure)}?model.preset=gpt-oss-20b`);
      const follower = await visit.page.figure(figure);
      const field = (key) =>
        `root.getElementById('${key}').closest('.control').querySelector('.exact').value`;
      await follower.until(`${field('base')} === '150000'`);
      for (const [key, value] of Object.entries(values))
        assert.equal(await shown(follower, key), value, `${figure} ${key}`);
    }
  });

  test('a pasted config.json is accounted for: read, assumed, contradicting', async () => {
    await open('zh/sinusoid.html');
    const heatmap = await visit.page.figure('sinusoid-heatmap');
    await heatmap.drawnAfter(() => paste(JSON.stringify(llama)));
    assert.equal(await shown(heatmap, 'dim'), '64');
    assert.match(
      await said('.summary'),
      /每个头的 64 个值里转 64 个，底数 500,000，相隔半宽的两个成对，用 llama3 扩展，32 倍，最长 131,072 个位置。/,
    );
    assert.match(await said('.account summary'), /读到 \d+ 项，推定 1 项，矛盾 1 项/);
    const notes =
      await inPanel(`Object.fromEntries([...root.querySelectorAll('.account tbody')].map((part) =>
      [part.dataset.kind, [...part.querySelectorAll('code')].map(({ textContent }) => textContent)]))`);
    assert.deepEqual(notes.contradicts, ['config.rope_scaling.unheard_of']);
    assert.deepEqual(notes.assumed, ['config.head_dim']);
    assert.ok(notes.read.includes('config.rope_theta'));
    assert.equal(
      await inPanel(`root.querySelectorAll('.account [lang="en"]').length`),
      0,
      'in Chinese throughout',
    );
  });

  test('a config that breaks a rule is reported with key, value and rule, and nothing is lost', async () => {
    await open('sinusoid.html');
    const heatmap = await visit.page.figure('sinusoid-heatmap');
    await heatmap.drawnAfter(() => choose('gpt-oss-20b'));
    await paste(JSON.stringify({ ...llama, rope_theta: -3 }));
    assert.match(
      await said('.fault'),
      /config\.rope_theta must be a number greater than 1 and at most 1000000000000000000, got -3\. Everything stays as it was/,
    );
    assert.equal(await shown(heatmap, 'base'), '150000');
    assert.match(await said('.summary'), /openai\/gpt-oss-20b/);
    assert.ok((await inPanel(`root.querySelector('#config').value`)).includes('"rope_theta":-3'));
    for (const garbage of [
      '{"model_type":',
      '[]',
      '{"__proto__":{"rope_theta":7}}',
      `${'['.repeat(9000)}`,
    ]) {
      await paste(garbage);
      await said('.fault', garbage === '[]' ? /object/ : /config/);
    }
    assert.equal(await visit.tab.evaluate(() => ({}).rope_theta), undefined);
  });

  test('a file dropped anywhere on the page is read', async () => {
    await open('sinusoid.html');
    const heatmap = await visit.page.figure('sinusoid-heatmap');
    await heatmap.drawnAfter(() =>
      visit.tab.evaluate((text) => {
        const files = new DataTransfer();
        files.items.add(new File([text], 'config.json', { type: 'application/json' }));
        const event = new DragEvent('drop', {
          bubbles: true,
          cancelable: true,
          dataTransfer: files,
        });
        document.querySelector('footer').dispatchEvent(event);
        return event.defaultPrevented;
      }, JSON.stringify(llama)),
    );
    assert.equal(await shown(heatmap, 'base'), '500000');
    assert.match(await said('.summary'), /64 of 64 values per head/);
  });

  test('the address keeps the model, and what the address says of a figure goes first', async () => {
    await open('sinusoid.html');
    const heatmap = await visit.page.figure('sinusoid-heatmap');
    await heatmap.drawnAfter(() => paste(JSON.stringify(llama)));
    await visit.tab.waitForFunction(() => location.search.includes('model.config'));
    await open(`sinusoid.html${await visit.tab.evaluate(() => location.search)}`);
    assert.match(await said('.summary'), /64 of 64 values/);
    await open('sinusoid.html?model.preset=gpt-oss-20b&sinusoid-heatmap.dim=32');
    await said('.summary');
    const figure = await visit.page.figure('sinusoid-heatmap');
    await visit.tab.waitForFunction(
      () =>
        /** @type {HTMLInputElement} */ (
          document
            .querySelector('[name="sinusoid-heatmap"]')
            .shadowRoot.querySelector('#base')
            .closest('.control')
            .querySelector('.exact')
        ).value === '150000',
      { polling: 50 },
    );
    assert.equal(await shown(figure, 'dim'), '32');
    await open(`sinusoid.html?${new URLSearchParams({ 'model.preset': '<b>x</b>' })}`);
    assert.match(await said('.note'), /“<b>x<\/b>”, which is not in the list/);
  });
});
