/** Words of the figure `frequency-scalings`. */
import { whole } from '../../plots/number.ts';

export const scalingsText = {
  en: {
    title: 'The methods side by side',
    question:
      'What does each method do to each frequency, and what is left of the score with distance?',
    caption:
      'Above: new frequency over trained frequency, θ′/θ, pair by pair. At 1 a pair is left as it was, at the dashed 1/s it is interpolated in full. Interpolation is a flat line; NTK slides from one to the other; the by-parts family keeps the fast pairs, divides the slow ones, and differs in where the ramp lies. Below: the score of a query with an equal key, temperature included, in trained frequencies a falling, wavering line. Switch on both YaRNs and move the pair through the ramp to see how far paper and code are apart; switch on the four NTKs; with dynamic NTK, move L.',
  },
  zh: {
    title: '各种方法并排看',
    question: '每种方法怎样改动每一个频率？分数随距离变化，又剩下什么？',
    caption:
      '上图：逐对画出新频率与训练频率之比 θ′/θ。等于 1 表示原样保留，等于虚线 1/s 表示完全内插。内插是一条平线；NTK 从一头滑到另一头；分段的一族保住快的对、压缩慢的对，差别在于斜坡放在哪里。下图：查询与同样的键的分数，随距离起伏着下降。把两个 YaRN 都打开，让“第几对”扫过斜坡，看论文和代码差多少；再把四个 NTK 都打开；开着动态 NTK，移动 L。',
  },
};

export const words = {
  factor: { en: 'Factor', zh: '倍数' },
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Length now', zh: '现在的长度' },
  dim: { en: 'Head width', zh: '每头维数' },
  pair: { en: 'Pair', zh: '第几对' },
  strings: {
    en: {
      methods: 'Methods shown',
      pairAxis: 'pair i, fast to slow',
      ratioAxis: 'θ′/θ',
      distanceAxis: 'distance m − n',
      scoreAxis: 'score of equal q and k',
      distanceLabel: (last: number) =>
        `The score of equal query and key at distances from 1 to ${whole(last)}, one line per method; the values are in the table below for the chosen pair.`,
      recipes: 'What each method makes of the chosen pair',
      columns: (pair: number) => [
        'Method',
        `θ′/θ at i = ${pair}`,
        `θ′ at i = ${pair}`,
        'base',
        'cos, sin ×',
        'logits ×',
      ],
      describe: (pair: number, values: readonly (readonly [string, string])[]) =>
        `New over trained frequency of each pair on a logarithmic scale. At pair ${pair}: ${values.map(([name, ratio]) => `${name} ${ratio}`).join(', ')}.`,
    },
    zh: {
      methods: '显示的方法',
      pairAxis: '第 i 对，由快到慢',
      ratioAxis: 'θ′/θ',
      distanceAxis: '距离 m − n',
      scoreAxis: 'q 与 k 相同时的分数（含温度）',
      distanceLabel: (last: number) =>
        `距离从 1 到 ${whole(last)}，查询与键相同时的分数，每种方法一条线；所选那一对的数值见下表。`,
      recipes: '每种方法对所选那一对做了什么',
      columns: (pair: number) => [
        '方法',
        `i = ${pair} 的 θ′/θ`,
        `i = ${pair} 的 θ′`,
        '底数',
        'cos、sin ×',
        'logits ×',
      ],
      describe: (pair: number, values: readonly (readonly [string, string])[]) =>
        `每一对的新频率与训练频率之比，对数坐标。第 ${pair} 对：${values.map(([name, ratio]) => `${name}为 ${ratio}`).join('，')}。`,
    },
  },
};
