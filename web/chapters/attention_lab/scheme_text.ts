/** Names of the schemes and of the places where they act, and what each does. */
import type { Words } from '../../languages.ts';
import * as bias from '../../schemes/bias.ts';
import * as input from '../../schemes/input.ts';
import * as rotary from '../../schemes/rotary.ts';
import * as text from '../../schemes/text.ts';
import type { Place, SchemeName } from '../../toy/schemes.ts';

export const placeNames: Record<Place, Words> = {
  nowhere: { en: 'Nowhere', zh: '不加位置' },
  input: { en: 'Added to the input', zh: '加在输入上' },
  rotation: { en: 'Rotates query and key', zh: '旋转查询与键' },
  score: { en: 'Added to the score, by distance', zh: '按距离加在分数上' },
  two: { en: 'One of two rotations', zh: '两套旋转择一' },
  text: { en: 'Decided by the text', zh: '由文本决定' },
  temperature: { en: 'Temperature of the row', zh: '逐行的温度' },
  softmax: { en: 'In place of the softmax', zh: '取代 softmax' },
};

export const schemeText: Record<SchemeName, { name: Words; note: Words }> = {
  ...input.lab,
  ...bias.lab,
  ...rotary.lab,
  ...text.lab,
};
