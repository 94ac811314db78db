import type { Try } from '../../figures/figure.ts';

/** A scheme, and the share of wrong reads on the usual text and on the chosen one. */
type Risen = readonly [scheme: string, usual: string, share: string];

/** Words of the figure `flip-flop-memory`. */
export const words = {
  text: { en: 'Test text', zh: '测试文本' },
  texts: {
    usual: { en: 'usual', zh: '普通' },
    sparse: { en: 'sparse', zh: '稀疏' },
    dense: { en: 'dense', zh: '密集' },
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
        'How often the bit is read back wrongly, with the range of the seeds; 0.5 is a guess. Usual text, as in training, ignores 80% of the bits. Sparse text ignores 98%, so the write is far back; dense text ignores 10%.',
      error: 'share of wrong reads',
      scores: 'Share of wrong reads by length',
      setting: (steps: string, count: string) =>
        `Task: pairs of an instruction (write, read or ignore) and a bit. After read comes the bit that was written last. Trained on 32 pairs, 80% of them ignored. Two layers of width 32, ${steps} steps of 16 sequences, ${count} recorded models per scheme. Only the second half of a test input is scored.`,
      names: { usual: 'usual text', sparse: 'sparse text', dense: 'dense text' },
      errorAt: (length: string) => `wrong reads, ${length} tokens (← better)`,
      usual: (share: string) => `usual ${share}`,
      describe: ([text, length]: readonly [string, string], best: string[], risen?: Risen) => {
        const names = new Intl.ListFormat('en').format(best);
        const most =
          best.length > 1 ? `${names} err least; their ranges overlap.` : `${names} errs least.`;
        const rise = risen
          ? ` ${risen[0]} forgets: ${risen[2]} wrong, on usual text ${risen[1]}.`
          : '';
        return `On ${text} of ${length} tokens ${most}${rise}`;
      },
      task: 'A bit is written, then read much later: is it still the bit?',
      example: 'write 1 · ignore 0 · ignore 1 · … · read → 1',
      guess: 'a guess',
    },
    zh: {
      title: 'Flip-flop：记住一个比特',
      question: '很久以前写下的一个比特，哪种方案还记得住？',
      caption:
        '各方案读回比特时读错的比例，横线是各个种子的范围，0.5 等于随机猜测。普通文本与训练时相同，80% 的比特要忽略；稀疏文本忽略 98%，写入隔得很久；密集文本只忽略 10%。',
      error: '读错的比例',
      scores: '各长度读错的比例',
      setting: (steps: string, count: string) =>
        `任务：输入由“指令加比特”组成，指令是写、读或忽略；读之后应当给出最近一次写入的比特。训练用 32 对，其中 80% 忽略。模型两层，宽 32，训练 ${steps} 步，每步 16 条序列；每种方案 ${count} 个预先训练的模型。测试时只计输入的后一半。`,
      names: { usual: '普通文本', sparse: '稀疏文本', dense: '密集文本' },
      errorAt: (length: string) => `长度 ${length} 时读错的比例，越靠左越好`,
      usual: (share: string) => `普通 ${share}`,
      describe: ([text, length]: readonly [string, string], best: string[], risen?: Risen) => {
        const names = best.join('、');
        const most = best.length > 1 ? `${names} 错得最少（范围重叠）` : `${names} 错得最少`;
        const rise = risen
          ? `；${risen[0]} 忘了：读错 ${risen[2]}，而普通文本上只有 ${risen[1]}`
          : '';
        return `${text}，长度 ${length} 时，${most}${rise}。`;
      },
      task: '写入的 1，隔了很久再读，还是 1 吗？',
      example: '写 1 · 忽略 0 · 忽略 1 · …… · 读 → 1',
      guess: '随机猜测',
    },
  },
};
