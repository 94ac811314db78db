/** README and guides: what they name exists, and both languages say the same. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import markdownIt from 'markdown-it';
import { policy } from '../../tools/serve.mjs';
import { guideNames, guideText } from '../support/guides.mjs';

const root = join(import.meta.dirname, '..', '..');
const read = (name) => readFileSync(join(root, name), 'utf8');
const files = { en: 'README.md', zh: 'README.zh.md' };

/** Comments are prose, and each language has its own. */
const withoutComments = (code) => code.replaceAll(/ *(\/\/|#) .*$/gm, '');

/** Numbers as they are read; 2-D is a word that Chinese writes without one. */
const numbersIn = (text) => text.replaceAll('2-D', '').match(/\d+(?:[.,]\d+)*/g) ?? [];

/** Everything in a text that has no language. */
function skeleton(text) {
  const found = {
    headings: [],
    code: [],
    spans: [],
    links: [],
    pictures: [],
    rows: 0,
    numbers: [],
  };
  const walk = (tokens) => {
    for (const { type, tag, content, info, attrs, children } of tokens) {
      const address = () => Object.fromEntries(attrs).href ?? Object.fromEntries(attrs).src;
      if (type === 'heading_open') found.headings.push(tag);
      if (type === 'fence') found.code.push(`${info}\n${withoutComments(content)}`);
      if (type === 'code_inline') found.spans.push(content);
      if (type === 'link_open') found.links.push(address());
      if (type === 'image') found.pictures.push(address());
      if (type.startsWith('html'))
        found.pictures.push(...(content.match(/\bsrc(?:set)?="[^"]+"/g) ?? []));
      if (type === 'tr_open') ++found.rows;
      if (type === 'text') found.numbers.push(...numbersIn(content));
      if (children) walk(children);
    }
  };
  walk(markdownIt({ html: true }).parse(text, {}));
  found.spans.sort();
  found.numbers.sort();
  return found;
}

/** A README links to the other one, and to guides of its language. */
const sameLinks = (links) =>
  links.map((link) =>
    Object.values(files).includes(link) ? 'other' : link.replace(/(?<=\/)(en|zh)\.md$/, 'guide'),
  );
const comparable = (text) => ({ ...skeleton(text), links: sameLinks(skeleton(text).links) });

/** In three guides the languages name or count some things differently. */
const compared = guideNames.filter((name) => !['blog', 'bugs', 'coming_from'].includes(name));

const pairs = {
  README: files,
  ...Object.fromEntries(
    compared.map((name) => [
      name,
      { en: `web/guides/${name}/en.md`, zh: `web/guides/${name}/zh.md` },
    ]),
  ),
};
for (const [name, { en, zh }] of Object.entries(pairs))
  test(`${name}: both languages have the same sections, code, names, links, tables and numbers`, () => {
    assert.deepEqual(comparable(read(zh)), comparable(read(en)));
  });

test("the README has a row of the guide's table of speed, and names the same machine", () => {
  for (const [language, file] of Object.entries(files)) {
    const [, made] = /<!-- Made.*-->\n([^]*?)<!-- to here -->/.exec(read(file));
    const lines = made.trim().split('\n');
    assert.equal(lines.length, 5);
    const guide = guideText('speed', language).split('\n');
    assert.deepEqual(
      lines.filter((line) => !guide.includes(line)),
      [],
    );
  }
});

test('each kind of difference is found', () => {
  const whole =
    '# A\n\nIt is `x`, 20.19, [there](B.md).\n\n```sh\nnpm test # all\n```\n\n| a |\n| - |\n| 1 |\n\n<img alt="A" src="a.png" />\n';
  const changes = [
    ['a.png', 'b.png'],
    ['# A', '## A'],
    ['`x`', '`y`'],
    ['20.19', '20.18'],
    ['B.md', 'C.md'],
    ['npm test', 'npm start'],
    ['| 1 |', '| 1 |\n| 1 |'],
  ];
  for (const [from, to] of changes)
    assert.notDeepEqual(comparable(whole.replace(from, to)), comparable(whole), to);
  assert.deepEqual(
    comparable(whole.replace('# all', '# 全部').replace('It is', '这是')),
    comparable(whole),
  );
});

const { scripts } = JSON.parse(read('package.json'));

for (const [file, commandCount, pathCount] of /** @type {const} */ ([
  ['README.md', 4, 8],
  ['CONTRIBUTING.md', 16, 25],
  ['SECURITY.md', 0, 1],
])) {
  test(`every command that ${file} names is one of ours`, () => {
    const named = read(file).matchAll(/\bnpm (?:run (\S+?)|(start|test|install))(?=[\s`.,]|$)/gm);
    const commands = [...named].map(([, run, own]) => run ?? own);
    assert.ok(commands.length >= commandCount, String(commands));
    assert.deepEqual(
      commands.filter((name) => name !== 'install' && !scripts[name]),
      [],
    );
  });

  test(`every folder, file and picture that ${file} names is there`, () => {
    const { links, pictures, spans } = skeleton(read(file));
    const paths = [...links, ...pictures, ...spans].filter((name) =>
      /^(src|web|tests|tools)(\/\w|$)|\.(md|svg|png|txt)$/.test(name),
    );
    assert.ok(paths.length >= pathCount, String(paths));
    assert.deepEqual(
      paths.filter((name) => !existsSync(join(root, name))),
      [],
    );
  });
}

test('the map of folders names their contents', () => {
  const inside = [...read('CONTRIBUTING.md').matchAll(/^\| `(src\/core|web|tests)` \| (.*) \|$/gm)];
  assert.equal(inside.length, 3);
  for (const [, folder, told] of inside)
    for (const [, name] of told.matchAll(/`(\w+)`/g))
      assert.ok(existsSync(join(root, folder, name)), `${folder}/${name}`);
});

test('SECURITY.md promises the policy under which the browser tests serve the page', () => {
  assert.ok(read('SECURITY.md').replaceAll(/\s+/g, ' ').includes(policy), policy);
});
