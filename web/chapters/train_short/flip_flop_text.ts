import type { Try } from '../../figures/figure.ts';

/** Words of the figure `flip-flop-memory`. */
type Score = readonly [scheme: string, share: string];

export const words = {
  text: { en: 'Test text, share ignored', zh: '测试文本（“忽略”指令所占比例）' },
  texts: {
    usual: { en: 'usual 80%', zh: '普通 80%' },
    sparse: { en: 'sparse 98%', zh: '稀疏 98%' },
    dense: { en: 'dense 10%', zh: '密集 10%' },
  },
  tries: [
    {
      label: { en: 'Switch to usual text', zh: '换成普通文本' },
      notice: {
        en: 'ALiBi is at 0.01, among the best: the last write is seldom far back.',
        zh: 'ALiBi 是 0.01，与最好的相当：最近一次写入很少离得远。',
      },
      set: { text: 'usual', length: '512' },
    },
    {
      label: { en: 'Switch to dense text', zh: '换成密集文本' },
      notice: {
        en: 'Hardly anything is ignored. FoX and KERPLE make no errors; RoPE and CoPE still do at 512 tokens, though the last write is near.',
        zh: '几乎没有忽略。FoX 和 KERPLE 不出错；最近一次写入就在近处，RoPE 和 CoPE 到 512 个词元时仍会出错。',
      },
      set: { text: 'dense', length: '512' },
    },
    {
      label: { en: 'Stay within the training length', zh: '留在训练长度以内' },
      notice: {
        en: 'Up to 64 tokens all of them remember, on sparse text too: what fails is the length.',
        zh: '64 个词元以内，稀疏文本上它们也都记得住：失败的原因是长度。',
      },
      set: { length: '64', text: 'sparse' },
    },
  ] as readonly Try[],
  length: { en: 'Test length', zh: '测试长度' },
  lengths: {
    64: { en: '64', zh: '64' },
    128: { en: '128', zh: '128' },
    256: { en: '256', zh: '256' },
    512: { en: '512', zh: '512' },
  },
  strings: {
    en: {
      title: 'Flip-flop: one bit of memory',
      question: 'Which scheme remembers one bit that was written long ago?',
      caption:
        'How often the bit is read back wrongly; 0.5 is a guess. Filled: the chosen text, with its seeds. Hollow: usual text, as in training. Filled far right of hollow: the scheme forgets a far write. Both far right: the length is too much.',
      error: 'share of wrong reads',
      scores: 'Share of wrong reads by length',
      setting: (steps: string, count: string) =>
        `Task: pairs of an instruction (write, read or ignore) and a bit. After read comes the bit that was written last. Trained on 32 pairs, 80% of them ignored. Two layers of width 32, ${steps} steps of 16 sequences, ${count} recorded models per scheme. Only the second half of a test input is scored.`,
      names: { usual: 'usual text', sparse: 'sparse text', dense: 'dense text' },
      errorAt: (length: string) => `wrong reads, ${length} tokens (↓ better)`,
      describe: (length: string, least: Score, most: Score) =>
        `At ${length} tokens of usual text ${least[0]} reads ${least[1]} wrongly, ${most[0]} ${most[1]}.`,
      risen: (length: string, text: string, least: Score, risen: readonly string[]) =>
        `At ${length} tokens of ${text} ${least[0]} remembers best, with ${least[1]} wrong reads. ${risen[0]} rises most from usual text, from ${risen[1]} to ${risen[2]}.`,
      example: 'write 1 · ignore 0 · ignore 1 · … · read → 1',
      guess: 'a guess',
    },
    zh: {
      title: 'Flip-flop：记住一个比特',
      question: '很久以前写下的一个比特，哪种方案还记得住？',
      caption:
        '各方案读回比特时读错的比例，0.5 等于随机猜测。实心点是所选的文本，横线是各个种子的范围；空心点是普通文本，与训练时的相同。实心点比空心点偏右很多，说明写入后隔得久了，这种方案就忘了；两点都很靠右，说明文本一长它就不行了。',
      error: '读错的比例',
      scores: '各长度读错的比例',
      setting: (steps: string, count: string) =>
        `任务：输入由“指令加比特”组成，指令是写、读或忽略；读之后应当给出最近一次写入的比特。训练用 32 对，其中 80% 忽略。模型两层，宽 32，训练 ${steps} 步，每步 16 条序列；每种方案 ${count} 个预先训练的模型。测试时只计输入的后一半。`,
      names: { usual: '普通文本', sparse: '稀疏文本', dense: '密集文本' },
      errorAt: (length: string) => `长度 ${length} 时读错的比例，越低越好`,
      describe: (length: string, least: Score, most: Score) =>
        `普通文本，长度 ${length} 时，${least[0]} 读错的比例是 ${least[1]}，${most[0]} 是 ${most[1]}。`,
      risen: (length: string, text: string, least: Score, risen: readonly string[]) =>
        `${text}，长度 ${length} 时，${least[0]} 记得最牢，读错的比例是 ${least[1]}；比起普通文本，${risen[0]} 上升最多，从 ${risen[1]} 到 ${risen[2]}。`,
      example: '写 1 · 忽略 0 · 忽略 1 · …… · 读 → 1',
      guess: '随机猜测',
    },
  },
};
