/** Words of the figure `stale-cache`. */
import { whole } from '../../plots/number.ts';

export const cacheText = {
  en: {
    title: 'A cache whose keys were turned by yesterday’s base',
    question:
      'If the base grows while a text is being written, what about the keys already in the cache?',
    caption:
      'The query stands at the end of the text, equal keys all along it. Dashed: every key turned by the base of today. Orange: every key as it was cached, turned by the base of its own day. Press play and watch the two part as soon as the text passes L₀. Then cache keys before they are rotated: the lines are one again, at the price of rotating the whole cache for every new base.',
  },
  zh: {
    title: '缓存里的键还按旧底数旋转',
    question: '如果底数随着文本变长而变大，已经进了缓存的键怎么办？',
    caption:
      '查询站在文本末尾，一路上的键都与它相同。虚线：每个键都按现在的底数旋转。橙线：每个键保持入缓存时的样子，按它当时的底数旋转。按播放，文本一过 L₀，两条线就分开了。再改成缓存旋转之前的键：两条线重合，代价是底数每变一次，整个缓存都要重新旋转。',
  },
};

export const words = {
  length: { en: 'Length now', zh: '现在的长度' },
  trained: { en: 'Training length', zh: '训练长度' },
  factor: { en: 'Factor', zh: '倍数' },
  raw: { en: 'Cache keys before rotation', zh: '缓存旋转之前的键' },
  strings: {
    en: {
      play: { start: 'Let the text grow', stop: 'Stop' },
      keyAxis: 'position of the key',
      scoreAxis: 'score with the query at the end',
      cached: 'keys as they were cached',
      rawKeys: 'raw keys, rotated when used',
      consistent: 'all keys turned by today’s base',
      right: (key: number) => `Right score of the key at ${whole(key)}`,
      shown: (key: number) => `Score from the cache for the key at ${whole(key)}`,
      baseThen: (key: number) => `Base when key ${whole(key)} came`,
      baseNow: 'Base now',
      worst: 'Largest error of the keys shown',
      baseColumn: 'base when the key came',
      describe: (length: number, key: number, cached: string, right: string) =>
        `Scores of a query at the end of ${whole(length)} positions with equal keys. The cached key that is most wrong, at ${whole(key)}, scores ${cached} instead of ${right}.`,
    },
    zh: {
      play: { start: '让文本变长', stop: '停' },
      keyAxis: '键的位置',
      scoreAxis: '与末尾查询的分数',
      cached: '入缓存时就旋转好的键',
      rawKeys: '原样缓存、用时再旋转的键',
      consistent: '全部按现在的底数旋转',
      right: (key: number) => `位置 ${whole(key)} 的键，正确的分数`,
      shown: (key: number) => `位置 ${whole(key)} 的键，从缓存得到的分数`,
      baseThen: (key: number) => `键 ${whole(key)} 到来时的底数`,
      baseNow: '现在的底数',
      worst: '图中各键的最大误差',
      baseColumn: '键到来时的底数',
      describe: (length: number, key: number, cached: string, right: string) =>
        `${whole(length)} 个位置末尾的查询与相同的键的分数。错得最多的是位置 ${whole(key)} 的缓存键：得 ${cached}，应为 ${right}。`,
    },
  },
};
