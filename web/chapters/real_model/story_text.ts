/** Words of a drawn story. */
export const storyWords = {
  en: {
    story: 'The story',
    tints: 'Surprise of a word, in nats:',
    from: (least: number, below: number) => `${least} to ${below}`,
    above: (least: number) => `${least} and more`,
    nats: (surprise: string) => `${surprise} nats`,
    asTrained: 'as trained',
    changed: 'after the change',
    token: 'token',
    surpriseAxis: 'surprise of each token, nats',
  },
  zh: {
    story: '故事',
    tints: '词的意外度 −ln p（nat）：',
    from: (least: number, below: number) => `${least}–${below}`,
    above: (least: number) => `${least} 以上`,
    nats: (surprise: string) => `${surprise} nat`,
    asTrained: '原样',
    changed: '改动之后',
    token: '第几个词元',
    surpriseAxis: '每个词元的意外度（nat）',
  },
};
