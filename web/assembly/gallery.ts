/** The gallery: a still of every figure, and how to put the figure into another page. */
import type { AnyFigure, Control, Controls } from '../figures/figure.ts';
import { stillOf, type SnippetKind } from '../figures/snippets.ts';
import type { Language } from '../languages.ts';
import {
  defaultOf,
  defaultsOf,
  readValue,
  withinLimits,
  writeSettings,
  writeValue,
} from '../state.ts';
import { addressOf, chapters } from './chapters.ts';
import { frameHeight } from './heights.ts';
import { escaped, factsTable, stacking } from './html.ts';

/** The file of Hugo and what it has; the guide on hosts says the same. */
const shortcode =
  '<code>layouts/shortcodes/raw.html</code> (<code class="joined">{{ .Inner }}</code>)';

const words = {
  en: {
    attribute: 'Attribute',
    meaning: 'Meaning',
    values: 'Values',
    usual: 'Default',
    range: (min: string, max: string) => `${min} to ${max}`,
    step: (step: number) => `in steps of ${step}`,
    any: 'any number',
    limited: (most: number) => `at most ${most} while other settings have their defaults`,
    seed: 'chooses the random numbers; the same seed gives the same ones',
    text: (most: number) => `text, at most ${most} characters`,
    hosts: {
      html: 'HTML, Markdown, MDX',
      hugo: 'Hugo',
      vue: 'VitePress, Vue',
      vueFrame: 'VitePress, frame',
      jupyter: 'Jupyter',
      frame: 'Frame only',
    },
    tabs: 'Where the figure goes',
    notes: {
      html: 'For Docusaurus, Astro, Next, Jekyll, Eleventy, Quarto, Pandoc, Observable Framework and plain pages: into the text, after an empty line.',
      hugo: `For posts of Hugo, which also needs the file ${shortcode}.`,
      vue: 'For pages of VitePress and templates of Vue.',
      vueFrame: 'For the same, where the code of the figure should not run in your page.',
      jupyter: 'For a cell of a notebook.',
      frame: 'Where scripts of other sites are not allowed, the first tag is enough.',
    },
    fallback:
      'All between the tags of the figure is for readers without scripts: a picture of the default state, and a link to yours. Leave it as it is.',
    example: 'Settings are attributes:',
    follows: 'Set the figure as your readers should find it: the snippets and links below follow.',
    where: 'Where to paste it: host by host',
    alone: 'The figure alone',
    copy: 'Copy',
    front: 'The front page',
    take: 'Embed',
  },
  zh: {
    attribute: '属性',
    meaning: '含义',
    values: '可取的值',
    usual: '默认值',
    range: (min: string, max: string) => `${min} 到 ${max}`,
    step: (step: number) => `步长 ${step}`,
    any: '任意数',
    limited: (most: number) => `其他设置为默认值时最大 ${most}`,
    seed: '决定随机数，种子相同，随机数就相同',
    text: (most: number) => `文本，最多 ${most} 个字符`,
    hosts: {
      html: 'HTML、Markdown、MDX',
      hugo: 'Hugo',
      vue: 'VitePress、Vue',
      vueFrame: 'VitePress、iframe',
      jupyter: 'Jupyter',
      frame: '仅 iframe',
    },
    tabs: '放在哪里',
    notes: {
      html: '用于 Docusaurus、Astro、Next、Jekyll、Eleventy、Quarto、Pandoc、Observable Framework 和普通网页：贴进正文，前面空一行。',
      hugo: `用于 Hugo 的文章，还要有文件 ${shortcode}。`,
      vue: '用于 VitePress 页面和 Vue 模板。',
      vueFrame: '同上，但图的代码不在你的页面里运行。',
      jupyter: '用于 notebook 的一个单元格。',
      frame: '不许放别站脚本的地方，只用第一个标签即可。',
    },
    fallback:
      '标签之间的内容给不运行脚本的读者看：一张默认状态的图，和一个带着你的设置的链接。不用改。',
    example: '设置写成属性：',
    follows: '把图调到想让读者看到的样子，下面的代码和链接会跟着变。',
    where: '各平台贴在哪里',
    alone: '单独打开这幅图',
    copy: '复制',
    front: '首页',
    take: '嵌入网页',
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

function entry(name: string, figure: AnyFigure, address: string, language: Language): string {
  const strings = words[language];
  const { text, controls } = figure;
  const { title, question } = text[language];
  const colon = language === 'zh' ? '：' : ': ';
  const rows = Object.entries(controls).map(([key, control]) => {
    const label = `${control.label[language]}${control.symbol ? ` ${control.symbol}` : ''}`;
    const meaning = key === 'seed' ? `${label}${colon}${strings.seed}` : label;
    const usual = writeValue(defaultOf(control, language));
    const values = valuesOf(control, controls, language);
    const cells = [escaped(meaning), values, code(escaped(usual))];
    const cell = (content: string) => `<td>${content}</td>`;
    return `<tr><th scope="row">${code(key)}</th>${cells.map(cell).join('')}</tr>`;
  });
  const heads = [strings.attribute, strings.meaning, strings.values, strings.usual];
  return `<li class="entry" id="${name}" data-height="${frameHeight(name, language)}">
<h3><a class="permalink" href="${address}#${name}"><img src="/${stillOf(name, language)}" alt="" loading="lazy" />${escaped(title)}</a></h3>
<details><summary>${strings.take}</summary>
<p class="question">${escaped(question)}</p>
<p class="hint" hidden>${rows.length > 0 ? strings.follows : ''}</p>
${rows.length > 0 ? exampleOf(name, figure, language) : ''}
<p class="own-address"><a href="./guides.html#hosts">${strings.where}</a> · <a class="alone" href="./figure/${name}/">${strings.alone}</a></p>
${snippet(name, language)}
${rows.length > 0 ? stacking(factsTable(heads, rows, 'attributes')) : ''}
</details>
</li>`;
}

/** How a setting is written: a state to try, or else the first value that is not a default. */
function exampleOf(name: string, { controls, tries = [] }: AnyFigure, language: Language): string {
  const { example } = words[language];
  const defaults = defaultsOf(controls, language);
  const others = Object.entries(controls).flatMap(([key, control]) =>
    examplesOf(control)
      .filter((value) => readValue(control, writeValue(value)) !== undefined)
      .map((value) => ({ [key]: value })),
  );
  const [state] = [...tries.map(({ set }) => set), ...others]
    .map((changes) => withinLimits(controls, { ...defaults, ...changes }))
    .map((settings) => writeSettings(controls, settings, language))
    .filter(({ size }) => size > 0);
  const attributes = [['name', name], ...state!].map(([key, word]) => `${key}="${escaped(word!)}"`);
  const element = `&lt;ropewalk-figure ${attributes.join(' ')}&gt;`;
  return `<p class="example">${example} ${code(element)}</p>`;
}

/** Values to try as an example, which may be the default. */
function examplesOf(control: Control): (number | string | boolean)[] {
  switch (control.kind) {
    case 'range':
      return [10 * control.default, control.max, control.min];
    case 'choice':
      return control.options.map(({ value }) => value);
    case 'switch':
      return [true, false];
    case 'text':
      return [];
  }
}

/** The tabs of the hosts; the page's script writes the snippet, which has the site's address. */
function snippet(name: string, language: Language): string {
  const { hosts, tabs, notes, copy, fallback } = words[language];
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
<p class="fallback" data-host="html hugo vue jupyter">${fallback}</p>
</div>
</div>`;
}

const code = (text: string) => `<code>${text}</code>`;

function valuesOf(control: Control, controls: Controls, language: Language): string {
  const strings = words[language];
  switch (control.kind) {
    case 'range': {
      const { min, max, step = 1, limit } = control;
      const spaced = step === 'log' ? strings.any : step === 1 ? '' : strings.step(step);
      const most = limit?.(defaultsOf(controls, language));
      const limited = most === undefined || most >= max ? '' : strings.limited(most);
      const parts = [strings.range(String(min), String(max)), spaced, limited];
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
