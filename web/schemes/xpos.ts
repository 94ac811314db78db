/** xPos. */
import type { Words } from '../languages.ts';
import type { History, Lab } from './record.ts';

export const name: Words = { en: 'xPos', zh: 'xPos' };

export const history: History = {
  source: 'https://arxiv.org/abs/2212.10554',
  anchor: '#attention-lab',
};

export const lab = {
  xpos: {
    name,
    note: {
      en: 'RoPE whose pairs also fade with distance; for a key after its query they grow, so it belongs under a causal mask.',
      zh: '在 RoPE 之外，各个维度对再随距离衰减；键若在查询之后则会增大，所以要配因果掩码。',
    },
  },
} satisfies Lab;
