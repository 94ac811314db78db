/** CABLE. */
import type { Words } from '../languages.ts';
import type { Lab } from './record.ts';

export const name: Words = { en: 'CABLE', zh: 'CABLE' };

export const lab = {
  cable: {
    name,
    note: {
      en: 'As FoX, with the sign of the gate’s logit reversed. Its code leaves out 1/√d; the page keeps it.',
      zh: '与 FoX 相同，只是门的 logit 反号。它的代码省去了 1/√d，这里保留。',
    },
  },
} satisfies Lab;
