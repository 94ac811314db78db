/** Words of the figure `position-digits`. */
import { whole } from '../../plots/number.ts';

export const words = {
  position: { en: 'Position', zh: '位置' },
  dim: { en: 'Width', zh: '维数' },
  base: { en: 'Base', zh: '底数' },
  strings: {
    en: {
      title: 'A sinusoid is a number written in base β',
      question: 'How are the angles of a position related to its digits?',
      caption:
        'See: a position in base β and the angles of its sinusoid. Both come from n / βⁱ: a digit is the remainder modulo β, an angle the remainder modulo 2π. Try: press play. Each digit and hand is β times slower than the one before. Then raise b: the same digits write larger numbers, as in NTK-aware scaling.',
      play: { start: 'Let n count', stop: 'Pause' },
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
      title: '正弦编码与 β 进制',
      question: '一个位置的各个角度，和它的各位数字有什么关系？',
      caption:
        '看什么：一个位置的 β 进制写法和它的正弦编码的角度。两者都来自 n / βⁱ：数字是除以 β 的余数，角度是除以 2π 的余数。试一试：按播放，每位数字和每根指针都比前一个慢 β 倍。再调大 b：同样多的位数能写更大的数，NTK-aware 就是这样做的。',
      play: { start: '让 n 数下去', stop: '暂停' },
      rows: ['n / βⁱ', '数字：⌊n / βⁱ⌋ mod β', '旋钮：n / βⁱ mod 2π'],
      place: (pair: number, digit: string, angle: string) =>
        `第 ${pair} 对：数字 ${digit}，指针在 ${angle} 弧度`,
      beta: '进制 β',
      reach: (digits: number) => `${digits} 位这样的数字能写出多少个数`,
      written: (position: number, beta: number) => `${whole(position)} 写成 ${beta} 进制`,
      digitColumn: '数字',
      dialColumn: '旋钮（弧度）',
      describe: (position: number, beta: string, digits: string) =>
        `位置 ${whole(position)} 写成 ${beta} 进制，从高位到低位：${digits}。每位数字下面是同一个维度对的旋钮。`,
    },
  },
};
