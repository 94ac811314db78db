/** Words of the figure `ropes`. */
import type { RopeScheme } from './schemes.ts';

export const ropesText = {
  en: {
    title: 'Ropes that hold, ropes that come apart',
    question: 'Four models repeat your word. Which of them still can at letter 100?',
    caption:
      'See: each rope is a model that reads the word twice and goes on writing. It is tight where the model is sure of the right letter. The knot marks the longest text of the training. Try: type your own word, or mend RoPE with YaRN, which needs no training.',
  },
  zh: {
    title: '结实的绳，散开的绳',
    question: '四个模型都来重复你的词，写到第 100 个字，谁还写得对？',
    caption:
      '看什么：每根绳是一个模型。它先读两遍这个词，再接着往下写；对正确的字越有把握，绳就拧得越紧。绳结处是训练文本的最大长度。试一试：换成你自己的词；或者用 YaRN 修好 RoPE，不必重新训练。',
  },
};

const years: Record<RopeScheme, { en: string; zh: string }> = {
  sinusoidal: { en: 'the first transformer, 2017', zh: '最早的 Transformer，2017 年' },
  rope: { en: 'Llama, Qwen, Mistral, gpt-oss', zh: 'Llama、Qwen、Mistral、gpt-oss' },
  yarn: { en: 'DeepSeek V3, gpt-oss', zh: 'DeepSeek V3、gpt-oss' },
  alibi: { en: 'BLOOM, MPT', zh: 'BLOOM、MPT' },
  fox: { en: 'forget gates, 2025', zh: '遗忘门，2025 年' },
};

const names: Record<RopeScheme, { en: string; zh: string }> = {
  sinusoidal: { en: 'Sinusoid', zh: '正弦编码' },
  rope: { en: 'RoPE', zh: 'RoPE' },
  yarn: { en: 'RoPE with YaRN', zh: 'RoPE + YaRN' },
  alibi: { en: 'ALiBi', zh: 'ALiBi' },
  fox: { en: 'FoX', zh: 'FoX' },
};

export const words = {
  word: { en: 'Your word', zh: '你的词' },
  mend: { en: 'Mend RoPE with YaRN', zh: '用 YaRN 修好 RoPE' },
  names,
  years,
  strings: {
    en: {
      lay: 'Lay the ropes',
      train: 'Train new ones here',
      recorded: 'Back to the first models',
      which: 'Ropes',
      knot: 'longest text in training',
      wrong: (letter: number) => `first wrong letter: ${letter}`,
      right: (letters: number) => `still right at ${letters}`,
      legend: {
        tight: 'sure of the right letter',
        half: 'half sure',
        loose: 'no idea',
      },
      probability: 'Probability of the right letter',
      training: (step: number, steps: number, loss: string) =>
        `step ${step} of ${steps}, loss ${loss}`,
      waiting: 'waiting for a free core',
      trainingLegend:
        'While training, a strand shows e^−loss: the mean probability of the right symbol in the training texts.',
      own: (seed: number) => `Trained in this tab (seed ${seed}).`,
      short: 'The models know blocks of 4 to 16 symbols: a shorter word is laid more than once.',
      long: 'The models know blocks of 4 to 16 symbols: these are the first 16 letters.',
      repeated:
        'The models know blocks of different symbols: a letter that comes again has its own.',
      letter: 'letter',
      rightLetter: 'right letter',
      written: (scheme: string) => `${scheme}: written`,
      share: (scheme: string) => `${scheme}: probability of the right letter`,
      describe: (word: string, ropes: string) =>
        `The word “${word}”, read twice and continued to ${136} letters. ${ropes}`,
      one: (scheme: string, wrong: number | undefined, length: number) =>
        wrong === undefined
          ? `${scheme}: every letter is right up to ${length}.`
          : `${scheme}: the first wrong letter is ${wrong}.`,
    },
    zh: {
      lay: '搓绳',
      train: '就在这里训练新的',
      recorded: '换回最初的模型',
      which: '显示哪几根',
      knot: '训练文本的最大长度',
      wrong: (letter: number) => `第 ${letter} 个字开始出错`,
      right: (letters: number) => `到第 ${letters} 个字仍然全对`,
      legend: {
        tight: '对正确的字有把握',
        half: '一半把握',
        loose: '毫无把握',
      },
      probability: '正确的字的概率',
      training: (step: number, steps: number, loss: string) =>
        `第 ${step} 步，共 ${steps} 步，损失 ${loss}`,
      waiting: '等待空闲的核',
      trainingLegend: '训练过程中，绳的松紧表示 e^−损失，即训练文本里正确符号的平均概率。',
      own: (seed: number) => `在本页训练的模型（种子 ${seed}）。`,
      short: '模型只见过 4 到 16 个符号的序列：太短的词会连写几遍。',
      long: '模型只见过 4 到 16 个符号的序列：这里只取前 16 个字。',
      repeated: '模型只见过符号互不相同的序列：同一个字再次出现时，换用另一个符号。',
      letter: '第几个字',
      rightLetter: '正确的字',
      written: (scheme: string) => `${scheme}：写出的字`,
      share: (scheme: string) => `${scheme}：正确的字的概率`,
      describe: (word: string, ropes: string) =>
        `“${word}”读两遍，再接着写到第 ${136} 个字。${ropes}`,
      one: (scheme: string, wrong: number | undefined, length: number) =>
        wrong === undefined
          ? `${scheme}：到第 ${length} 个字全对。`
          : `${scheme}：第 ${wrong} 个字开始出错。`,
    },
  },
};
