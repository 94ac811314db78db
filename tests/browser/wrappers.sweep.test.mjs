/** The component for React on a server, and the types of the element in JSX and Vue. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { packageFolder } from '../package/installed.mjs';

const root = join(import.meta.dirname, '..', '..');
const libraries = join(root, 'tests/guides/node_modules');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** A reader's project: the installed package beside React and Vue, by links. */
const folder = mkdtempSync(join(root, 'build', 'wrappers-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
for (const name of [
  'react',
  'react-dom',
  'scheduler',
  'csstype',
  'vue',
  '@vue',
  '@babel',
  '@types/react',
])
  symlinkSync(join(libraries, name), join(folder, 'node_modules', name));
symlinkSync(packageFolder, join(folder, 'node_modules/ropewalk'));
writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');

/** What Node prints of a module in the project. Links keep their place, as what npm installs has. */
function printed(code) {
  writeFileSync(join(folder, 'main.js'), code);
  const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, 'main.js'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('a server renders the element with its settings, a link and a still, and loads nothing', () => {
  const html = printed(`
    import { createElement } from 'react';
    import { renderToStaticMarkup } from 'react-dom/server';
    import { RopewalkFigure } from 'ropewalk/react';
    const props = { name: 'sinusoid-shift', lang: 'zh-CN', height: 900, fit: true,
      settings: { offset: 7, shown: true }, site: 'https://some.where/deep', title: 'A < b' };
    process.stdout.write(renderToStaticMarkup(createElement(RopewalkFigure, props)));
    const own = createElement(RopewalkFigure, { name: 'ropes' }, 'Own text');
    process.stdout.write('\\n' + renderToStaticMarkup(own));
  `);
  const [whole, own] = html.split('\n');
  assert.equal(
    whole,
    '<ropewalk-figure offset="7" shown="yes" name="sinusoid-shift" lang="zh-CN" height="900" ' +
      'fit="" style="display:block;min-height:900px">' +
      '<a href="https://some.where/deep/zh/figure/sinusoid-shift/">A &lt; b</a>' +
      '<img src="https://some.where/deep/stills/sinusoid-shift_zh.webp" alt="" width="100%" loading="lazy"/>' +
      '</ropewalk-figure>',
  );
  assert.equal(own, '<ropewalk-figure name="ropes">Own text</ropewalk-figure>');
});

/** What the compiler says of a file of the project. */
function complaints(name, text) {
  writeFileSync(join(folder, name), text);
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    jsx: 'react-jsx',
    module: 'esnext',
    moduleResolution: 'bundler',
    preserveSymlinks: true,
    skipLibCheck: false,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: [name] }),
  );
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  return stdout;
}

const consumers = {
  'element.ts': `
import type { FigureState, RopewalkFigure } from 'ropewalk/elements';
const element: RopewalkFigure = document.querySelector('ropewalk-figure')!;
const state: FigureState | undefined = element.state;
const done: Promise<void> = element.set({ offset: 9, layout: 'half-split', isOn: true });
element.addEventListener('change', ({ detail }) => detail['offset']);
element.addEventListener('draw', ({ detail }) => detail['offset']);
element.addEventListener('error', ({ error, message }) => [error, message.length]);
element.addEventListener('click', ({ clientX }) => clientX);
// @ts-expect-error: a setting is a number, a text or a boolean
element.set({ offset: [9] });
// @ts-expect-error: the state is read only
element.state = {};
// @ts-expect-error: a click has no detail of settings
element.addEventListener('click', ({ detail }) => detail['offset']);
export { done, state };
`,
  'component.tsx': `
import { useRef } from 'react';
import { RopewalkFigure } from 'ropewalk/react';
import type { RopewalkFigure as Element } from 'ropewalk/elements';
export function Page() {
  const figure = useRef<Element>(null);
  const next = () => figure.current?.set({ offset: Number(figure.current.state?.['offset']) + 1 });
  return <>
    <RopewalkFigure ref={figure} name="sinusoid-shift" settings={{ offset: 7 }} lang="en" fit className="wide"
      onChange={(state) => state['offset']} onError={(error) => error.message} onClick={next} />
    {/* @ts-expect-error: a figure has a name */}
    <RopewalkFigure settings={{ offset: 7 }} />
    {/* @ts-expect-error: no such theme */}
    <RopewalkFigure name="sinusoid-shift" theme="sepia" />
  </>;
}
`,
  'jsx.tsx': `
import type {} from 'ropewalk/jsx';
export const page = <>
  <ropewalk-figure name="sinusoid-shift" offset={7} lang="en" hide="title" theme="dark" fit="" className="wide">
    <img src="still.webp" alt="" width="100%" align="left" loading="lazy" />
  </ropewalk-figure>
  {/* @ts-expect-error: a figure has a name */}
  <ropewalk-figure offset={7} />
</>;
`,
  'vue.ts': `
import type { GlobalComponents } from 'vue';
import type {} from 'ropewalk/vue';
type Props = InstanceType<GlobalComponents['ropewalk-figure']>['$props'];
export const right: Props = { name: 'sinusoid-shift', offset: 7, lang: 'en', class: 'wide' };
// @ts-expect-error: a figure has a name
export const nameless: Props = { offset: 7 };
// @ts-expect-error: no such theme
export const sepia: Props = { name: 'sinusoid-shift', theme: 'sepia' };
`,
};

for (const [name, text] of Object.entries(consumers)) {
  test(`${name} compiles under --strict, and what is wrong in it does not`, () => {
    assert.equal(complaints(name, text), '');
    const wrong = complaints(name, text.replaceAll(/@ts-expect-error/g, 'wrong'));
    assert.equal(wrong.match(/error TS/g)?.length, text.match(/@ts-expect-error/g).length, wrong);
  });
}
