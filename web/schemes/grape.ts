/** GRAPE, its three forms. */
import type { Words } from '../languages.ts';
import type { History, Lab, TextRow } from './record.ts';

export const name: Words = { en: 'GRAPE', zh: 'GRAPE' };

export const history: History = {
  source: 'https://arxiv.org/abs/2512.07805',
  anchor: '#text-family',
};

export const rows: readonly TextRow[] = [
  {
    name: { en: 'GRAPE-M', zh: 'GRAPE-M' },
    decides: { en: 'the length of each step', zh: '每一步的长短' },
    formula: {
      en: 'RoPE at $\\sum_{t&lt;m}\\omega_t$',
      zh: 'RoPE，位置为 $\\sum_{t&lt;m}\\omega_t$',
    },
    cost: { en: 'as RoPE', zh: '同 RoPE' },
    cache: { en: 'the last sum', zh: '最后的和' },
  },
  {
    name: { en: 'GRAPE-A', zh: 'GRAPE-A' },
    decides: { en: 'the slope of ALiBi', zh: 'ALiBi 的斜率' },
    formula: '$\\text{score} - (m-n)\\,\\omega\\,(\\alpha_m + \\beta_n)$',
    cost: { en: '$2n$ numbers', zh: '$2n$ 个数' },
    cache: { en: '$\\beta$ per token', zh: '每个词元的 $\\beta$' },
  },
  {
    name: { en: 'GRAPE-AP', zh: 'GRAPE-AP' },
    decides: { en: 'a gate per pair', zh: '每两个词元之间一个门' },
    formula: '$\\text{score} + \\textstyle\\sum_{l=n+1}^{m}\\psi(m,l)$',
    cost: { en: 'a logarithm per pair', zh: '每两个词元一次对数' },
    cache: { en: '$p$ per token', zh: '每个词元的 $p$' },
  },
];

export const lab = {
  'grape-m': {
    name: { en: 'GRAPE-M, contextual', zh: 'GRAPE-M（由文本决定）' },
    note: {
      en: 'As RoPE, where each earlier token counts σ(x/16) instead of 1, about a half.',
      zh: '与 RoPE 相同，只是前面的每个词元不算 1，而算 σ(x/16)，约为一半。',
    },
  },
  'grape-a': {
    name: { en: 'GRAPE-A', zh: 'GRAPE-A' },
    note: {
      en: 'As ALiBi, with a slope that query and key decide.',
      zh: '与 ALiBi 相同，只是斜率由查询和键决定。',
    },
  },
  'grape-ap': {
    name: { en: 'GRAPE-AP', zh: 'GRAPE-AP' },
    note: {
      en: 'Adds a term per token between key and query, as FoX, but the query decides each term too.',
      zh: '与 FoX 一样，键与查询之间每个词元加一项，但每一项也由查询决定。',
    },
  },
} satisfies Lab;
