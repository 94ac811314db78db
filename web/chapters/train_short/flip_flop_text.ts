import type { ScoresAtEnds } from './contest.ts';

/** Words of the figure `flip-flop-memory`. */
export const words = {
  text: { en: 'Test text, share ignored', zh: '测试文本，忽略的比例' },
  texts: {
    usual: { en: 'usual, 80 %', zh: '普通，80%' },
    sparse: { en: 'sparse, 98 %', zh: '稀疏，98%' },
    dense: { en: 'dense, 10 %', zh: '密集，10%' },
  },
  strings: {
    en: {
      title: 'Flip-flop: one bit of memory',
      question: 'Which scheme remembers one bit that was written long ago?',
      caption:
        'See: the share of wrong answers when the bit is read back; 0.5 is a guess. Lines and bands show the mean and range of recorded models over their seeds. Try: switch from usual to sparse text. ALiBi stays low on usual text and fails on sparse text, where the last write is far back.',
      error: 'share of wrong reads',
      scores: 'Share of wrong reads by length',
      setting: (steps: string, count: string) =>
        `Task: pairs of an instruction (write, read or ignore) and a bit. After read comes the bit that was written last. Trained on 32 pairs, 80 % of them ignored. Two layers of width 32, ${steps} steps of 16 sequences, ${count} recorded models per scheme. Only the second half of a test input is scored.`,
      describe: (text: string, values: readonly ScoresAtEnds[]) =>
        `Share read wrongly, text ${text} ignored, from 64 to 512 tokens: ${values.map(([name, short, long]) => `${name} goes from ${short} to ${long}`).join(', ')}.`,
    },
    zh: {
      title: 'Flip-flop：记住一个比特',
      question: '很久以前写下的一个比特，哪种方案还记得住？',
      caption:
        '看什么：读回比特时答错的比例，0.5 等于随机猜测。细线和色带是预先训练好的模型，分别是几个种子的平均和范围。试一试：从普通文本换到稀疏文本。ALiBi 在普通文本上错得很少，到了稀疏文本就失败，因为最近一次写入离得太远。',
      error: '读错的比例',
      scores: '各长度读错的比例',
      setting: (steps: string, count: string) =>
        `任务：输入由“指令加比特”组成，指令是写、读或忽略；读之后应当给出最近一次写入的比特。训练用 32 对，其中 80% 忽略。模型两层，宽 32，训练 ${steps} 步，每步 16 条序列；每种方案录制 ${count} 个模型。测试时只计输入的后一半。`,
      describe: (text: string, values: readonly ScoresAtEnds[]) =>
        `读错的比例，测试文本${text} 忽略，长度从 64 到 512：${values.map(([name, short, long]) => `${name} 从 ${short} 到 ${long}`).join('，')}。`,
    },
  },
};
