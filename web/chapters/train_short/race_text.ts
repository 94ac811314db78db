import type { Try } from '../../figures/figure.ts';
import type { ScoresAtEnds } from './contest.ts';

/** Words of the figure `length-race`. */
export const words = {
  task: { en: 'Task', zh: '任务' },
  tasks: {
    drawers: { en: 'drawers', zh: '抽屉' },
    characters: { en: 'characters', zh: '字符' },
  },
  randomized: { en: 'Randomized positions', zh: '随机化位置' },
  shown: { en: 'Recorded models', zh: '预先训练的模型' },
  reader: { en: 'Model that reads it', zh: '选一个模型作答' },
  tries: [
    {
      label: { en: 'Randomize the positions', zh: '随机化位置' },
      notice: {
        en: 'At 512 tokens RoPE rises from 0.33 to 0.67 and the sinusoid from 0.19 to 0.57. ALiBi falls from 0.95 to 0.71: gaps make near tokens look far.',
        zh: '长度 512 时，RoPE 从 0.33 升到 0.67，正弦编码从 0.19 升到 0.57；ALiBi 从 0.95 降到 0.71：位置有空隙，近处的词元显得很远。',
      },
      set: { randomized: true, task: 'drawers' },
    },
    {
      label: { en: 'Predict characters instead', zh: '改为预测字符' },
      notice: {
        en: 'Lower is better. At 512 tokens RoPE ends at 3.85 nats, worse than the sinusoid with 3.34 and worse than a guess with 3.58; ALiBi stays near 2.1.',
        zh: '越低越好。长度 512 时，RoPE 是 3.85 nat，不如正弦编码的 3.34，比随机猜测的 3.58 还差；ALiBi 一直在 2.1 附近。',
      },
      set: { task: 'characters', randomized: false },
    },
    {
      label: { en: 'Add T5 and KERPLE', zh: '加上 T5 和 KERPLE' },
      notice: {
        en: 'KERPLE stays flat, as ALiBi does; T5 declines slowly, to 0.91 at 512 tokens.',
        zh: 'KERPLE 与 ALiBi 一样保持水平；T5 缓慢下降，长度 512 时是 0.91。',
      },
      set: { t5: true, kerple: true, task: 'drawers', randomized: false },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Train short, test long: the race',
      question: 'Which scheme still works on inputs longer than those it was trained on?',
      caption:
        'Accuracy of models trained on 32 tokens, tested up to 512: lines are means, bands the range over the seeds. The button trains your own models, drawn in bold.',
      guess: (short: string, long: string, hidden: readonly string[]) =>
        `Not the sinusoid: it falls from ${short} at 32 tokens to ${long} at 512. ${hidden.join(', ')} are hidden: guess first.`,
      show: (hidden: readonly string[]) => `Guess, then show ${hidden.join(', ')}`,
      input:
        'A test input: C4 puts thing 4 into drawer C, and C? asks for the latest thing in it. Below it is what the model says, red where wrong; – is a drawer that is still empty.',
      wrong: (
        scheme: string,
        [within, known]: readonly [number, number],
        [beyond, others]: readonly [number, number],
      ) =>
        `${scheme}: ${within} of ${known} wrong within the first 32 tokens, ${beyond} of ${others} wrong beyond.`,
      accuracy: 'accuracy',
      scores: 'Scores by length',
      nats: 'nats per held-out character',
      placeAxis: 'place in the input',
      placeLoss: 'loss at that place, nats',
      drawers: (steps: string, count: string) =>
        `Task: things are put into drawers, and sometimes a drawer is queried. The answer is the latest thing put into it, which only the order reveals. With six drawers and six things, chance is 17%. One layer of width 64, ${steps} steps of 32 sequences, ${count} recorded models per scheme. Only the second half of a test input is scored.`,
      randomized: (steps: string, count: string) =>
        `Each training step draws 32 ordered positions below 512. Solid lines: tested with positions drawn in the same way. Dotted lines: tested with 0, 1, 2, … One layer of width 64, ${steps} steps, ${count} recorded models per scheme.`,
      characters: (steps: string, count: string) =>
        `Task: the next character of “Alice in Wonderland”, chapter I, 11,182 characters in lower case; the last 15% are held out and tested. Two layers of width 64, ${steps} steps of 32 windows, ${count} recorded models per scheme. The text is short, so compare shapes, not levels.`,
      stay: (held: readonly string[], lost: readonly string[]) =>
        [
          `Still above 0.9 at 512 tokens: ${held.join(', ') || 'no scheme'}.`,
          lost.length > 0 ? ` Below: ${lost.join(', ')}.` : '',
        ].join(''),
      describe: (task: string, values: readonly ScoresAtEnds[]) =>
        `${task}, from length 32 to 512: ${values.map(([name, short, long]) => `${name} goes from ${short} to ${long}`).join(', ')}.`,
    },
    zh: {
      title: '短训练、长测试：一场比赛',
      question: '训练时只见过短输入，哪种位置方案到了长输入上还管用？',
      caption:
        '只在 32 个词元上训练的模型，测试到 512 个词元的正确率：细线是平均，色带是几个种子的范围。点击按钮可以训练自己的模型，用粗线画出。',
      guess: (short: string, long: string, hidden: readonly string[]) =>
        `正弦编码不管用：长度 32 时正确率是 ${short}，到 512 只剩 ${long}。${hidden.join('、')} 已隐藏，先猜一猜。`,
      show: (hidden: readonly string[]) => `猜完再看：${hidden.join('、')}`,
      input:
        '一段测试输入：C4 表示把东西 4 放进抽屉 C，“C?”问的是抽屉 C 里最后放进去了什么。问号下面是模型的回答，答错的标红；“–”表示抽屉还空着。',
      wrong: (
        scheme: string,
        [within, known]: readonly [number, number],
        [beyond, others]: readonly [number, number],
      ) =>
        `${scheme}：前 32 个词元里 ${known} 个问题答错 ${within} 个，之后 ${others} 个问题答错 ${beyond} 个。`,
      accuracy: '正确率',
      scores: '各长度的得分',
      nats: '留出文本的损失（nat／字符）',
      placeAxis: '在输入中的位置',
      placeLoss: '该位置的损失（nat）',
      drawers: (steps: string, count: string) =>
        `任务：不断把东西放进抽屉，时而问起某个抽屉，答案是最后放进去的那件。六个抽屉，六样东西，随机猜测的正确率是 17%。只有顺序能区分最后一件和更早的几件。模型一层，宽 64，训练 ${steps} 步，每步 32 条序列；每种方案 ${count} 个预先训练的模型。测试时只计输入的后一半。`,
      randomized: (steps: string, count: string) =>
        `每个训练步从 512 以内抽取 32 个递增的位置。实线：测试时用同样的办法抽位置；点线：测试时用 0、1、2……模型一层，宽 64，训练 ${steps} 步；每种方案 ${count} 个预先训练的模型。`,
      characters: (steps: string, count: string) =>
        `任务：预测《爱丽丝漫游奇境》英文第一章的下一个字符，全部小写，共 11,182 个字符，最后 15% 留作测试。模型两层，宽 64，训练 ${steps} 步，每步 32 个窗口；每种方案 ${count} 个预先训练的模型。文本很短，所以请比较曲线的形状，不要比较高低。`,
      stay: (held: readonly string[], lost: readonly string[]) =>
        [
          held.length > 0
            ? `到长度 512，正确率仍在 0.9 以上的有 ${held.join('、')}。`
            : '到长度 512，没有一种方案的正确率还在 0.9 以上。',
          lost.length > 0 ? `低于 0.9 的有 ${lost.join('、')}。` : '',
        ].join(''),
      describe: (task: string, values: readonly ScoresAtEnds[]) =>
        `${task}，长度从 32 到 512：${values.map(([name, short, long]) => `${name} 从 ${short} 到 ${long}`).join('，')}。`,
    },
  },
};
