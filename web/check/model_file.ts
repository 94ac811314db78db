/** The verdict on a model file, as the page shows it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Correction, ModelFileVerdict } from 'ropewalk/diagnose';
import type { Language } from '../languages.ts';
import { configIn } from './chinese.ts';
import { modelFileIn, settingIn } from './model_file_in_chinese.ts';
import { nextStep } from './next_step.ts';
import { spaced, wordsOf } from './text.ts';

const words = {
  en: {
    says: {
      correct: 'Nothing is wrong: what the file says of positions agrees with the config.',
      undecided: 'For a verdict, add the config.json of the model.',
      unknown: 'The file differs from the config, and none of the known faults explains how.',
    },
    checkpoint:
      'This is a checkpoint: it has the weights of a model, not arrays that a program computed.',
    change: 'Change',
    look: 'Look at what runs the file: save q, q_rot and position_ids of one layer from it.',
    further: 'Optional: to judge more, add',
    once: 'Try it without changing the file:',
    lasting: 'Then convert again, with a converter that writes',
    settings: 'What the file has',
    columns: ['setting', 'config', 'file', 'outcome', 'where'],
    layers: { full_attention: 'full layers', sliding_attention: 'sliding layers' },
    read: (read: string, all: string) => `${read} of ${all} were read.`,
    details: 'Numbers and names behind it',
    faults: 'Fault',
    colon: ': ',
  },
  zh: {
    says: {
      correct: '没有发现错误：文件里与位置有关的内容都与 config 一致。',
      undecided: '要得到结论，请加上模型的 config.json。',
      unknown: '文件与 config 不同，但已知的错误都不能解释。',
    },
    checkpoint: '这是 checkpoint：里面是模型的权重，不是程序运行时算出的数组。',
    change: '怎么改',
    look: '再查运行这个文件的程序：从它那里保存同一层的 q、q_rot 和 position_ids。',
    further: '可选：要再多判断一项，请加上',
    once: '先不改文件，试一次：',
    lasting: '然后重新转换，所用的脚本要写入',
    settings: '文件里有什么',
    columns: ['设置', 'config', '文件', '结果', '出处'],
    layers: { full_attention: '全注意力层', sliding_attention: '滑动窗口层' },
    read: (read: string, all: string) => `文件共 ${all}，只读取了 ${read}。`,
    details: '背后的数值和名称',
    faults: '错误代号',
    colon: '：',
  },
} satisfies Record<Language, unknown>;

/** Bytes with three digits, as file managers show them. */
function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(4, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

type Settings = ReturnType<typeof modelFileIn>['settings'];

const isWrong = (fate: Settings[number]['fate']) => fate === 'lost' || fate === 'changed';

/** A correction: keys of a GGUF with the flags of llama.cpp that replace them, or a sentence. */
function correction({ text, flags }: Correction, language: Language): TemplateResult {
  const { once, lasting } = words[language];
  if (!flags) return html`<p>${text}</p>`;
  return html`<p>${once}</p>
    <pre tabindex="0"><code>llama-cli -m model.gguf ${flags}</code></pre>
    <p>${lasting} <code>${text}</code>${language === 'zh' ? '。' : '.'}</p>`;
}

function settingsTable(settings: Settings, language: Language) {
  const strings = words[language];
  const text = (value: string) => settingIn(language, value);
  return html`<h3>${strings.settings}</h3>
    <div class="scrolling" tabindex="0" role="region" aria-label=${strings.settings}>
      <table class="facts">
        <thead>
          <tr>
            ${strings.columns.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${settings
            .toSorted((a, b) => Number(isWrong(b.fate)) - Number(isWrong(a.fate)))
            .map(
              ({ name, layers, config, file, from, fate, outcome }) => html`<tr>
              <th scope="row">
                ${name}${layers ? html` <small>${strings.layers[layers]}</small>` : nothing}
              </th>
              <td>${config === undefined ? '' : text(config)}</td>
              <td>${text(file)}</td>
              <td class=${isWrong(fate) ? 'differs' : ''}>
                ${fate === 'only-file' ? '' : outcome}
              </td>
              <td><code>${text(from)}</code></td>
            </tr>`,
            )}
        </tbody>
      </table>
    </div>`;
}

/** @param size of all files, in bytes */
export function modelFile(
  verdict: ModelFileVerdict,
  size: number,
  language: Language,
): TemplateResult {
  const strings = words[language];
  const { faults, format, expected, bytesRead } = verdict;
  const { data, settings, corrections, further, says } = modelFileIn(language, verdict);
  const headline =
    verdict.verdict === 'faults'
      ? says
      : strings.says[verdict.verdict as keyof typeof strings.says];
  const isOpen = verdict.verdict === 'correct' || verdict.verdict === 'unknown';
  return html`<p class="headline ${verdict.verdict}" role="status">${headline}</p>
    ${format === 'safetensors' ? html`<p class="of">${strings.checkpoint}</p>` : nothing}
    ${isOpen ? nextStep(strings.look, wordsOf(language)) : nothing}
    ${
      corrections.length > 0
        ? html`<div class="fix">
            <strong>${strings.change}</strong>
            ${corrections.map((each) => correction(each, language))}
          </div>`
        : nothing
    }
    ${settings.length > 0 ? settingsTable(settings, language) : nothing}
    ${
      further && verdict.verdict !== 'undecided'
        ? html`<p class="of">${strings.further}${language === 'zh' ? spaced(further) : ` ${further}`}${language === 'zh' ? '。' : '.'}</p>`
        : nothing
    }
    <p class="of">${strings.read(bytesText(Math.min(bytesRead, size)), bytesText(size))}</p>
    <details class="behind" ?open=${settings.length === 0}>
      <summary>${strings.details}</summary>
      ${
        faults.length > 0
          ? html`<p>${strings.faults}${strings.colon}${faults.map((id) => html`<code>${id}</code> `)}</p>`
          : nothing
      }
      <ul class="brief">
        ${data.map((line) => html`<li>${line}</li>`)}
        ${expected.map((line) => html`<li>config${strings.colon}${configIn(language, line)}</li>`)}
      </ul>
    </details>`;
}
