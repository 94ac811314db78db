/** The factor log n on scores. */
import type { Words } from '../languages.ts';
import type { History, Lab } from './record.ts';

export const name: Words = { en: 'log-n scaling', zh: 'log-n 缩放' };

export const history: History = {
  source: 'https://kexue.fm/archives/8823',
  date: '2021-12',
  anchor: '#log-n',
};

export const lab = {
  'log-n': {
    name: { en: 'RoPE with log n', zh: 'RoPE + log n' },
    note: {
      en: 'RoPE, and each row of scores multiplied by max(1, ln(m + 1)/ln 4): later rows are more concentrated. Real models use their training length in place of 4.',
      zh: 'RoPE 之外，每行分数乘 max(1, ln(m + 1)/ln 4)：越靠后的行越集中。真实的模型用训练长度代替 4。',
    },
  },
} satisfies Lab;
