/** Stick-breaking attention. */
import type { Words } from '../languages.ts';
import type { History, Lab } from './record.ts';

export const name: Words = { en: 'stick-breaking', zh: '折棍（stick-breaking）' };

export const history: History = {
  source: 'https://arxiv.org/abs/2410.17980',
  anchor: '#text-family',
};

export const lab = {
  'stick-breaking': {
    name,
    note: {
      en: 'No softmax: the nearest key takes a share σ(score), the next a share of what is left. The query’s own token gets nothing.',
      zh: '不用 softmax：最近的键先取走 σ（分数）的份额，下一个键再从剩下的里取；查询自己那个词元得零。',
    },
  },
} satisfies Lab;
