/** Words of the sentence that the figures of the chapter share. */
import type { TextFault } from '../../toy/tokens.ts';

export const sentenceWords = {
  text: { en: 'Sentence', zh: '句子' },
  sentence: {
    en: 'It rained all night. Now the garden is green.',
    zh: '昨夜下雨。今早园里花开了。',
  },
  query: { en: 'Place of the query', zh: '查询的位置' },
  changed: { en: 'Tokens with a changed gate', zh: '改动了门控的词元' },
  logit: { en: 'Changed gate', zh: '改动后的门控' },
  seed: { en: 'Seed of the weights', zh: '参数的随机种子' },
  strings: {
    en: {
      chips: 'Press a token to change its gate.',
      gate: (logit: number) => (logit < 0 ? 'gate closed' : 'gate open'),
      chipsWithGates:
        'Press a token to change its gate σ(x): at 1 it adds no distance, near 0 much.',
      fault: (fault: TextFault) =>
        fault.rule === 'empty'
          ? 'There is no word in this text; the example is shown.'
          : `A sentence here has at most ${fault.limit} ${fault.rule}; this one has ${fault.count}. The example is shown.`,
    },
    zh: {
      chips: '点一个词元，可修改它的门。',
      gate: (logit: number) => (logit < 0 ? '门已关' : '门开着'),
      chipsWithGates: '点一个词元，可修改它的门控 σ(x)：等于 1 不增加距离，越接近 0 加得越多。',
      fault: (fault: TextFault) =>
        fault.rule === 'empty'
          ? '这段文字里没有词；图中是例句。'
          : `这里的句子最多 ${fault.limit} 个${fault.rule === 'tokens' ? '词元' : '字符'}，现在有 ${fault.count} 个；图中是例句。`,
    },
  },
};
