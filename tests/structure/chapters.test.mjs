/** The frame of each chapter: a question at its head, and at its end what to remember. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordedOf } from '../experiments/record.mjs';
import { labels, methodLabel } from '../experiments/report.mjs';
import { importFromWeb } from '../support/typescript.mjs';

const web = join(import.meta.dirname, '..', '..', 'web');
const { chapters, namesOf } = await importFromWeb('assembly/chapters.ts');
const { withLinks } = await importFromWeb('assembly/links.ts');
const { withJoinedLines } = await importFromWeb('assembly/lines.ts');
const { choosingPlans, withChoosing } = await importFromWeb('assembly/choosing.ts');
const results = readFileSync(join(web, '..', 'tests/experiments/results.md'), 'utf8');
const recorded = Object.fromEntries(choosingPlans.map((plan) => [plan, recordedOf(plan)]));
const textOf = (name, language) =>
  withChoosing(
    readFileSync(join(web, 'chapters', name, `${language}.md`), 'utf8'),
    language,
    recorded,
  );
const takeaway = /^> .*(\n> .*)*/gm;

test('a link by id leads to the page that has it, and one that leads nowhere is an error', () => {
  const places = new Map([
    ['rotary-decay', './rotation.html#rotary-decay'],
    ['rotation', './rotation.html'],
    ['contents', './#contents'],
  ]);
  const linked = (text) => withLinks(text, places);
  assert.equal(linked('<a href="#rotary-decay">'), '<a href="./rotation.html#rotary-decay">');
  assert.equal(linked('<a href="./#rotation">'), '<a href="./rotation.html">');
  assert.equal(linked('<a href="#contents">'), '<a href="./#contents">');
  const own = '<p id="rotary-decay"><a href="#rotary-decay">';
  assert.equal(linked(own), own);
  assert.throws(() => linked('<a href="#nowhere">'), /a link leads to the id "nowhere"/);
});

test('Chinese lines join without a space beside full-width marks, and code keeps its lines', () => {
  const joined = {
    '位置编码，\n 只旋转': '位置编码，只旋转',
    '全部\n函数': '全部函数',
    '<strong>配对不同。</strong> 权重': '<strong>配对不同。</strong>权重',
    'RoPE\n<a href="#a">（旋转）</a>': 'RoPE<a href="#a">（旋转）</a>',
    'C++\n内核 <code>q</code> 与': 'C++\n内核 <code>q</code> 与',
    '<pre>甲，\n乙</pre>': '<pre>甲，\n乙</pre>',
    '<button>确定？</button> <button>取消</button>':
      '<button>确定？</button> <button>取消</button>',
    '<a href="#a">甲</a>\n<a href="#b">乙</a>': '<a href="#a">甲</a>\n<a href="#b">乙</a>',
  };
  for (const [text, wanted] of Object.entries(joined)) assert.equal(withJoinedLines(text), wanted);
});

test('every folder of a chapter is in the list', () => {
  assert.deepEqual(chapters.map(({ name }) => name).sort(), readdirSync(join(web, 'chapters')));
});

for (const chapter of chapters) {
  const { name, question, picture } = chapter;
  for (const [language, mark] of /** @type {const} */ ([
    ['en', '?'],
    ['zh', '？'],
  ])) {
    test(`${name}, ${language}: begins with one question and ends with one takeaway`, () => {
      assert.equal(question[language].indexOf(mark), question[language].length - 1);
      const text = textOf(name, language);
      const found = text.match(takeaway) ?? [];
      assert.equal(found.length, 1);
      assert.ok(text.endsWith(`${found[0]}\n`), 'the takeaway is the end');
    });

    test(`${name}, ${language}: its picture exists, and its text has the names that the map shows`, () => {
      const still = `public/stills/${picture}_${language}.webp`;
      assert.ok(existsSync(join(web, still)), still);
      const text = textOf(name, language);
      const missing = namesOf(chapter, language).filter(
        (one) => !text.toLowerCase().includes(one.toLowerCase().replace(/s$/, '')),
      );
      assert.deepEqual(missing, []);
    });
  }
}

/** Headings of results.md, as data-result names them. */
const sections = {
  drawers: '## Drawers:',
  'drawers-extended': '## Extension without training: drawers',
  'repeats-extended': '## Extension without training: text that repeats itself',
};

/** The mean in the first table of accuracies of a section. */
function measured(section, row, column) {
  const start = results.indexOf('**Accuracy', results.indexOf(sections[section]));
  const [head, , ...rows] = results
    .slice(start)
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return Number.parseFloat(rows.find(([, name]) => name === row)[head.indexOf(column)]);
}

for (const language of ['en', 'zh']) {
  test(`choosing, ${language}: each accuracy is that of the experiments`, () => {
    const text = textOf('choosing', language);
    const found = [...text.matchAll(/data-result="([^"]+)">(\d+)(?:&nbsp;)?%</g)];
    assert.equal(found.length, 30);
    for (const [, name, percent] of found) {
      const [section, row, column] = name.split('/');
      const label = section === 'drawers' ? labels[row] : methodLabel(row);
      assert.equal(percent, (100 * measured(section, label, column)).toFixed(0), name);
    }
  });
}
