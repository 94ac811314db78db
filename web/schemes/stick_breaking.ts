/** Stick-breaking attention. */
import type { Words } from '../languages.ts';
import type { History, Lab, TextRow } from './record.ts';

export const name: Words = { en: 'stick-breaking', zh: '折棍（stick-breaking）' };

export const history: History = {
  source: 'https://arxiv.org/abs/2410.17980',
  anchor: '#text-family',
};

export const rows: readonly TextRow[] = [
  {
    name: { en: 'Stick-breaking', zh: '折棍' },
    decides: { en: 'the share each key takes', zh: '每个键取走多少' },
    formula: '$\\sigma(s_{mn})\\textstyle\\prod_{n&lt;t&lt;m}(1-\\sigma(s_{mt}))$',
    cost: { en: 'keys from near to far', zh: '键须由近到远' },
    cache: { en: 'nothing', zh: '无' },
  },
];

export const lab = {
  'stick-breaking': {
    name,
    note: {
      en: 'No softmax: the nearest key takes a share σ(score), the next a share of what is left. The query’s own token gets nothing.',
      zh: '不用 softmax：最近的键先取走 σ（分数）的份额，下一个键再从剩下的里取；查询自己那个词元得零。',
    },
  },
} satisfies Lab;
