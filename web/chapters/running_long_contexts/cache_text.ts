/** Words of the figure `stale-cache`. */
import type { Try } from '../../figures/figure.ts';
import { whole } from '../../plots/number.ts';

export const words = {
  length: { en: 'Present length', zh: '当前长度' },
  trained: { en: 'Training length', zh: '训练长度' },
  factor: { en: 'Factor', zh: '扩展倍数' },
  raw: { en: 'Cache keys before rotation', zh: '缓存旋转之前的键' },
  tries: [
    {
      label: { en: 'Cache unrotated keys', zh: '缓存旋转之前的键' },
      notice: {
        en: 'No error is left: each key is rotated when it is used, by the present base. The price: each new base rotates the whole cache.',
        zh: '误差消失：键在使用时才按现在的底数旋转。代价是底数每变一次，整个缓存都要重新旋转。',
      },
      set: { raw: true },
    },
    {
      label: { en: 'Stop at the training length', zh: '停在训练长度' },
      notice: {
        en: 'No error yet: up to L₀ the base is still that of the training.',
        zh: '还没有误差：在 L₀ 以内，底数一直没变。',
      },
      set: { length: 2048, trained: 2048 },
    },
    {
      label: { en: 'Set the factor to 4', zh: '把倍数设为 4' },
      notice: {
        en: 'Beyond L₀ the base grows faster, and so does the error: keys near 2,399 score 0.50 instead of 0.22.',
        zh: '过了 L₀，底数增长得更快，误差也更大：位置 2,399 附近的键得 0.50，应为 0.22。',
      },
      set: { factor: 4, length: 4096, trained: 2048 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'A cache of keys rotated by an earlier base',
      question: 'If the base grows with the text, what happens to the keys in the cache?',
      caption:
        'Scores of a query at the end with equal keys, smoothed over nine neighbors. Dashed: all keys rotated by the present base. Orange: each key rotated by the base of its time. Between them lies the error.',
      limit: 'training length L₀',
      play: { start: 'Let the text grow', stop: 'Pause' },
      keyAxis: 'position of the key',
      scoreAxis: 'score with the query at the end',
      cached: 'from the cache',
      rawKeys: 'rotated when used',
      consistent: 'as it should be',
      right: (key: number) => `Right score of the key at ${whole(key)}`,
      shown: (key: number) => `Score from the cache for the key at ${whole(key)}`,
      baseThen: (key: number) => `Base when key ${whole(key)} was cached`,
      baseNow: 'Base now',
      worst: 'Largest error of the keys shown',
      baseColumn: 'base when the key was cached',
      same: (length: number, isRaw: boolean) =>
        `${isRaw ? 'Keys cached before rotation' : 'All keys'} have the right score, here at ${whole(length)} positions.`,
      differ: (key: number, said: string, right: string) =>
        `They keep their old base and score wrongly: ${said} instead of ${right} near key ${whole(key)}. Keys cached before rotation would not.`,
    },
    zh: {
      title: '缓存里的键还按旧底数旋转',
      question: '底数随文本变长而变大，已经存进缓存的键怎么办？',
      caption:
        '在前文每个位置放同一个键，算它与末尾查询的分数，每条线取相邻九个键的平均。虚线是正确的分数：所有键都按现在的底数旋转。橙线是缓存给出的分数：每个键还按存入时的底数旋转。两线之间就是误差。',
      limit: '训练长度 L₀',
      play: { start: '让文本变长', stop: '暂停' },
      keyAxis: '键的位置',
      scoreAxis: '与末尾查询的分数',
      cached: '缓存给出的分数',
      rawKeys: '用时再旋转',
      consistent: '正确的分数',
      right: (key: number) => `位置 ${whole(key)} 的键，正确的分数`,
      shown: (key: number) => `位置 ${whole(key)} 的键，从缓存得到的分数`,
      baseThen: (key: number) => `键 ${whole(key)} 存入时的底数`,
      baseNow: '现在的底数',
      worst: '图中各键的最大误差',
      baseColumn: '键存入时的底数',
      same: (length: number, isRaw: boolean) =>
        `${isRaw ? '缓存的是旋转之前的键，' : ''}长度到 ${whole(length)}，各键的分数都正确。`,
      differ: (key: number, said: string, right: string) =>
        `它们仍按旧底数旋转，分数会错：位置 ${whole(key)} 附近得 ${said}，应为 ${right}。改为缓存旋转之前的键，就没有误差。`,
    },
  },
};
