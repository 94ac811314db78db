/** What the other tests lean on: a page's complaints are heard from its first line on, no wait is endless. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { temporaryFolder } from './support/folder.mjs';
import { Figure } from './support/page.mjs';
import { serve } from './support/server.mjs';
import { describeInBrowsers } from './support/visits.mjs';

/** What the strict policy refuses before the page has loaded: [what stands in the head, directive]. */
const refused = {
  'a script in the document': ['<script>globalThis.isRun = true</script>', 'script-src'],
  'a style in the document': ['<style>p { color: red }</style>', 'style-src'],
  'a picture from elsewhere': [
    '<link rel="icon" href="http://127.0.0.1:9/x.png"><img src="http://127.0.0.1:9/x.png">',
    'img-src',
  ],
  'a script from elsewhere': ['<script src="http://127.0.0.1:9/x.js"></script>', 'script-src'],
};

describeInBrowsers('what the tests lean on', (visit) => {
  const folder = temporaryFolder();
  let site;
  before(async () => {
    site = await serve(folder.path);
  });
  after(async () => {
    await site?.close();
  });

  for (const [what, [head, directive]] of Object.entries(refused)) {
    test(`${what}, blocked while the page loads, is reported`, async () => {
      const icon = '<link rel="icon" href="data:,">';
      await folder.write('index.html', `<!doctype html><title>x</title>${icon}${head}<p>x`);
      const page = await visit.open('', { address: site.address });
      page.expectsComplaints = true;
      await assert.rejects(page.assertNoComplaint(), ({ actual }) => {
        const policy = actual.filter((text) => text.startsWith(`policy: ${directive}`));
        assert.ok(policy.length > 0, actual.join('\n'));
        return true;
      });
    });
  }

  test('a wait has a limit, and its error names what is missing and what is there', async () => {
    const heatmap = await visit.figure('sinusoid-heatmap', { dim: 'wide' });
    const hasty = new Figure(visit.tab, 'sinusoid-heatmap', 100);
    const text =
      /sinusoid-heatmap: within 0\.1 s there was not a new drawing; it is {"drawn":true.*“wide”/;
    await assert.rejects(
      hasty.drawnAfter(() => {}),
      text,
    );
    await assert.rejects(
      hasty.until('root.host.oddity'),
      /there was not root\.host\.oddity; it is/,
    );
    await heatmap.set('dim', 8);
    assert.equal((await heatmap.csv()).columns.length, 9, 'and the next one is not disturbed');
  });

  test('waiting ends with a drawing of the settings, not of an earlier request', async () => {
    const heatmap = await visit.figure('sinusoid-heatmap');
    await heatmap.drawnAfter(() =>
      heatmap.inside('([8, 16, 32].forEach((dim) => element.set({ dim })), 0)'),
    );
    assert.equal((await heatmap.csv()).columns.length, 33);
  });

  test('a refusal is not forgotten when the page opens another address', async () => {
    await folder.write('index.html', '<!doctype html><title>x</title><script>0</script>');
    await folder.write('good.html', '<!doctype html><title>x</title>');
    const page = await visit.open('', { address: site.address });
    page.expectsComplaints = true;
    await page.open('good.html');
    await assert.rejects(page.assertNoComplaint(), /policy: script-src/);
  });

  test('a test fails by what went wrong on its page, and only that test', async () => {
    const page = await visit.open();
    page.complaints.push('error: on purpose');
    await assert.rejects(visit.judge(), /on purpose/);
    await visit.judge();
  });
});
