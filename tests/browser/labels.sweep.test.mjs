/**
 * What drawings write: inside their boxes and beside each other, at every setting worth a look; and
 * on the Chinese page it is Chinese.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, saidIn } from './support/chinese.mjs';
import { complaintsOf, prepareComplaints } from './support/complaints.mjs';
import { languages, pages } from './support/figures.mjs';
import { prepareFunctions } from './support/settings.mjs';
import { describeInChromium } from './support/visits.mjs';

const texts = ['x', 'antidisestablishmentarianism ever after', '龙 '.repeat(30)];
/** What is typed where figures are heard: no text, one that is right for numbers, and one for words. */
const chineseTexts = ['', '1 2 3', '猫'];
/** Widths of the window. */
const [narrow, wide] = [320, 1200];

/**
 * In the page: what is misplaced at each setting of the figures, and every word that they say. Into
 * those that have a field of text no foreign word is typed where they are heard.
 */
async function everythingIn(names, { texts, chineseTexts, count }) {
  const all = new Set();
  const hear = (figure) => saidIn(figure.shadowRoot, all);
  const types = (name) => {
    const figure = document.querySelector(`ropewalk-figure[name="${name}"]`);
    return Object.values(figure.figure.controls).some(({ kind }) => kind === 'text');
  };
  const typed = names.filter(types);
  const found = await complaintsOf(names, { texts, count }, (figure) => {
    if (!typed.includes(figure.getAttribute('name'))) hear(figure);
  });
  if (chineseTexts.length > 0) await atEachSetting(typed, { texts: chineseTexts, count }, hear);
  return { found, said: [...all] };
}

const prepare = async (tab) => {
  await prepareComplaints(tab);
  await prepareFunctions(tab, [saidIn]);
};

describeInChromium('labels', (visit) => {
  /** What is not Chinese in the columns of the file of a figure. */
  async function foreignColumns(name) {
    const { columns } = await (await visit.page.figure(name)).csv();
    // A column may be a name of mathematics; an English word is none.
    const english = columns.filter(
      (column) => /^[a-z]{3,}/.test(column) && !/^(sin|cos|turn|logits)\b/.test(column),
    );
    return [...columns.flatMap(faultsOf), ...english.map((column) => `${name}: ${column}`)];
  }

  for (const [language, folder] of Object.entries(languages)) {
    const isChinese = language === 'zh';
    test(`${language}: nothing that a figure writes leaves its box or lies on another${isChinese ? ', and it is Chinese, in files too' : ''}`, async () => {
      const misplaced = [];
      const foreign = [];
      for (const { path, figures } of pages) {
        await visit.open(folder + path, { width: narrow, prepare });
        for (const width of [narrow, wide]) {
          await visit.tab.setViewport({ width, height: 900 });
          for (const name of figures) {
            const figure = await visit.page.figure(name);
            await figure.until(`element.width ${width === wide ? '>' : '<'} ${narrow}`);
          }
          const isHeard = isChinese && width === wide;
          const { found, said } = await visit.tab.evaluate(everythingIn, figures, {
            texts,
            chineseTexts: isHeard ? chineseTexts : [],
            count: 4,
          });
          misplaced.push(...found.map((complaint) => `${width} pixels: ${complaint}`));
          if (isHeard) foreign.push(...said.flatMap(faultsOf));
        }
        if (isChinese) for (const name of figures) foreign.push(...(await foreignColumns(name)));
      }
      assert.deepEqual(misplaced, []);
      assert.deepEqual(foreign, []);
    });
  }
});
