/** What a config.json alone says, as the page shows it. */
import { html, nothing, type TemplateResult } from 'lit';
import { errorIn } from '../error_text.ts';
import type { Language } from '../languages.ts';
import { modelSentence } from '../model_text.ts';
import type { AboutConfig, Program } from './config_jobs.ts';
import './layers.ts';
import { mistakeIn, threadOf } from './mistakes_text.ts';
import { lineIn } from './runtimes_in_chinese.ts';

const words = {
  en: {
    mistakes: 'What people get wrong with it',
    seen: 'Seen in',
    layers: 'What each layer does',
    settings: 'The same positions in four programs',
    cannot: 'What the settings do not express',
    lists: (count: number) => `${count} divisors, one per pair`,
    copy: 'Copy',
    copied: 'Copied',
    read: (read: number, assumed: number) =>
      `How it was read: ${read} keys of the file, ${assumed} assumed`,
    kinds: { contradicts: 'Contradictions', assumed: 'Assumed', read: 'In the file' },
    colon: ': ',
  },
  zh: {
    mistakes: '这类模型常见的错误',
    seen: '见于',
    layers: '每一层做什么',
    settings: '在四种程序里得到同样的位置编码',
    cannot: '这些设置表达不了的',
    lists: (count: number) => `${count} 个除数，每个维度对一个`,
    copy: '复制',
    copied: '已复制',
    read: (read: number, assumed: number) => `怎样读出来的：文件里 ${read} 项，假定 ${assumed} 项`,
    kinds: { contradicts: '互相矛盾的', assumed: '假定的', read: '文件里写的' },
    colon: '：',
  },
} satisfies Record<Language, unknown>;

const names: Record<Program, string> = {
  hf: 'transformers',
  vllm: 'vLLM',
  'llama.cpp': 'llama.cpp',
  mlx: 'MLX',
};

const list = (title: string, lines: readonly unknown[]) =>
  lines.length > 0
    ? html`<h4>${title}</h4>
        <ul class="brief">
          ${lines.map((line) => html`<li>${line}</li>`)}
        </ul>`
    : nothing;

function settingsOf({ program, settings }: AboutConfig['settings'][number], language: Language) {
  const strings = words[language];
  const copy = async ({ currentTarget }: Event) => {
    const button = currentTarget as HTMLButtonElement;
    await navigator.clipboard.writeText(settings.text);
    button.textContent = strings.copied;
  };
  return html`<details name="runtime">
    <summary>${names[program]}</summary>
    <div class="snippet">
      <p class="file">
        <span>${lineIn(language, settings.where)}</span>
        ${
          navigator.clipboard
            ? html`<button type="button" class="copy" @click=${copy}>${strings.copy}</button>`
            : nothing
        }
      </p>
      <pre tabindex="0"><code>${settings.text}</code></pre>
    </div>
    ${list(
      strings.cannot,
      settings.cannot.map((line) => lineIn(language, line)),
    )}
    ${Object.entries(settings.lists ?? {}).map(
      ([name, values]) => html`<details>
        <summary><code>${name}</code>${strings.colon}${strings.lists(values.length)}</summary>
        <pre tabindex="0"><code>${values.map((value) => Number(value.toPrecision(9))).join(', ')}</code></pre>
      </details>`,
    )}
  </details>`;
}

function accountOf({ account }: AboutConfig, language: Language) {
  if (!account) return nothing;
  const strings = words[language];
  return html`<details class="behind">
    <summary>${strings.read(account.read.length, account.assumed.length)}</summary>
    ${(['contradicts', 'assumed', 'read'] as const).map((kind) =>
      list(
        strings.kinds[kind],
        account[kind].map(
          ({ key, value, texts }) =>
            html`<code>${key}</code> = ${JSON.stringify(value)}${strings.colon}${texts[language]}`,
        ),
      ),
    )}
  </details>`;
}

/** @param next what to do for a verdict */
export function about(
  config: AboutConfig,
  language: Language,
  next: TemplateResult,
): TemplateResult {
  const strings = words[language];
  const { scheme, layers, mistakes, settings, errors } = config;
  return html`${
    scheme
      ? html`<p class="headline" role="status">${modelSentence(language, scheme)}</p>`
      : nothing
  }
  ${errors.map((error) => html`<p class="refused" role="alert">${errorIn(language, error)}</p>`)}
  ${scheme ? next : nothing}
  ${
    mistakes.length > 0
      ? html`<h3>${strings.mistakes}</h3>
          <ol class="causes">
            ${mistakes.map((mistake) => {
              const thread = threadOf(mistake);
              return html`<li>
                ${mistakeIn(language, mistake)}
                ${thread ? html`${strings.seen} <a href=${thread[1]}>${thread[0]}</a>` : nothing}
              </li>`;
            })}
          </ol>`
      : nothing
  }
  ${
    layers
      ? html`<h3>${strings.layers}</h3>
          <rw-layers .layers=${layers} .language=${language}></rw-layers>`
      : nothing
  }
  ${
    settings.length > 0
      ? html`<h3>${strings.settings}</h3>
          ${settings.map((each) => settingsOf(each, language))}`
      : nothing
  }
  ${accountOf(config, language)}`;
}
