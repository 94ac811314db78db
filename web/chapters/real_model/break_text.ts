/** Words of the figure `break-a-llama`. */
import type { Try } from '../../figures/figure.ts';

export const breakWords = {
  prompt: { en: 'Beginning of the story', zh: '故事的开头（英文）' },
  tries: [
    {
      label: { en: 'Remove the rotation', zh: '去掉旋转' },
      notice: {
        en: 'It breaks as well: no score depends on distance now, and the heads that look one token back miss it.',
        zh: '照样写不成句：分数里不再有距离，要看“恰好前一个”的头找不准了。',
      },
      set: { change: 'none' },
    },
    {
      label: { en: 'Start at position 500', zh: '从位置 500 开始' },
      notice: {
        en: 'Not a letter changes: scores depend on distances, and all distances are the same.',
        zh: '一个字母也没变：分数只取决于距离，而距离全都一样。',
      },
      set: { change: 'trained', firstPosition: 500 },
    },
    {
      label: { en: 'Interpolate by 4', zh: '内插 4 倍' },
      notice: {
        en: 'The story stammers: one step is four times smaller, and heads that look one token back miss it.',
        zh: '故事写得磕磕绊绊：一步缩小到四分之一，要看“恰好前一个”的头找不准了。',
      },
      set: { change: 'trained', factor: 4 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Break a real Llama',
      question: 'Which change of its positions does a trained model survive?',
      caption:
        'One model continues one beginning, with changed positions and as trained. The stronger its tint, the more a word surprises the model as trained.',
      verdict: {
        trained: (loss: string) =>
          `As trained, the model writes English; its loss on a fixed text is ${loss} nats a token.`,
        same: (loss: string) =>
          `The story is the same, letter for letter, and so is the loss: ${loss} nats a token.`,
        holds: (loss: string, trained: string) =>
          `The story is still English: the loss is ${loss} nats a token, as trained ${trained}.`,
        stammers: (loss: string, trained: string) =>
          `The story stammers: the loss is ${loss} nats a token, as trained ${trained}.`,
        broken: (loss: string, trained: string) =>
          `The story breaks: the loss is ${loss} nats a token, as trained ${trained}.`,
      },
      loss: 'Loss on a fixed text of 512 tokens, nats a token',
      trainedLoss: 'The loss as trained, nats a token',
      surprise: 'Mean surprise of the tokens written, nats',
      describe: (verdict: string, surprise: string, text: string) =>
        `${verdict} The tokens that it wrote surprise the model as trained by ${surprise} nats in the mean. The story: ${text}`,
      source:
        'stories260K by Andrej Karpathy, 2023, here mostly in float16: 0.65 MB, loaded with the first change, run in your browser.',
      license: 'MIT License',
      stop: '.',
      moved: 'after the change',
      word: 'word',
      wordSurprise: 'surprise (nats)',
      origin: 'origin',
      given: 'given',
      written: 'written',
    },
    zh: {
      title: '弄坏一个真的 Llama',
      question: '改动位置之后，训练好的模型还能正常续写吗？',
      caption:
        '同一个模型，同一个开头，改动位置之后和原样各写一篇。底色越浓，原模型越没料到这个词。',
      verdict: {
        trained: (loss: string) =>
          `位置原样时，模型写的是通顺的英文；它在一段固定文本上的损失是每个词元 ${loss} nat。`,
        same: (loss: string) => `故事一个字母也没变，损失也没变：每个词元 ${loss} nat。`,
        holds: (loss: string, trained: string) =>
          `写出来的仍是英文：损失是每个词元 ${loss} nat，原样时是 ${trained}。`,
        stammers: (loss: string, trained: string) =>
          `故事写得磕磕绊绊：损失是每个词元 ${loss} nat，原样时是 ${trained}。`,
        broken: (loss: string, trained: string) =>
          `故事写坏了：损失是每个词元 ${loss} nat，原样时是 ${trained}。`,
      },
      loss: '一段 512 个词元的固定文本上的损失（nat／词元）',
      trainedLoss: '位置原样时的损失（nat／词元）',
      surprise: '写出的词元的平均意外度（nat）',
      describe: (verdict: string, surprise: string, text: string) =>
        `${verdict}写出的词元，对原模型的意外度平均是 ${surprise} nat。故事：${text}`,
      source:
        '模型：Karpathy 的 stories260K（2023），参数大多以 float16 存储，共 0.65 MB，第一次改动时加载，在你的浏览器里运行。',
      license: 'MIT 许可证',
      stop: '。',
      moved: '改动之后',
      word: '词',
      wordSurprise: '意外度（nat）',
      origin: '来源',
      given: '给定',
      written: '模型所写',
    },
  },
};
