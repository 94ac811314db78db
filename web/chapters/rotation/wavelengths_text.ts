/** Words of the figure `rotary-wavelengths`. */
export const words = {
  dim: { en: 'Rotated dimensions', zh: '参与旋转的维数' },
  length: { en: 'Context length', zh: '上下文长度' },
  pair: { en: 'Pair', zh: '第几对' },
  strings: {
    en: {
      title: 'Wavelengths and the base',
      question: 'Which pairs never complete a turn within the context?',
      caption:
        'See: the wavelength of each pair. Pairs above the dashed line never complete a turn within the context: training shows only the filled part of their circle. Try: raise the base: more pairs are above the line. Lengthen the context: fewer are. Or choose a model.',
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
      dials: 'Part of its circle that a pair covers within the context',
      dial: (pair: number, turns: string) => `Pair ${pair}: ${turns} turns`,
      describe: (pairs: number, never: number, length: string) =>
        `${never} of ${pairs} pairs: one turn takes them longer than the context of ${length} positions.`,
      columns: ['pair', 'positions per turn', 'turns within the context'],
    },
    zh: {
      title: '波长与底数',
      question: '在上下文之内，哪些维度对一圈也转不完？',
      caption:
        '看什么：每个维度对的波长。虚线以上的维度对在上下文里转不满一圈：训练只见过圆上涂色的部分。试一试：调大底数，虚线以上的维度对变多；加长上下文，则变少。也可以选一个模型。',
      models: '模型',
      pairAxis: '第 i 对',
      wavelengthAxis: '转一圈的位置数',
      context: (length: string) => `上下文 ${length}`,
      complete: '至少转完一圈',
      never: '一圈也转不完',
      chosen: (pair: number) => `第 ${pair} 对`,
      count: (length: string) => `在 ${length} 个位置内转不完一圈的维度对有几个`,
      first: '其中的第一个',
      none: '没有',
      wavelength: (pair: number) => `第 ${pair} 对转一圈的位置数`,
      turns: (pair: number) => `第 ${pair} 对在上下文内转的圈数`,
      longest: '最长的波长（最后一个维度对）',
      dials: '各个维度对在上下文之内见过多少圆周',
      dial: (pair: number, turns: string) => `第 ${pair} 对：${turns} 圈`,
      describe: (pairs: number, never: number, length: string) =>
        `${pairs} 个维度对里有 ${never} 个：转一圈的长度超过 ${length} 个位置的上下文。`,
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
