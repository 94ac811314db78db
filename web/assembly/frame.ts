/** What every page has around its own text: the common part of the head, the bar and the footer. */
import type { Language } from '../languages.ts';
import { anchor, chapters } from './chapters.ts';

const words = {
  en: {
    locale: 'en_US',
    skip: 'Skip to the text',
    pages: {
      label: 'Pages',
      start: 'Start',
      chapters: 'Chapters',
      lab: 'Lab',
      // A phone shows the first word.
      numbers: 'Check<span> your model</span>',
      reference: 'Reference',
    },
    search: 'Search',
    entries: './search_en.json',
    dark: 'Dark',
    other: { language: 'zh', name: '中文' },
    footer: `<p>
A ropewalk is the long, narrow building in which rope is laid. This one grew from five notes on
position embedding; <a href="./errata.html">the errata</a> say what was wrong in them. The terms
are in <a href="./glossary.html">the glossary</a>, and all pictures in
<a href="./gallery.html">the gallery</a>.
</p>
<p>
Every number in the figures comes from one C++ core, compiled to WebAssembly and run in your
browser. Nothing you type leaves it. The same core is the npm package <code>ropewalk</code>:
see <a href="./guides.html">the guides</a> and <a href="./reference.html">the reference</a>, or
<a href="./arrays.html">compare your own numbers with it</a>.
</p>`,
  },
  zh: {
    locale: 'zh_CN',
    skip: '跳到正文',
    pages: {
      label: '页面',
      start: '入门',
      chapters: '目录',
      lab: '实验室',
      numbers: '检查模型',
      reference: '参考手册',
    },
    search: '搜索',
    entries: '../search_zh.json',
    dark: '深色',
    other: { language: 'en', name: 'English' },
    footer: `<p>
Ropewalk 原指搓绳用的长廊工棚。这个网站的起点是五篇位置编码笔记；笔记里的错误见<a
href="./errata.html">勘误</a>。术语查<a href="./glossary.html">术语表</a>，找图看<a
href="./gallery.html">图集</a>。
</p>
<p>
图里的每个数都来自同一个 C++ 内核，编译成 WebAssembly，在你的浏览器里运行；你输入的内容只留在你的设备上。同一个内核也是
npm 包 <code>ropewalk</code>：见<a href="./guides.html">使用指南</a>和<a href="../reference.html"
hreflang="en">参考手册</a>（英文），也可以<a href="./arrays.html">拿你自己的数值来核对</a>。
</p>`,
  },
};

/** The reference is in English alone: its link to the other language leads to the first page. */
const hasTwin = (name: string) => !/^reference\b/.test(name);

/** The content of the first element that a pattern finds. */
function contentOf(document: string, pattern: RegExp, what: string): string {
  const [, content] = pattern.exec(document) ?? [];
  if (!content) throw new Error(`a page has no ${what}: ${document.slice(0, 300)}`);
  return content;
}

const first = anchor(chapters[0]!);
const lab = 'attention-lab';

/** Links to the parts of the site. The part that has this page is marked. */
function pagesNav(name: string, language: Language): string {
  const { pages } = words[language];
  const isChapter = chapters.some((chapter) => anchor(chapter) === name);
  const link = (address: string, text: string, isPage: boolean, isPart = false) => {
    const mark = isPage ? 'page' : isPart && 'true';
    return `<a href="${address}"${mark ? ` aria-current="${mark}"` : ''}>${text}</a>`;
  };
  // The reference is in English alone.
  const reference = language === 'zh' ? '../reference.html" hreflang="en' : './reference.html';
  const links = [
    link(`./${first}.html`, pages.start, name === first),
    link('./#contents', pages.chapters, false, isChapter && name !== first && name !== lab),
    link(`./${lab}.html`, pages.lab, name === lab),
    link('./numbers.html', pages.numbers, name === 'numbers', name === 'arrays'),
    link(reference, pages.reference, name === 'reference', name.startsWith('reference-')),
  ];
  return `<nav aria-label="${pages.label}">${links.join(' ')}</nav>`;
}

/**
 * The picture of a link's card. Other sites need its whole address: without the address of this
 * site there is none.
 */
function cardPicture(language: Language, site: string | undefined): string {
  if (!site) return '<meta name="twitter:card" content="summary" />';
  const { href } = new URL(`social_${language}.png`, site.replace(/\/*$/, '/'));
  return `<meta property="og:image" content="${href}" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

const documentsOwn = `<link rel="stylesheet" href="/documents.css" />
    <script type="module" src="/documents.ts"></script>`;

/**
 * Returns the document of a page.
 * @param page what its head has of its own, a title and a description at least, and then its
 *   `<main id="main">`; without a script it is a document of text alone
 * @param name of its file, without the ending
 * @param site where the site will be served: `https://…`
 */
export function framed(
  page: string,
  name: string,
  language: Language,
  site: string | undefined,
): string {
  const strings = words[language];
  const start = page.indexOf('<main id="main">');
  const [own, main] = [page.slice(0, start).trim(), page.slice(start).trim()];
  const title = contentOf(own, /<title>([^<]+)<\/title>/, 'title');
  const description = contentOf(own, /<meta name="description" content="([^"]+)"/, 'description');
  const file = name === 'index' ? '' : `${name}.html`;
  const isTwin = hasTwin(name);
  const folder = language === 'en' ? './zh/' : '../';
  const other = { address: isTwin ? `${folder}${file}` : folder, ...strings.other };
  const current = (isCurrent: boolean) => (isCurrent ? ' aria-current="page"' : '');
  const head = `
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="og:type" content="article" />
    <meta property="og:site_name" content="Ropewalk" />
    <meta property="og:locale" content="${strings.locale}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    ${cardPicture(language, site)}
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    ${isTwin ? `<link vite-ignore rel="alternate" hreflang="${other.language}" href="${other.address}" />` : ''}
    <script src="/theme.js"></script>
    <link rel="stylesheet" href="/style.css" />`;
  const bar = `
    <a class="skip" href="#main">${strings.skip}</a>
    <header class="bar">
      <a class="mark" href="./"${current(name === 'index')}>Ropewalk</a>
      ${pagesNav(name, language)}
      <div class="settings">
        <a id="other-language" href="${other.address}" lang="${other.language}" hreflang="${other.language}">${other.name}</a>
        <button id="search" type="button" hidden aria-haspopup="dialog" aria-keyshortcuts="/" data-entries="${strings.entries}">${strings.search}</button>
        <button id="theme" type="button" hidden aria-pressed="false">${strings.dark}</button>
      </div>
    </header>`;
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
  <head>${head}
    ${own}
    ${own.includes('<script') ? '' : documentsOwn}
  </head>
  <body${main.includes('class="rail"') ? ' class="railed"' : ''}>${bar}
    ${main}
    <footer>${strings.footer}</footer>
  </body>
</html>
`;
}
