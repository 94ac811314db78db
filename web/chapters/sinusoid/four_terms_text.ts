/** Words of the figure `sinusoid-four-terms`. */
import type { Try } from '../../figures/figure.ts';
import type { TermName } from './four_terms_jobs.ts';

const signed = (offset: number) => String(offset).replace('-', '\u2212');

const en = {
  title: 'The four terms of a score',
  question: 'Position is added to the word: which parts of the score depend on it?',
  caption:
    'The large map is the term of two positions: between the two lines are all pairs at one distance, in one color. Terms of word and position have stripes. The score is the sum of all four; each map has its own color scale.',
  terms: {
    contentContent: 'word with word',
    contentPosition: 'word with position',
    positionContent: 'position with word',
    positionPosition: 'position with position',
  } satisfies Record<TermName, string>,
  dependsOn: {
    contentContent: 'words at m and n',
    contentPosition: 'word at m, position n',
    positionContent: 'position m, word at n',
  } as Record<TermName, string>,
  even: (offset: number, value: string) =>
    `Between the lines, where m − n = ${signed(offset)}: ${value} everywhere.`,
  uneven: (offset: number, low: string, high: string) =>
    `Between the lines, where m − n = ${signed(offset)}: from ${low} to ${high}.`,
  onlyDistance:
    'Three of its four terms have position in them, and only “position with position” depends on the distance alone.',
  queryAxis: 'query m',
  keyAxis: 'key n',
  term: 'term',
  value: (m: number, n: number) => `at m\u00a0=\u00a0${m}, n\u00a0=\u00a0${n}`,
  spread: 'varies at one distance by up to',
  asymmetry: 'differs between (m,\u00a0n) and (n,\u00a0m) by up to',
  score: 'sum, the score',
  residual: 'Largest difference of the sum and the score itself, over all pairs (32-bit rounding)',
  describe: (spread: string, asymmetry: string) =>
    `Three of its four terms, and now none of them depends on the distance alone: at one distance, “position with position” differs by up to ${spread}, and from (m, n) to (n, m) by up to ${asymmetry}.`,
};

const zh: typeof en = {
  title: '分数的四项',
  question: '位置编码加进词向量后，分数里哪几项与位置有关？',
  caption:
    '大图是“位置与位置”一项：两条斜线之间是距离相同的词对，颜色都一样。词与位置相乘的两项有条纹。分数是四项之和；各图的颜色尺度不同。',
  terms: {
    contentContent: '词与词',
    contentPosition: '词与位置',
    positionContent: '位置与词',
    positionPosition: '位置与位置',
  },
  dependsOn: {
    contentContent: '随词 m、词 n 变',
    contentPosition: '随词 m 和位置 n 变',
    positionContent: '随位置 m 和词 n 变',
  } as Record<TermName, string>,
  even: (offset, value) => `两条线之间 m − n = ${signed(offset)}：处处是 ${value}。`,
  uneven: (offset, low, high) => `两条线之间 m − n = ${signed(offset)}：从 ${low} 到 ${high}。`,
  onlyDistance: '四项中有三项含位置，其中只有“位置与位置”这一项只取决于距离。',
  queryAxis: '查询 m',
  keyAxis: '键 n',
  term: '项',
  value: (m, n) => `m\u00a0=\u00a0${m}、n\u00a0=\u00a0${n} 处`,
  spread: '同一距离下，最多相差',
  asymmetry: '(m,\u00a0n) 与 (n,\u00a0m)，最多相差',
  score: '合计，即分数',
  residual: '四项之和与分数本身在所有词对上的最大差（32 位舍入）',
  describe: (spread, asymmetry) =>
    `四项中有三项含位置，但没有一项只取决于距离：同一距离下，“位置与位置”最多相差 ${spread}，(m, n) 与 (n, m) 最多相差 ${asymmetry}。`,
};

export const words = {
  tokens: { en: 'Tokens', zh: '词元数' },
  start: { en: 'Position of the first token', zh: '起始位置' },
  weights: { en: 'Between the vectors', zh: '向量之间' },
  none: { en: 'nothing', zh: '无矩阵' },
  random: { en: 'random matrices', zh: '随机矩阵' },
  seed: { en: 'Seed of words and matrices', zh: '词与矩阵的随机种子' },
  query: { en: 'Query', zh: '查询' },
  key: { en: 'Key', zh: '键' },
  tries: [
    {
      label: { en: 'Put random matrices between', zh: '中间加上随机矩阵' },
      notice: {
        en: 'As in a layer, matrices now stand between the vectors. Colors change along a diagonal: the term no longer depends on the distance alone.',
        zh: '像真正的一层那样，向量之间有了矩阵。颜色沿对角线变化：这一项不再只取决于距离。',
      },
      set: { weights: 'random' },
    },
    {
      label: { en: 'Move the text to position 500', zh: '把文本移到位置 500' },
      notice: {
        en: 'The large map has not changed, since no distance has. The first small map has not either; the other two have.',
        zh: '大图没变，因为距离没变；第一张小图也没变；另外两张变了。',
      },
      set: { start: 500 },
    },
  ] as const satisfies readonly Try[],
  strings: { en, zh },
};
