/** The gallery: a still of every figure, and how to put the figure into another page. */
import type { AnyFigure, Control } from '../figures/figure.ts';
import { stillOf, type SnippetKind } from '../figures/snippets.ts';
import type { Language } from '../languages.ts';
import { defaultOf, writeValue } from '../state.ts';
import { addressOf, chapters } from './chapters.ts';
import { frameHeight } from './heights.ts';
import { escaped, factsTable } from './html.ts';

const words = {
  en: {
    attribute: 'Attribute',
    meaning: 'Meaning',
    values: 'Values',
    usual: 'Default',
    range: (min: string, max: string) => `${min} to ${max}`,
    step: (step: number) => `in steps of ${step}`,
    any: 'any number',
    limited: 'less where other settings ask for it',
    text: (most: number) => `text, at most ${most} characters`,
    hosts: {
      html: 'HTML, MDX',
      vue: 'Vue',
      vueFrame: 'Vue, frame',
      jupyter: 'Jupyter',
      frame: 'Frame only',
    },
    tabs: 'Where the figure goes',
    notes: {
      html: 'For HTML, Markdown that keeps HTML, MDX, and JSX of React. Hugo needs <a href="./guides.html#hosts-hugo">one line more</a>.',
      vue: 'For templates of Vue and pages of VitePress.',
      vueFrame: 'For the same, where the code of the figure should not run in your page.',
      jupyter: 'For a cell of a notebook.',
      frame: 'Where scripts of other sites are not allowed, the first tag is enough.',
    },
    where: 'Where to paste it: host by host',
    alone: 'The figure alone',
    copy: 'Copy',
    front: 'The front page',
    take: 'Use it elsewhere',
  },
  zh: {
    attribute: '属性',
    meaning: '含义',
    values: '可取的值',
    usual: '默认值',
    range: (min: string, max: string) => `${min} 到 ${max}`,
    step: (step: number) => `步长 ${step}`,
    any: '任意数',
    limited: '上限随其他设置而变',
    text: (most: number) => `文本，最多 ${most} 个字符`,
    hosts: {
      html: 'HTML、MDX',
      vue: 'Vue',
      vueFrame: 'Vue、iframe',
      jupyter: 'Jupyter',
      frame: '仅 iframe',
    },
    tabs: '放在哪里',
    notes: {
      html: '用于 HTML、保留 HTML 的 Markdown、MDX，以及 React 的 JSX。Hugo 要<a href="./guides.html#hosts-hugo">多写一行</a>。',
      vue: '用于 Vue 模板和 VitePress 页面。',
      vueFrame: '同上，但图的代码不在你的页面里运行。',
      jupyter: '用于 notebook 的一个单元格。',
      frame: '不许放别站脚本的地方，只用第一个标签即可。',
    },
    where: '各平台贴在哪里',
    alone: '单独打开这幅图',
    copy: '复制',
    front: '首页',
    take: '放进你的网页',
  },
};

/** @param pageOf the address of the page that shows a figure */
export function gallery(
  figures: Record<string, AnyFigure>,
  pageOf: (figure: string) => string,
  language: Language,
): string {
  const pages = [
    { address: './', title: words[language].front },
    ...chapters.map((chapter, k) => ({
      address: addressOf(chapter),
      title: `${k + 1} ${chapter.title[language]}`,
    })),
  ];
  const groups = pages.map(({ address, title }) => {
    const shown = Object.entries(figures).filter(([name]) => pageOf(name) === address);
    if (shown.length === 0) return '';
    const entries = shown.map(([name, figure]) => entry(name, figure, address, language));
    return `<section class="stills">
<h2><a href="${address}">${title}</a></h2>
<ul>${entries.join('\n')}</ul>
</section>`;
  });
  return groups.filter(Boolean).join('\n');
}

function entry(
  name: string,
  { text, controls }: AnyFigure,
  address: string,
  language: Language,
): string {
  const strings = words[language];
  const { title, question } = text[language];
  const rows = Object.entries(controls).map(([key, control]) => {
    const meaning = `${control.label[language]}${control.symbol ? ` ${control.symbol}` : ''}`;
    const usual = writeValue(defaultOf(control, language));
    const cells = [escaped(meaning), valuesOf(control, language), code(escaped(usual))];
    const cell = (content: string) => `<td>${content}</td>`;
    return `<tr><th scope="row">${code(key)}</th>${cells.map(cell).join('')}</tr>`;
  });
  const heads = [strings.attribute, strings.meaning, strings.values, strings.usual];
  return `<li class="entry" id="${name}" data-height="${frameHeight(name, language)}">
<h3><a class="permalink" href="${address}#${name}"><img src="/${stillOf(name, language)}" alt="" loading="lazy" />${escaped(title)}</a></h3>
<details><summary>${strings.take}</summary>
<p class="question">${escaped(question)}</p>
${rows.length > 0 ? factsTable(heads, rows, 'attributes') : ''}
${snippet(name, language)}
<p class="own-address"><a href="./guides.html#hosts">${strings.where}</a> · <a href="./figure/${name}/">${strings.alone}</a></p>
</details>
</li>`;
}

/** The tabs of the hosts; the page's script writes the snippet, which has the site's address. */
function snippet(name: string, language: Language): string {
  const { hosts, tabs, notes, copy } = words[language];
  const kinds = Object.keys(hosts) as SnippetKind[];
  const tab = (kind: SnippetKind) =>
    `<button type="button" role="tab" id="${name}-${kind}" data-kind="${kind}" aria-controls="${name}-snippet" aria-selected="${kind === 'html'}">${hosts[kind]}</button>`;
  const note = (kind: SnippetKind) =>
    `<p data-host="${kind}"${kind === 'html' ? '' : ' hidden'}>${notes[kind]}</p>`;
  return `<div class="snippet">
<div class="tabs" role="tablist" aria-label="${tabs}" hidden>${kinds.map(tab).join('')}</div>
<div role="tabpanel" id="${name}-snippet" aria-labelledby="${name}-html">
<div class="note">${kinds.map(note).join('')}<button type="button" class="copy" hidden>${copy}</button></div>
<pre tabindex="0"><code data-snippet="html"></code></pre>
</div>
</div>`;
}

const code = (text: string) => `<code>${text}</code>`;

function valuesOf(control: Control, language: Language): string {
  const strings = words[language];
  switch (control.kind) {
    case 'range': {
      const { min, max, step = 1, limit } = control;
      const spaced = step === 'log' ? strings.any : step === 1 ? '' : strings.step(step);
      const parts = [strings.range(String(min), String(max)), spaced, limit ? strings.limited : ''];
      return parts.filter(Boolean).join(language === 'zh' ? '，' : ', ');
    }
    case 'choice':
      return control.options
        .map(({ value, label }) => {
          const [open, close] = language === 'zh' ? ['（', '）'] : [' (', ')'];
          const name = escaped(label[language]);
          const means = label[language] === value ? '' : `${open}${name}${close}`;
          return `${code(escaped(value))}${means}`;
        })
        .join('<br>');
    case 'switch':
      return `${code('yes')}<br>${code('no')}`;
    case 'text':
      return strings.text(control.maxLength);
  }
}
