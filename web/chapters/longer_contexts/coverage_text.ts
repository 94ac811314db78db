/** Words of the figure `unseen-angles`. */
import type { Try } from '../../figures/figure.ts';
import { whole } from '../../plots/number.ts';

export const words = {
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Present length', zh: '当前长度' },
  dim: { en: 'Head dimension', zh: '每头维度' },
  pair: { en: 'Pair', zh: '第几对' },
  method: { en: 'Method, factor s = L / L₀', zh: '方法（扩展倍数 s = L / L₀）' },
  methods: {
    direct: { en: 'direct', zh: '直接外推' },
    linear: { en: 'PI', zh: '内插' },
    ntk: { en: 'NTK-aware', zh: 'NTK' },
    yarn: { en: 'YaRN', zh: 'YaRN' },
  },
  tries: [
    {
      label: { en: 'Go back to the training length', zh: '回到训练长度' },
      notice: {
        en: 'The lines meet and no shade is left: up to L₀ every angle was seen in training.',
        zh: '两条线重合，阴影消失：L₀ 以内的角度，训练时全都见过。',
      },
      set: { length: 2048, trained: 2048 },
    },
    {
      label: { en: 'Use Position Interpolation', zh: '改用内插' },
      notice: {
        en: 'No shade is left: every frequency is divided by L / L₀, so each pair turns as far as in training.',
        zh: '阴影消失：每个频率都除以 L / L₀，各维度对转过的圈数与训练时一样多。',
      },
      set: { method: 'linear' },
    },
    {
      label: { en: 'Use NTK-aware scaling', zh: '改用 NTK' },
      notice: {
        en: 'Nearly all the shade stays. NTK slows only the last pair as much as interpolation does; the others still reach unseen angles, but later.',
        zh: '阴影几乎没有减少：只有最后一个维度对放慢得和内插一样多，其余的照样会遇到新角度，只是晚一些。',
      },
      set: { method: 'ntk' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Angles unseen in training',
      question: 'When a text grows past the training length, which pairs have unseen angles?',
      caption:
        'Turns of each pair (two channels that turn together) in training (gray) and now (purple). A pair that completed a turn in training meets no new angle. A slower one reaches new angles after L₀: it is shaded.',
      pairAxis: 'pair i, fast to slow',
      turnAxis: 'turns',
      trained: 'in training',
      now: 'now',
      shaded: 'new angles',
      firstColumn: 'first position with an unseen angle',
      oneTurn: 'one turn',
      dial: (isNew: boolean) =>
        isNew
          ? 'Outer arc: seen in training. Inner arc: used now; what goes beyond the outer arc was never seen.'
          : 'Outer arc: seen in training. Inner arc: used now, and none of it is new.',
      unseen: (first: number | undefined) =>
        first === undefined
          ? 'Pairs with unseen angles'
          : `Pairs with unseen angles, the first of them i = ${first}`,
      of: (some: number, all: number) => `${some} of ${all}`,
      trainedTurns: (pair: number) => `Turns of pair ${pair} in training`,
      turns: (pair: number) => `Turns of pair ${pair} now`,
      firstUnseen: (pair: number) => `First position with an unseen angle of pair ${pair}`,
      never: 'none',
      describe: (trained: number, length: number, unseen: number, pairs: number) =>
        `Within ${whole(length)} positions ${unseen} of ${pairs} pairs reach angles that a training on ${whole(trained)} never showed.`,
    },
    zh: {
      title: '训练中没见过的角度',
      question: '文本超过训练长度以后，哪些维度对会遇到没见过的角度？',
      caption:
        '每个维度对（一起旋转的两个维度）在训练中（灰）和现在（紫）转过的圈数。训练时转满一圈的，不会再遇到新角度；不满一圈的，过了 L₀ 就会遇到新角度（阴影）。',
      pairAxis: '第 i 对，由快到慢',
      turnAxis: '圈数',
      trained: '训练时',
      now: '现在',
      shaded: '新角度',
      firstColumn: '第一个出现新角度的位置',
      oneTurn: '一圈',
      dial: (isNew: boolean) =>
        isNew
          ? '外弧：训练时见过的角度。内弧：现在用到的角度，超出外弧的部分从没见过。'
          : '外弧：训练时见过的角度。内弧：现在用到的角度，没有一处是新的。',
      unseen: (first: number | undefined) =>
        first === undefined ? '遇到新角度的维度对' : `遇到新角度的维度对（从 i = ${first} 起）`,
      of: (some: number, all: number) => `${some} / ${all}`,
      trainedTurns: (pair: number) => `第 ${pair} 对训练时的圈数`,
      turns: (pair: number) => `第 ${pair} 对现在的圈数`,
      firstUnseen: (pair: number) => `第 ${pair} 对第一次转到新角度的位置`,
      never: '没有',
      describe: (trained: number, length: number, unseen: number, pairs: number) =>
        `${pairs} 个维度对中有 ${unseen} 个，在 ${whole(length)} 个位置内会转到训练时（${whole(trained)} 个位置）没见过的角度。`,
    },
  },
};
