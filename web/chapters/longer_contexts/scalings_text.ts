/** Words of the figure `frequency-scalings`. */
import { whole } from '../../plots/number.ts';

export const words = {
  factor: { en: 'Factor', zh: '倍数' },
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Present length', zh: '当前长度' },
  dim: { en: 'Head dimension', zh: '每头维度' },
  pair: { en: 'Pair', zh: '第几对' },
  strings: {
    en: {
      title: 'The methods compared',
      question: 'How does each method change each frequency, and the score with distance?',
      caption:
        'See: above, the frequency ratio θ′/θ of each pair: 1 is unchanged, the dashed 1/s is fully interpolated. Below, the score of equal query and key against distance. Try: show both forms of YaRN, and move the pair through the ramp. Then show the four NTKs, or change L with dynamic NTK.',
      methods: 'Methods shown',
      pairAxis: 'pair i, fast to slow',
      ratioAxis: 'θ′/θ',
      distanceAxis: 'distance m − n',
      scoreAxis: 'score of equal q and k',
      distanceLabel: (last: number) =>
        `The score of equal query and key at distances from 1 to ${whole(last)}, one line per method; the values are in the table below for the chosen pair.`,
      recipes: 'Each method at the chosen pair',
      columns: (pair: number) => [
        'Method',
        `θ′/θ at i = ${pair}`,
        `θ′ at i = ${pair}`,
        'base',
        'cos, sin ×',
        'logits ×',
      ],
      describe: (pair: number, values: readonly (readonly [string, string])[]) =>
        `Pair ${pair} turns at this share of its trained frequency: ${values.map(([name, ratio]) => `${name} ${ratio}`).join(', ')}.`,
    },
    zh: {
      title: '各种方法的比较',
      question: '每种方法怎样改变各个频率？分数随距离怎样变化？',
      caption:
        '看什么：上图是每个维度对的频率比 θ′/θ：1 表示不变，虚线 1/s 表示完全内插。下图是相同的查询和键的分数随距离的变化。试一试：把两种 YaRN 都打开，让所选的维度对扫过过渡段。再把四种 NTK 都打开，或者打开动态 NTK 并改变 L。',
      methods: '显示的方法',
      pairAxis: '第 i 对，由快到慢',
      ratioAxis: 'θ′/θ',
      distanceAxis: '距离 m − n',
      scoreAxis: 'q 与 k 相同时的分数（含温度）',
      distanceLabel: (last: number) =>
        `距离从 1 到 ${whole(last)}，查询与键相同时的分数，每种方法一条线；所选维度对的数值见下表。`,
      recipes: '各种方法在所选维度对上的数值',
      columns: (pair: number) => [
        '方法',
        `i = ${pair} 的 θ′/θ`,
        `i = ${pair} 的 θ′`,
        '底数',
        'cos、sin ×',
        'logits ×',
      ],
      describe: (pair: number, values: readonly (readonly [string, string])[]) =>
        `第 ${pair} 对的新频率是训练时的几倍：${values.map(([name, ratio]) => `${name}为 ${ratio}`).join('，')}。`,
    },
  },
};
