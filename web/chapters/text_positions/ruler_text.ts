/** Words of the figure `moving-ruler`. */
import type { Try } from '../../figures/figure.ts';

const same = (name: string) => ({ en: name, zh: name });

export const words = {
  key: { en: 'Place of the key', zh: '键的位置' },
  others: { en: 'Three more rulers', zh: '再加三把尺子' },
  ruler: { en: 'The sum behind a distance', zh: '展开求和' },
  noSum: { en: 'none', zh: '不展开' },
  rulers: {
    plain: { en: 'Distance', zh: '普通距离' },
    fox: same('FoX'),
    cope: same('CoPE'),
    repo: same('RePo'),
    selective: same('Selective RoPE'),
  },
  tries: [
    {
      label: { en: 'Open the gate of the full stop', zh: '打开句号处的门' },
      notice: {
        en: 'Under FoX the first sentence comes near: the full stop no longer adds its 3 nats. CoPE and Selective RoPE count it, so their distances grow.',
        zh: '在 FoX 里，第一句话一下子近了：句号不再加上那 3 nat。CoPE 和 Selective RoPE 把句号也数了进去，距离变长。',
      },
      set: { changed: '', others: true },
    },
    {
      label: { en: 'Close it almost entirely', zh: '把它几乎关上' },
      notice: {
        en: 'Under FoX every token before the full stop is now at least 8 nats away. No token after it moves on any ruler.',
        zh: '在 FoX 里，句号前面的词元都退到了 8 nat 以外。句号之后的词元，在哪把尺子上都没有动。',
      },
      set: { logit: -8 },
    },
    {
      label: { en: 'Add up the distance of FoX', zh: '展开 FoX 的距离' },
      notice: {
        en: 'Each token after the key adds a number, and the full stop adds most: its gate is nearly closed.',
        zh: '键之后的每个词元都加上一个数，句号加得最多：它的门几乎关着。',
      },
      set: { ruler: 'fox' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Distances that depend on the text',
      question: 'How far back is a token, if the text decides what counts as far?',
      caption:
        'The earlier tokens, measured back from the query: every token counts one, or the text decides. On the lower ruler the tokens gather before and after the full stop, whose gate is nearly closed. The weights are random, not trained.',
      axes: {
        plain: 'tokens back',
        fox: 'decay −Σ ln f, in nats',
        cope: 'count Σ g',
        repo: 'difference of positions z',
        selective: 'Σ φ, radians',
      },
      units: { fox: 'nats', cope: 'counted', repo: 'positions', selective: 'rad' },
      formulas: {
        fox: 'Each token after the key adds −ln f, where f = σ(x) is its forget gate. The score loses the sum.',
        cope: 'Each token from the key to the query, the query included, adds its gate g = σ(q ⋅ k/√d). The query reads row Σ g of a table.',
        repo: 'Each token has a position of its own, z = 3 ⋅ silu(x) ⋅ c. The rotation uses the difference.',
        selective:
          'Each token after the key adds φ = σ(x) ⋅ (1 + c/2). The rotation turns pair 0 by the sum.',
      },
      sum: 'Terms of the sum',
      total: 'distance',
      distance: (ruler: string, token: string) => `${ruler}, back to “${token}”`,
      place: 'place',
      token: 'token',
      gate: 'gate σ(x)',
      describe: (key: string, back: number, fox: string, most: string, term: string) =>
        `“${key}” is ${back} ${back === 1 ? 'token' : 'tokens'} back; for FoX it is ${fox} nats back, of which “${most}” alone adds ${term}.`,
      itself: (query: string) => `“${query}” is the query itself: nothing lies between.`,
      adds: (token: string, term: string) => `“${token}” adds ${term}`,
      query: (token: string) => `query “${token}”`,
      others: (all: string[][]) =>
        `The others: ${all.map(([ruler, value]) => `${ruler} ${value}`).join(', ')}.`,
    },
    zh: {
      title: '由文本决定的距离',
      question: '距离由文本决定时，前面的词元算多远？',
      caption:
        '同样的前文放在两把尺子上，从查询往回量：一把每个词元算一步，一把由文本决定。句号处的门几乎关着，它前后的词元在下面的尺上挤成两堆。勾选后再显示三把尺。参数是随机的，代替训练好的参数。',
      axes: {
        plain: '往回数几个词元',
        fox: '衰减 −Σ ln f，单位 nat',
        cope: '计数 Σ g',
        repo: '位置 z 之差',
        selective: 'Σ φ，弧度',
      },
      units: { fox: 'nat', cope: '', repo: '', selective: '弧度' },
      formulas: {
        fox: '键之后的每个词元加上 −ln f，f = σ(x) 是它的遗忘门。分数减去这个和。',
        cope: '从键到查询（连查询自己也算，所以它不在 0），每个词元加上它的门 g = σ(q ⋅ k/√d)。查询去读表的第 Σ g 行。',
        repo: '每个词元有自己的位置 z = 3 ⋅ silu(x) ⋅ c。旋转用两个位置之差。',
        selective: '键之后的每个词元加上 φ = σ(x) ⋅ (1 + c/2)。第 0 对按总和旋转。',
      },
      sum: '求和的各项',
      total: '距离',
      distance: (ruler: string, token: string) => `${ruler}：到“${token}”`,
      place: '位置',
      token: '词元',
      gate: '门 σ(x)',
      describe: (key: string, back: number, fox: string, most: string, term: string) =>
        `“${key}”隔了 ${back} 个词元；在 FoX 的尺上距离是 ${fox} nat，其中仅“${most}”一个就占 ${term}。`,
      itself: (query: string) => `“${query}”就是查询本身，中间什么也没有。`,
      adds: (token: string, term: string) => `“${token}”占 ${term}`,
      query: (token: string) => `${token}（查询）`,
      others: (all: string[][]) =>
        `其余的尺子：${all.map(([ruler, value]) => `${ruler} ${value}`).join('，')}。`,
    },
  },
};
