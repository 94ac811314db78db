/** Words of the figure `moving-ruler`. */
const same = (name: string) => ({ en: name, zh: name });

export const words = {
  key: { en: 'Place of the key', zh: '键的位置' },
  ruler: { en: 'Scheme of the sum', zh: '展开求和' },
  rulers: {
    plain: { en: 'Distance', zh: '普通距离' },
    fox: same('FoX'),
    cope: same('CoPE'),
    repo: same('RePo'),
    selective: same('Selective RoPE'),
  },
  strings: {
    en: {
      title: 'Distances that depend on the text',
      question: 'How far back is a token, if the text decides what counts as far?',
      caption:
        'See: the earlier tokens on five rulers, measured back from the query on the right. Random weights stand in for trained ones. Try: the gate σ(x) of the full stop starts nearly closed; press it to open the gate, or drag x. Under FoX a closed gate pushes everything before it away; CoPE and Selective RoPE do not count it.',
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
        cope: 'Each token from the key to the query adds its gate g = σ(q ⋅ k/√d). The query reads row Σ g of a table.',
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
      describe: (query: string, key: string, all: string[][]) =>
        `From “${query}” back to “${key}”: ${all.map(([ruler, value]) => `${ruler} ${value}`).join(', ')}.`,
    },
    zh: {
      title: '由文本决定的距离',
      question: '如果远近由文本决定，一个词元离得有多远？',
      caption:
        '看什么：同样的前文，放在五把尺子上，从右端的查询往回量。权重是随机的，代替训练好的权重。试一试：句号的门 σ(x) 一开始几乎关着，按一下打开它，或者拖动 x。在 FoX 里，一扇关上的门把它前面的一切都推远；CoPE 和 Selective RoPE 则不数它。',
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
        cope: '从键到查询，每个词元加上它的门 g = σ(q ⋅ k/√d)。查询去读表的第 Σ g 行。',
        repo: '每个词元有自己的位置 z = 3 ⋅ silu(x) ⋅ c。旋转用两个位置之差。',
        selective: '键之后的每个词元加上 φ = σ(x) ⋅ (1 + c/2)。第 0 对按总和旋转。',
      },
      sum: '求和的各项',
      total: '距离',
      distance: (ruler: string, token: string) => `${ruler}：到“${token}”`,
      place: '位置',
      token: '词元',
      gate: '门 σ(x)',
      describe: (query: string, key: string, all: string[][]) =>
        `从“${query}”往回到“${key}”：${all.map(([ruler, value]) => `${ruler} ${value}`).join('，')}。`,
    },
  },
};
