/** `<!-- timeline -->` in a chapter: the schemes by the year of the source that this page cites. */
import type { Language, Words } from '../languages.ts';

interface Step {
  name: Words;
  /** Address of the paper or post. */
  source: string;
  /** Where this page explains it. */
  anchor?: string;
}

const same = (name: string): Words => ({ en: name, zh: name });
const paper = (id: string, name: Words | string, anchor?: string): Step => ({
  name: typeof name === 'string' ? same(name) : name,
  source: `https://arxiv.org/abs/${id}`,
  ...(anchor && { anchor }),
});

export const timeline: readonly { year: number; steps: readonly Step[] }[] = [
  {
    year: 2017,
    steps: [
      paper('1706.03762', { en: 'sinusoidal encoding', zh: '正弦编码' }, '#sinusoid'),
      paper('1705.03122', { en: 'learned table', zh: '可学习的表' }, '#a-table-to-learn'),
    ],
  },
  {
    year: 2018,
    steps: [
      paper('1803.02155', { en: 'relative positions (Shaw)', zh: '相对位置（Shaw）' }),
      paper('1810.04805', 'BERT', '#a-table-to-learn'),
    ],
  },
  {
    year: 2019,
    steps: [
      paper('1901.02860', 'Transformer-XL', '#four-terms'),
      paper('1910.10683', { en: 'T5 buckets', zh: 'T5 的桶' }, '#t5-one-number-per-bucket'),
    ],
  },
  {
    year: 2020,
    steps: [paper('2003.09229', 'FLOATER', '#order-by-reading'), paper('2006.03654', 'DeBERTa')],
  },
  {
    year: 2021,
    steps: [
      paper('2104.09864', 'RoPE', '#rotation'),
      paper('2108.12409', 'ALiBi', '#alibi-one-slope-per-head'),
      {
        name: { en: 'log-n scaling', zh: 'log-n 缩放' },
        source: 'https://kexue.fm/archives/8823',
        anchor: '#log-n',
      },
    ],
  },
  {
    year: 2022,
    steps: [
      paper('2205.09921', 'KERPLE', '#relative-biases'),
      paper('2212.10356', 'Sandwich', '#relative-biases'),
      paper('2212.10554', 'xPos', '#attention-lab'),
    ],
  },
  {
    year: 2023,
    steps: [
      paper('2305.16843', { en: 'randomized positions', zh: '随机化位置' }, '#random-positions'),
      paper('2305.19466', { en: 'NoPE compared', zh: 'NoPE 的比较' }, '#copying'),
      paper('2306.15595', { en: 'Position Interpolation', zh: '位置内插' }, '#recipes'),
      { name: same('NTK-aware'), source: 'https://kexue.fm/archives/9675', anchor: '#recipes' },
      { name: same('ReRoPE'), source: 'https://kexue.fm/archives/9708', anchor: '#rerope' },
      paper('2309.00071', 'YaRN', '#recipes'),
    ],
  },
  {
    year: 2024,
    steps: [
      paper('2402.13753', 'LongRoPE', '#recipes'),
      paper('2405.18719', 'CoPE', '#text-positions'),
      paper('2407.21783', 'Llama 3.1', '#recipes'),
      paper('2410.17980', { en: 'stick-breaking', zh: '折棍（stick-breaking）' }, '#text-family'),
    ],
  },
  {
    year: 2025,
    steps: [
      paper('2501.19399', 'SSMax', '#text-family'),
      paper('2503.02130', 'FoX', '#text-positions'),
      paper('2505.16381', 'PaTH', '#text-family'),
      paper('2509.10534', 'PoPE', '#text-family'),
      paper('2512.07805', 'GRAPE', '#text-family'),
      paper('2512.14391', 'RePo', '#text-positions'),
    ],
  },
  {
    year: 2026,
    steps: [
      {
        name: same('Selective RoPE'),
        source: 'https://openreview.net/forum?id=AQo1SEElNb',
        anchor: '#text-positions',
      },
      {
        name: same('Wall'),
        source: 'https://blog.tilderesearch.com/blog/wall-attn',
        anchor: '#text-family',
      },
    ],
  },
];

const words = { en: 'source', zh: '出处' };

/** Returns the text of a chapter with the timeline where it names it. */
export function withTimeline(text: string, language: Language): string {
  return text.replace('<!-- timeline -->', () => {
    const years = timeline.map(({ year, steps }) => {
      const items = steps.map(({ name, source, anchor }) => {
        const shown = name[language];
        const title = anchor ? `<a href="${anchor}">${shown}</a>` : shown;
        return `<li>${title} <a class="source" href="${source}" aria-label="${shown}: ${words[language]}">${words[language]}</a></li>`;
      });
      return `<li><span class="year">${year}</span><ul>${items.join('\n')}</ul></li>`;
    });
    return `<ol class="timeline">${years.join('\n')}</ol>`;
  });
}
