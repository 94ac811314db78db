/** The sinusoidal encoding. */
import type { Words } from '../languages.ts';
import { keysStay, type Facts, type History, type Lab, type Term, type Ticks } from './record.ts';

export const name: Words = { en: 'Sinusoidal encoding', zh: '正弦编码' };

export const short: Words = { en: 'sinusoidal', zh: '正弦编码' };

export const term: Term = {
  name: { en: 'sinusoidal encoding', zh: '正弦（Sinusoidal）位置编码' },
  anchor: '#sinusoid',
  definition: {
    en: 'A vector of sines and cosines of the position, added to the input.',
    zh: '由位置的正弦和余弦组成的向量，加在输入上。',
  },
};

export const history: History = {
  name: { en: 'sinusoidal encoding', zh: '正弦编码' },
  source: 'https://arxiv.org/abs/1706.03762',
  anchor: '#sinusoid',
};

export const ticks: Ticks = {
  bounded: ['yes', '#sinusoid-heatmap', 'from −1 to 1', '−1 到 1'],
  unique: ['yes', '#sinusoid-heatmap', 'smallest distance above 0', '最小距离大于 0'],
  relative: ['half', '#sinusoid-four-terms', 'one term of four', '四项中的一项'],
  directed: ['half', '#sinusoid-dot-product', 'a layer has to learn it', '要靠这一层去学'],
  extrapolates: ['no', '#length-race', 'fails within a few tokens', '几个词元之内就失败'],
  cached: keysStay,
};

export const facts: Facts = {
  name: short,
  figure: '#sinusoid-heatmap',
  acts: { en: 'input', zh: '输入' },
  learned: { en: 'nothing', zh: '无' },
  cache: { en: 'keys', zh: '键' },
  users: { en: 'the first transformer, Whisper', zh: '第一个 Transformer、Whisper' },
};

export const lab = {
  sinusoidal: {
    name: short,
    note: {
      en: 'Sines and cosines of the position, added to each token vector.',
      zh: '把位置的正弦、余弦加到每个词元向量上。',
    },
  },
} satisfies Lab;
