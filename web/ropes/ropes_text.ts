/** Words of the figure `ropes`. */
import type { Try } from '../figures/figure.ts';
import { longest, originalLength, ropeLength, shortest, type RopeScheme } from './letters.ts';

export const ropesText = {
  en: {
    title: 'Ropes that hold, ropes that come apart',
    question: 'Each rope is a model, tight where the model is sure. Which holds to the end?',
    caption:
      'Each rope is a model that reads the word twice and goes on writing; it is tight where the model is sure of the right letter. The knot is at letter 32, where the training texts ended. After a skipped letter, most that follow are out of place.',
  },
  zh: {
    title: '结实的绳，散开的绳',
    question: '一根绳代表一个模型：绳子越散，错得越多。谁能撑到最后？',
    caption:
      '每根绳是一个模型。它先读两遍这个词，再接着往下写；给正确字的概率越高，绳就拧得越紧。紫色的结标出第 32 个字，即训练长度。漏写一个字，后面的字多半跟着错位。',
  },
};

const years: Record<RopeScheme, { en: string; zh: string }> = {
  sinusoidal: { en: '2017, the first transformer', zh: '2017 年，最早的 Transformer' },
  rope: { en: '2021; in Llama, Qwen, Mistral', zh: '2021 年，用于 Llama、Qwen、Mistral' },
  yarn: { en: '2023; in DeepSeek V3, gpt-oss', zh: '2023 年，用于 DeepSeek V3、gpt-oss' },
  alibi: { en: '2021; in BLOOM, MPT', zh: '2021 年，用于 BLOOM、MPT' },
  fox: { en: '2025; forget gates instead of positions', zh: '2025 年，用遗忘门代替位置编码' },
};

/** The same on a phone. */
const uses: Record<RopeScheme, { en: string; zh: string }> = {
  sinusoidal: { en: '2017', zh: '2017 年' },
  rope: { en: 'in Llama', zh: '用于 Llama' },
  yarn: { en: '', zh: '' },
  alibi: { en: 'in BLOOM', zh: '用于 BLOOM' },
  fox: { en: '2025', zh: '2025 年' },
};

const names: Record<RopeScheme, { en: string; zh: string }> = {
  sinusoidal: { en: 'Sinusoid', zh: '正弦编码' },
  rope: { en: 'RoPE', zh: 'RoPE' },
  yarn: { en: 'RoPE with YaRN', zh: 'RoPE + YaRN' },
  alibi: { en: 'ALiBi', zh: 'ALiBi' },
  fox: { en: 'FoX', zh: 'FoX' },
};

/** A rope, and its first wrong letter. */
type End = Readonly<{ name: string; wrong: number }>;

export const words = {
  word: { en: 'Your word', zh: '输入一个词或成语' },
  mend: { en: 'Mend RoPE with YaRN', zh: '用 YaRN 修补 RoPE' },
  names,
  years,
  uses,
  tries: [
    {
      label: { en: 'Lay the word “playground”', zh: '换成 playground 这个词' },
      notice: {
        en: 'Another word, the same order: the sinusoid goes wrong first, then RoPE, both beyond the knot. ALiBi and FoX hold to the end.',
        zh: '词变了，次序没变：最先出错的是正弦编码，然后是 RoPE，都在绳结之后；ALiBi 和 FoX 撑到最后。',
      },
      set: { word: 'playground' },
    },
    {
      label: { en: 'Show RoPE alone, mended', zh: '只看修补过的 RoPE' },
      notice: {
        en: 'YaRN lowers some of RoPE’s frequencies, without any training. The rope now holds to the end.',
        zh: 'YaRN 把 RoPE 的一部分频率调低，不必训练。这根绳现在撑到了最后。',
      },
      set: { yarn: true, sinusoidal: false, alibi: false, fox: false },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      lay: 'Replay',
      unmend: 'Take YaRN away',
      train: 'Train four new models (2 min)',
      recorded: 'Back to the first models',
      which: 'Ropes',
      knot: `knot: training length ${originalLength}`,
      wrong: (letter: number, isShort: boolean) =>
        isShort ? `▼ wrong at ${letter}` : `▼ first wrong letter: ${letter}`,
      right: (letters: number) => `still right at ${letters}`,
      lens: (isWrong: boolean) => (isWrong ? 'around the first wrong letter' : 'the last letters'),
      colon: ': ',
      legend: {
        tight: 'certain',
        half: 'unsure',
        loose: 'lost',
        letters: 'Letters:',
        given: 'read first',
        right: 'right',
        wrong: 'wrong at this place',
        other: '“·”: not in the word',
      },
      probability: 'Probability of the right letter',
      training: (step: number, steps: number, loss: string, isShort: boolean, seconds: number) =>
        isShort
          ? `${step} / ${steps}, loss ${loss}`
          : `step ${step} of ${steps}, loss ${loss}${seconds > 0 ? `, ${seconds} s left` : ''}`,
      waiting: 'waiting for a free core',
      trainingLegend:
        'While training, a rope is as tight as exp(−loss), the geometric mean of the probability of the right symbol in training texts.',
      own: (seed: number) => `Trained in this tab (seed ${seed}).`,
      empty: 'Type a word: it is laid as you type.',
      short: `The models know blocks of ${shortest} to ${longest} symbols: a shorter word is laid more than once.`,
      long: `The models know blocks of ${shortest} to ${longest} symbols: these are the first ${longest} letters.`,
      repeated:
        'The models read a letter that comes again as a new symbol. Each symbol of the same letter counts as right.',
      worse: (before: number | undefined, after: number) =>
        `YaRN harms some words, and this is one: the first wrong letter is ${after}; without YaRN it is ${before ?? 'none'}.`,
      letter: 'letter',
      rightLetter: 'right letter',
      given: 'given',
      written: (scheme: string) => `${scheme}: written`,
      share: (scheme: string) => `${scheme}: probability of the right letter`,
      describe: (word: string, ropes: string) =>
        `The word “${word}”, read twice and continued to ${ropeLength} letters. ${ropes}`,
      finding: (holding: string[], apart: End[], length: number) => {
        const names = new Intl.ListFormat('en').format(holding);
        const [first, ...others] = apart.map(({ name, wrong }, k) =>
          k === 0 ? `${name} goes wrong at letter ${wrong}` : `${name} at ${wrong}`,
        );
        const held =
          holding.length === 0
            ? 'None holds'
            : `${names} ${holding.length === 1 ? 'holds' : 'hold'}`;
        return `${held} to letter ${length}.${first ? ` ${[first, ...others].join(', ')}.` : ''}`;
      },
      one: (scheme: string, wrong: number | undefined, length: number) =>
        wrong === undefined
          ? `${scheme}: every letter is right up to ${length}.`
          : `${scheme}: the first wrong letter is ${wrong}.`,
    },
    zh: {
      lay: '重播',
      unmend: '去掉 YaRN',
      train: '重新训练这四个模型（约 2 分钟）',
      recorded: '换回最初的模型',
      which: '显示',
      knot: `绳结：训练长度 ${originalLength}`,
      wrong: (letter: number, isShort: boolean) =>
        isShort ? `▼ 第 ${letter} 个字写错` : `▼ 第 ${letter} 个字首次写错`,
      right: (letters: number) => `${letters} 个字全对`,
      lens: (isWrong: boolean) => (isWrong ? '放大：首个错字前后' : '放大：末尾'),
      colon: '：',
      legend: {
        tight: '拧紧',
        half: '松动',
        loose: '散开',
        letters: '文字颜色：',
        given: '给定的开头',
        right: '写对',
        wrong: '写错',
        other: '“·”：词以外的字',
      },
      probability: '模型给正确字的概率',
      training: (step: number, steps: number, loss: string, isShort: boolean, seconds: number) =>
        isShort
          ? `${step} / ${steps} 步，损失 ${loss}`
          : `第 ${step} / ${steps} 步，损失 ${loss}${seconds > 0 ? `，约剩 ${seconds} 秒` : ''}`,
      waiting: '排队中',
      trainingLegend: '训练过程中，绳的松紧表示 exp(−损失)，即训练文本里正确符号概率的几何平均。',
      own: (seed: number) => `在本页训练的模型（种子 ${seed}）。`,
      empty: '请输入一个词，绳会边输入边搓。',
      short: `模型只见过 ${shortest} 到 ${longest} 个符号的序列：太短的词会连写几遍。`,
      long: `模型只见过 ${shortest} 到 ${longest} 个符号的序列：这里只取前 ${longest} 个字。`,
      repeated: '词里有重复的字。对模型来说，每次出现都是另一个符号；写出其中任何一个都算对。',
      worse: (before: number | undefined, after: number) =>
        `有些词用了 YaRN 反而更糟，这个词就是：第 ${after} 个字就出错；不用时${before === undefined ? '全对' : `到第 ${before} 个字才出错`}。`,
      letter: '第几个字',
      rightLetter: '正确的字',
      given: '已给出',
      written: (scheme: string) => `${scheme}：写出的字`,
      share: (scheme: string) => `${scheme}：给正确字的概率`,
      describe: (word: string, ropes: string) =>
        `“${word}”读两遍，再接着写到第 ${ropeLength} 个字。${ropes}`,
      finding: (holding: string[], apart: End[], length: number) => {
        // A Latin name has a space before Chinese.
        const held = holding.length === 0 ? '没有一根' : holding.join('、').replace(/\w$/, '$& ');
        const ends = apart.map(
          ({ name, wrong }) => `${name}${/\w$/.test(name) ? ' ' : ''}从第 ${wrong} 个字`,
        );
        const rest = ends.length === 0 ? '' : `；${ends.join('、')}开始出错`;
        return `${held}撑到第 ${length} 个字${rest}。`;
      },
      one: (scheme: string, wrong: number | undefined, length: number) =>
        wrong === undefined
          ? `${scheme}：到第 ${length} 个字全对。`
          : `${scheme}：第 ${wrong} 个字开始出错。`,
    },
  },
};
