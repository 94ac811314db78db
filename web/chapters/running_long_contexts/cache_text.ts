/** Words of the figure `stale-cache`. */
import { whole } from '../../plots/number.ts';

export const words = {
  length: { en: 'Present length', zh: '当前长度' },
  trained: { en: 'Training length', zh: '训练长度' },
  factor: { en: 'Factor', zh: '倍数' },
  raw: { en: 'Cache keys before rotation', zh: '缓存旋转之前的键' },
  strings: {
    en: {
      title: 'A cache of keys rotated by an earlier base',
      question: 'If the base grows with the text, what happens to the keys in the cache?',
      caption:
        'See: scores of a query at the end of the text with equal keys. Dashed: all keys rotated by the current base. Orange: each key rotated by the base at the time it was cached. Try: press play. The lines separate after L₀. Then cache unrotated keys: the lines agree, but each new base rotates the whole cache.',
      play: { start: 'Let the text grow', stop: 'Pause' },
      keyAxis: 'position of the key',
      scoreAxis: 'score with the query at the end',
      cached: 'keys as they were cached',
      rawKeys: 'unrotated keys, rotated when used',
      consistent: 'all keys rotated by the current base',
      right: (key: number) => `Right score of the key at ${whole(key)}`,
      shown: (key: number) => `Score from the cache for the key at ${whole(key)}`,
      baseThen: (key: number) => `Base when key ${whole(key)} was cached`,
      baseNow: 'Base now',
      worst: 'Largest error of the keys shown',
      baseColumn: 'base when the key was cached',
      describe: (length: number, key: number, cached: string, right: string) =>
        cached === right
          ? `At ${whole(length)} positions every cached key still has the score that it should.`
          : `They keep their old base: at ${whole(length)} positions the key at ${whole(key)} is worst, with a score of ${cached} instead of ${right}.`,
    },
    zh: {
      title: '缓存里的键还按旧底数旋转',
      question: '底数随文本变长而变大，已经存进缓存的键怎么办？',
      caption:
        '看什么：文本末尾的查询与一路上相同的键的分数。虚线：所有键都按现在的底数旋转。橙线：每个键按入缓存时的底数旋转。试一试：按播放，文本一过 L₀，两条线就分开。再改成缓存旋转之前的键：两条线重合，但底数每变一次，整个缓存都要重新旋转。',
      play: { start: '让文本变长', stop: '暂停' },
      keyAxis: '键的位置',
      scoreAxis: '与末尾查询的分数',
      cached: '入缓存时就旋转好的键',
      rawKeys: '缓存旋转之前的键，用时再旋转',
      consistent: '全部按现在的底数旋转',
      right: (key: number) => `位置 ${whole(key)} 的键，正确的分数`,
      shown: (key: number) => `位置 ${whole(key)} 的键，从缓存得到的分数`,
      baseThen: (key: number) => `键 ${whole(key)} 存入时的底数`,
      baseNow: '现在的底数',
      worst: '图中各键的最大误差',
      baseColumn: '键存入时的底数',
      describe: (length: number, key: number, cached: string, right: string) =>
        cached === right
          ? `到 ${whole(length)} 个位置为止，缓存的键分数都还正确。`
          : `它们还停在旧底数上：到 ${whole(length)} 个位置时，错得最多的是位置 ${whole(key)} 的键，分数是 ${cached}，应为 ${right}。`,
    },
  },
};
