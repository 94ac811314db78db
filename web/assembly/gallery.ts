/** The gallery: every figure with the attributes it takes, from its own table of controls. */
import type { AnyFigure, Control } from '../figures/figure.ts';
import type { Language } from '../languages.ts';
import { defaultOf, writeValue } from '../state.ts';

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
    element: 'As an element',
    frame: 'As a frame',
    copy: 'Copy',
    where: 'In the text',
    contents: 'Figures',
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
    element: '用元素嵌入',
    frame: '用 iframe 嵌入',
    copy: '复制',
    where: '在正文中查看',
    contents: '图集',
  },
};

export function gallery(
  figures: Record<string, AnyFigure>,
  language: Language,
  escaped: (text: string) => string,
): string {
  const all = Object.values(figures);
  const items = all.map(
    ({ name, text }) => `<li><a href="#${name}">${escaped(text[language].title)}</a></li>`,
  );
  const entries = all.map((figure) => entry(figure, language, escaped));
  return `<nav class="contents" aria-label="${words[language].contents}"><ol>${items.join('')}</ol></nav>
${entries.join('\n')}`;
}

function entry(
  { name, text, controls }: AnyFigure,
  language: Language,
  escaped: (text: string) => string,
): string {
  const strings = words[language];
  const rows = Object.entries(controls).map(([key, control]) => {
    const meaning = `${control.label[language]}${control.symbol ? ` ${control.symbol}` : ''}`;
    const usual = writeValue(defaultOf(control, language));
    const cells = [escaped(meaning), valuesOf(control, language, escaped), code(escaped(usual))];
    const cell = (content: string) => `<td>${content}</td>`;
    return `<tr><th scope="row">${code(key)}</th>${cells.map(cell).join('')}</tr>`;
  });
  const heads = [strings.attribute, strings.meaning, strings.values, strings.usual];
  const head = heads.map((title) => `<th scope="col">${title}</th>`).join('');
  const table = `<div class="scrolling" tabindex="0"><table class="facts attributes">
<thead><tr>${head}</tr></thead>
<tbody>${rows.join('')}</tbody>
</table></div>`;
  const snippet = (kind: 'element' | 'frame') => `<div class="snippet">
<h3>${strings[kind]} <button type="button" class="copy" hidden>${strings.copy}</button></h3>
<pre tabindex="0"><code data-snippet="${kind}"></code></pre>
</div>`;
  return `<section class="entry" id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title">${escaped(text[language].title)}</h2>
<p><code>${name}</code> · <a class="permalink" href="./#${name}">${strings.where}</a></p>
<ropewalk-figure name="${name}"></ropewalk-figure>
${rows.length > 0 ? table : ''}
${snippet('element')}
${snippet('frame')}
</section>`;
}

const code = (text: string) => `<code>${text}</code>`;

function valuesOf(control: Control, language: Language, escaped: (text: string) => string): string {
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
