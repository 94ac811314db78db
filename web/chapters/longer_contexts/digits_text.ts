/** Words of the figure `position-digits`. */
import { whole } from '../../plots/number.ts';

export const digitsText = {
  en: {
    title: 'A sinusoid is a number written in base β',
    question: 'What do the dials of a position have to do with its digits?',
    caption:
      'With d = 8 and b = 10,000 the base of the digits is exactly 10, so the bold row is the number as you write it. Press play: the last digit runs, the others follow ten, a hundred, a thousand times slower, and so do the hands below them. Both are the quotient n / βⁱ; the digit throws away whole rounds of β, the dial whole rounds of 2π. Now widen d: more digits of a smaller base. Raise b: the same number of digits reaches further, which is all that NTK-aware scaling does.',
  },
  zh: {
    title: '正弦编码就是 β 进制',
    question: '一个位置的旋钮，和它的各位数字有什么关系？',
    caption:
      '取 d = 8、b = 10,000，进制恰好是 10，粗体那一行就是平常写下的数。按播放：个位在跑，其余各位依次慢十倍、百倍、千倍，下面的指针也是如此。两者都来自商 n / βⁱ：数字丢掉整 β 的部分，旋钮丢掉整 2π 的部分。把 d 调大：位数变多，进制变小。把 b 调大：同样多的位数能写更大的数。NTK-aware 做的就只是这件事。',
  },
};

export const words = {
  position: { en: 'Position', zh: '位置' },
  dim: { en: 'Width', zh: '维数' },
  base: { en: 'Base', zh: '底数' },
  strings: {
    en: {
      play: { start: 'Let n count', stop: 'Stop' },
      rows: ['n / βⁱ', 'digit: ⌊n / βⁱ⌋ mod β', 'dial: n / βⁱ mod 2π'],
      place: (pair: number, digit: string, angle: string) =>
        `Pair ${pair}: digit ${digit}, hand at ${angle} radians`,
      beta: 'Base of the digits, β',
      reach: (digits: number) => `Numbers that ${digits} such digits can write`,
      written: (position: number, beta: number) => `${whole(position)} in base ${beta}`,
      digitColumn: 'digit',
      dialColumn: 'dial in radians',
      describe: (position: number, beta: string, digits: string) =>
        `Position ${whole(position)} in base ${beta}, most significant digit first: ${digits}. Below each digit the dial of the same pair.`,
    },
    zh: {
      play: { start: '让 n 数下去', stop: '停' },
      rows: ['n / βⁱ', '数字：⌊n / βⁱ⌋ mod β', '旋钮：n / βⁱ mod 2π'],
      place: (pair: number, digit: string, angle: string) =>
        `第 ${pair} 对：数字 ${digit}，指针在 ${angle} 弧度`,
      beta: '进制 β',
      reach: (digits: number) => `${digits} 位这样的数字能写出多少个数`,
      written: (position: number, beta: number) => `${whole(position)} 写成 ${beta} 进制`,
      digitColumn: '数字',
      dialColumn: '旋钮（弧度）',
      describe: (position: number, beta: string, digits: string) =>
        `位置 ${whole(position)} 写成 ${beta} 进制，从高位到低位：${digits}。每位数字下面是同一对的旋钮。`,
    },
  },
};
