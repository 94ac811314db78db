/** Words of the figure `rotary-wavelengths`. */
export const wavelengthsText = {
  en: {
    title: 'Wavelengths and the base',
    question: 'Which pairs never come full circle within the context?',
    caption:
      'Each dot is a pair; its height is how many positions one turn takes. Dots above the dashed line never complete a turn within the context: those pairs meet only a part of the circle in training, drawn below as filled sectors. Raise the base: the ladder becomes steeper and more pairs stay above the line. Lengthen the context: the line rises past them. Choose a model to see what its makers settled on. Point at a dot, and the same pair is marked in the other figures.',
  },
  zh: {
    title: '波长与底数',
    question: '在上下文之内，哪些对一圈也转不完？',
    caption:
      '每个点是一对，高度是转一圈要走多少个位置。虚线以上的点，在整个上下文里都转不完一圈：训练时它们只见过圆的一部分，就是下面涂色的扇形。调大底数：梯子变陡，更多的对留在线上方。加长上下文：线升上去，越过它们。选一个模型，看看它的作者定在哪里。指向一个点，其他图里的同一对也会标出来。',
  },
};

export const words = {
  dim: { en: 'Values of a head that turn', zh: '头里参与旋转的维数' },
  length: { en: 'Context length', zh: '上下文长度' },
  pair: { en: 'Pair', zh: '第几对' },
  strings: {
    en: {
      models: 'Models',
      pairAxis: 'pair i',
      wavelengthAxis: 'positions for one turn',
      context: (length: string) => `context of ${length}`,
      complete: 'completes a turn',
      never: 'never completes one',
      chosen: (pair: number) => `pair ${pair}`,
      count: (length: string) => `Pairs that never complete a turn within ${length}`,
      first: 'The first of them',
      none: 'none',
      wavelength: (pair: number) => `Positions for one turn of pair ${pair}`,
      turns: (pair: number) => `Turns of pair ${pair} within the context`,
      longest: 'Longest wavelength, of the last pair',
      dials: 'How much of its circle a pair meets within the context',
      dial: (pair: number, turns: string) => `Pair ${pair}: ${turns} turns`,
      describe: (pairs: number, never: number, length: string) =>
        `Wavelengths of ${pairs} pairs on a logarithmic axis, a rising straight line; ${never} of them are longer than the context of ${length} positions.`,
      columns: ['pair', 'positions per turn', 'turns within the context'],
    },
    zh: {
      models: '模型',
      pairAxis: '第 i 对',
      wavelengthAxis: '转一圈的位置数',
      context: (length: string) => `上下文 ${length}`,
      complete: '至少转完一圈',
      never: '一圈也转不完',
      chosen: (pair: number) => `第 ${pair} 对`,
      count: (length: string) => `在 ${length} 个位置内转不完一圈的对数`,
      first: '其中的第一对',
      none: '没有',
      wavelength: (pair: number) => `第 ${pair} 对转一圈的位置数`,
      turns: (pair: number) => `第 ${pair} 对在上下文内转的圈数`,
      longest: '最长的波长（最后一对）',
      dials: '各对在上下文之内见过多少圆周',
      dial: (pair: number, turns: string) => `第 ${pair} 对：${turns} 圈`,
      describe: (pairs: number, never: number, length: string) =>
        `对数坐标上 ${pairs} 对的波长，连成一条上升的直线；其中 ${never} 对的波长超过 ${length} 个位置的上下文。`,
      columns: ['第几对', '一圈的位置数', '上下文内的圈数'],
    },
  },
};

/** Head width that turns, base and context length, as the config.json of `source` says them. */
export const models = [
  { name: 'GPT-J', source: 'EleutherAI/gpt-j-6b', dim: 64, base: 10000, length: 2048 },
  { name: 'GPT-NeoX 20B', source: 'EleutherAI/gpt-neox-20b', dim: 24, base: 10000, length: 2048 },
  { name: 'Llama 2', source: 'meta-llama/Llama-2-7b-hf', dim: 128, base: 10000, length: 4096 },
  { name: 'Llama 3', source: 'meta-llama/Meta-Llama-3-8B', dim: 128, base: 500000, length: 8192 },
  { name: 'Code Llama', source: 'codellama/CodeLlama-7b-hf', dim: 128, base: 1e6, length: 16384 },
  { name: 'Qwen2.5 7B', source: 'Qwen/Qwen2.5-7B-Instruct', dim: 128, base: 1e6, length: 32768 },
  { name: 'Gemma 2', source: 'google/gemma-2-9b', dim: 256, base: 10000, length: 8192 },
] as const;
