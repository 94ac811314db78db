/** Texts of the element itself, the same for all figures. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Language, Words } from '../languages.ts';
import { errorIn, type ErrorText } from '../error_text.ts';
import { writeValue, type InvalidWord } from '../state.ts';
import { NotLoaded } from '../worker/load_again.ts';
import type { Controls, Settings } from './figure.ts';

const actions = {
  menu: { en: 'Values and files', zh: '数值与文件' },
  values: { en: 'Values', zh: '数值' },
  csv: { en: 'Download the numbers as a CSV file', zh: '下载数值（CSV 文件）' },
  png: { en: 'Download the drawing as a PNG picture', zh: '下载图片（PNG）' },
  svg: { en: 'Download the drawing as an SVG picture', zh: '下载矢量图（SVG）' },
  link: {
    label: { en: 'Link', zh: '链接' },
    title: { en: 'Copy a link to this figure as it stands', zh: '复制指向此图当前状态的链接' },
  },
  reset: {
    label: { en: 'Reset', zh: '重置' },
    title: {
      en: 'Put every control back; a double click does it for one',
      zh: '所有控件恢复默认值；双击某个控件只恢复它自己',
    },
  },
};

export const words = {
  actions,
  computing: { en: 'computing', zh: '计算中' } satisfies Words,
  copied: { en: 'Link copied', zh: '链接已复制' } satisfies Words,
  fault: {
    en: (reason: string | ErrorText) => `This could not be computed: ${errorIn('en', reason)}`,
    zh: (reason: string | ErrorText) => `无法计算：${errorIn('zh', reason)}`,
  },
  notLoaded: {
    en: 'This figure could not be loaded.',
    zh: '这幅图未能加载。',
  } satisfies Words,
  moreControls: {
    en: (changed: number) => (changed > 0 ? `More, ${changed} changed` : 'More'),
    zh: (changed: number) => (changed > 0 ? `更多设置，已改 ${changed} 项` : '更多设置'),
  },
  more: {
    en: (rows: number, columns: number) => {
      const hidden = [rows > 0 && `${rows} more rows`, columns > 0 && `${columns} more columns`];
      return `The CSV file has ${hidden.filter(Boolean).join(' and ')}.`;
    },
    zh: (rows: number, columns: number) => {
      const hidden = [rows > 0 && `${rows} 行`, columns > 0 && `${columns} 列`];
      return `CSV 文件中还有 ${hidden.filter(Boolean).join('、')}。`;
    },
  },
  exact: {
    en: (label: string, min: number, max: number) => `${label}, typed: ${min} to ${max}`,
    zh: (label: string, min: number, max: number) => `${label}，直接输入：${min} 到 ${max}`,
  },
  unknownFigure: {
    en: (name: string, known: string[]) =>
      `there is no figure named “${name}”. There are: ${known.join(', ')}.`,
    zh: (name: string, known: string[]) => `没有名为“${name}”的图。现有：${known.join('、')}。`,
  },
};

const longestQuote = 40;

const sources = {
  link: { en: 'the link', zh: '链接' },
  model: { en: 'the model', zh: '模型' },
};

const cut = (text: string) =>
  text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;

/** Why a word of the link or the model was not used, and what is shown instead. */
function noteFor(
  { key, given, by }: InvalidWord,
  controls: Controls | undefined,
  settings: Settings,
  language: Language,
): string {
  const quote = `“${cut(given)}”`;
  const control = controls && Object.hasOwn(controls, key) ? controls[key] : undefined;
  if (!control) {
    return language === 'en'
      ? `The link sets “${key.slice(0, longestQuote)}”, which this figure does not have.`
      : `链接里的“${key.slice(0, longestQuote)}”不是这幅图的设置，已忽略。`;
  }
  const label = control.label[language];
  const short = cut(writeValue(settings[key]!));
  const source = sources[by][language];
  if (control.kind === 'range') {
    const { min, max } = control;
    return language === 'en'
      ? `${label}: ${source} says ${quote}, which is not a value from ${min} to ${max} of this control; ${short} is shown.`
      : `${label}：${source}给出${quote}，不是 ${min} 到 ${max} 之间的可用值；此处显示 ${short}。`;
  }
  return language === 'en'
    ? `${label}: ${source} says ${quote}, which is not one of its values; ${short} is shown.`
    : `${label}：${source}给出${quote}，不是它的可用值；此处显示 ${short}。`;
}

const faultText = (fault: string | ErrorText, language: Language): string =>
  fault instanceof NotLoaded ? words.notLoaded[language] : words.fault[language](fault);

/** Above the drawing: what of the link was not used, and what went wrong. */
export function messages(
  invalid: readonly InvalidWord[],
  fault: string | ErrorText | undefined,
  controls: Controls | undefined,
  settings: Settings,
  language: Language,
): TemplateResult {
  const notes = invalid.map((word) => noteFor(word, controls, settings, language));
  return html`<div class="messages" role="status">
    ${notes.map((note) => html`<p class="note">${note}</p>`)}
    ${fault ? html`<p class="fault">${faultText(fault, language)}</p>` : nothing}
  </div>`;
}

/** Beside a fault that may have passed. */
export const retryButton = (language: Language, retry: () => unknown): TemplateResult =>
  html`<div><button type="button" class="retry" @click=${retry}>${again[language]}</button></div>`;

const again: Words = { en: 'Try again', zh: '重试' };
