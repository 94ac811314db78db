/** Words of the figure `unseen-angles`. */
import { whole } from '../../plots/number.ts';

export const coverageText = {
  en: {
    title: 'Angles that training never showed',
    question:
      'When a text grows past the training length, which pairs meet angles they have never seen?',
    caption:
      'Grey: how many turns each pair made in training. Purple: how many it makes now. A pair above the one-turn line has been all round its dial and meets no new angle of its own, however long the text (distances beyond L₀ and combinations of angles are still new); a pair below it meets new angles from the first position past L₀ on. Those are shaded. Drag L down to L₀ and the shade goes. Lower the base until every pair turns: the shade goes as well. Then keep L long and change the method: interpolation and YaRN clear the shade altogether. NTK clears little and puts the rest off: the first new position of a pair moves outward, but only the very last pair is divided by the full factor.',
  },
  zh: {
    title: '训练中没见过的角度',
    question: '文本超过训练长度以后，哪些对会碰到从没见过的角度？',
    caption:
      '灰线是每一对在训练时转过的圈数，紫线是现在要转的圈数。“一圈”线以上的对，整个圆周早已走遍，文本再长，单看这一对也没有新角度（超过 L₀ 的距离、各对角度的组合仍是新的）；线以下的对，一过 L₀ 就踏进陌生的角度，图中用阴影标出。把 L 拖回 L₀，阴影消失；把底数调小，让每一对都转满一圈，阴影也会消失。再让 L 保持很长，换一种方法：内插和 YaRN 把阴影全部清掉；NTK 清掉的不多，只是推迟：每一对第一次碰到新角度的位置往后移了，但除以完整倍数的只有最后一对。',
  },
};

export const words = {
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Length now', zh: '现在的长度' },
  dim: { en: 'Head width', zh: '每头维数' },
  pair: { en: 'Pair', zh: '第几对' },
  method: { en: 'Method, factor s = L / L₀', zh: '方法（倍数 s = L / L₀）' },
  methods: {
    direct: { en: 'direct', zh: '直接外推' },
    linear: { en: 'PI', zh: '内插' },
    ntk: { en: 'NTK-aware', zh: 'NTK' },
    yarn: { en: 'YaRN', zh: 'YaRN' },
  },
  strings: {
    en: {
      pairAxis: 'pair i, fast to slow',
      turnAxis: 'turns',
      trained: 'turns within L₀, as trained',
      now: 'turns within L, with this method',
      firstColumn: 'first position with an unseen angle',
      oneTurn: 'one turn',
      dial: (isNew: boolean) =>
        isNew
          ? 'Outer arc: seen in training. Inner arc: used now, the red part never seen before.'
          : 'Outer arc: seen in training. Inner arc: used now, and none of it is new.',
      unseen: (first: number | undefined) =>
        first === undefined
          ? 'Pairs that meet unseen angles'
          : `Pairs that meet unseen angles, the first of them i = ${first}`,
      of: (some: number, all: number) => `${some} of ${all}`,
      trainedTurns: (pair: number) => `Turns of pair ${pair} in training`,
      turns: (pair: number) => `Turns of pair ${pair} now`,
      firstUnseen: (pair: number) => `First position at which pair ${pair} is somewhere new`,
      never: 'none',
      describe: (trained: number, length: number, unseen: number, pairs: number) =>
        `Turns of each pair within ${whole(trained)} positions and within ${whole(length)}, on a logarithmic scale: ${unseen} of ${pairs} pairs are turned to angles that training never showed.`,
    },
    zh: {
      pairAxis: '第 i 对，由快到慢',
      turnAxis: '圈数',
      trained: '训练时 L₀ 以内的圈数',
      now: '用这种方法，L 以内的圈数',
      firstColumn: '第一个出现新角度的位置',
      oneTurn: '一圈',
      dial: (isNew: boolean) =>
        isNew
          ? '外弧：训练时见过的角度。内弧：现在用到的角度，红色部分从没见过。'
          : '外弧：训练时见过的角度。内弧：现在用到的角度，没有一处是新的。',
      unseen: (first: number | undefined) =>
        first === undefined ? '碰到新角度的对' : `碰到新角度的对（从 i = ${first} 起）`,
      of: (some: number, all: number) => `${some} / ${all}`,
      trainedTurns: (pair: number) => `第 ${pair} 对训练时的圈数`,
      turns: (pair: number) => `第 ${pair} 对现在的圈数`,
      firstUnseen: (pair: number) => `第 ${pair} 对第一次转到新角度的位置`,
      never: '没有',
      describe: (trained: number, length: number, unseen: number, pairs: number) =>
        `每一对在 ${whole(trained)} 个位置内和 ${whole(length)} 个位置内的圈数，对数坐标：${pairs} 对中有 ${unseen} 对转到了训练时没见过的角度。`,
    },
  },
};
