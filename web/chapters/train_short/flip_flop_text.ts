import type { Try } from '../../figures/figure.ts';
import type { ScoresAtEnds } from './contest.ts';

/** Words of the figure `flip-flop-memory`. */
export const words = {
  text: { en: 'Test text, share ignored', zh: '测试文本，忽略的比例' },
  texts: {
    usual: { en: 'usual, 80 %', zh: '普通，80%' },
    sparse: { en: 'sparse, 98 %', zh: '稀疏，98%' },
    dense: { en: 'dense, 10 %', zh: '密集，10%' },
  },
  tries: [
    {
      label: { en: 'Switch to usual text', zh: '换成普通文本' },
      notice: {
        en: 'ALiBi stays near 0.01 at every length: the last write is seldom far back.',
        zh: 'ALiBi 在各个长度都在 0.01 左右：最近一次写入很少离得远。',
      },
      set: { text: 'usual' },
    },
    {
      label: { en: 'Switch to dense text', zh: '换成密集文本' },
      notice: {
        en: 'Hardly anything is ignored. FoX and KERPLE make no errors; RoPE and CoPE still do at 512 tokens, though the last write is near.',
        zh: '几乎没有忽略。FoX 和 KERPLE 不出错；最近一次写入就在近处，RoPE 和 CoPE 到 512 个词元时仍会出错。',
      },
      set: { text: 'dense' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Flip-flop: one bit of memory',
      question: 'Which scheme remembers one bit that was written long ago?',
      caption:
        'The share of wrong answers when the bit is read back; 0.5 is a guess. Lines are means of recorded models, bands the range of their seeds. All were trained on 64 tokens of the usual text.',
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
        '读回比特时答错的比例，0.5 等于随机猜测。细线是预先训练好的模型的平均，色带是几个种子的范围；它们都只在 64 个词元的普通文本上训练。',
      error: '读错的比例',
      scores: '各长度读错的比例',
      setting: (steps: string, count: string) =>
        `任务：输入由“指令加比特”组成，指令是写、读或忽略；读之后应当给出最近一次写入的比特。训练用 32 对，其中 80% 忽略。模型两层，宽 32，训练 ${steps} 步，每步 16 条序列；每种方案录制 ${count} 个模型。测试时只计输入的后一半。`,
      describe: (text: string, values: readonly ScoresAtEnds[]) =>
        `读错的比例，测试文本${text} 忽略，长度从 64 到 512：${values.map(([name, short, long]) => `${name} 从 ${short} 到 ${long}`).join('，')}。`,
    },
  },
};
