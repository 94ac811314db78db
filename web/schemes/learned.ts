/** Learned position embeddings. */
import type { Words } from '../languages.ts';
import { keysStay, type Facts, type History, type Lab, type Term, type Ticks } from './record.ts';

export const name: Words = { en: 'Learned table', zh: '可学习的表' };

export const term: Term = {
  name: { en: 'learned position embedding', zh: '可学习位置编码' },
  anchor: '#a-table-to-learn',
  definition: {
    en: 'A table with one trained row per position.',
    zh: '每个位置一行的表，由训练得到。',
  },
};

export const history: History = {
  name: { en: 'learned table', zh: '可学习的表' },
  source: 'https://arxiv.org/abs/1705.03122',
  date: '2017-08',
  anchor: '#a-table-to-learn',
};

export const ticks: Ticks = {
  bounded: ['half', '#learned-table', 'as training leaves it', '由训练决定'],
  unique: ['half', '#learned-table', 'as training leaves it', '由训练决定'],
  relative: ['no', '#attention-lab', 'depends on the rows', '取决于表的行'],
  directed: ['half', '#attention-lab', 'a layer has to learn it', '要靠这一层去学'],
  extrapolates: ['no', '#learned-table', 'ends at its last row', '到最后一行为止'],
  cached: keysStay,
};

export const facts: Facts = {
  name: { en: 'learned table', zh: '可学习位置编码' },
  figure: '#learned-table',
  acts: { en: 'input', zh: '输入' },
  learned: { en: 'length × model width', zh: '长度 × 模型宽度' },
  cache: { en: 'keys', zh: '键' },
  users: { en: 'BERT, BART', zh: 'BERT、BART' },
};

export const lab = {
  learned: {
    name: { en: 'learned', zh: '可学习的绝对位置' },
    note: {
      en: 'A row of a table for each position, random here as before training. The table ends at 512: there is no position after it.',
      zh: '每个位置一行向量，这里是训练前的随机数。表只有 512 行，再往后就没有位置了。',
    },
  },
} satisfies Lab;
