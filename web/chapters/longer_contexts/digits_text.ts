/** Words of the figure `position-digits`. */
import type { Try } from '../../figures/figure.ts';
import { whole } from '../../plots/number.ts';

export const words = {
  position: { en: 'Position', zh: '位置' },
  dim: { en: 'Width', zh: '维数' },
  base: { en: 'Base', zh: '底数' },
  tries: [
    {
      label: { en: 'Raise the base to 160,000', zh: '把底数调到 160,000' },
      notice: {
        en: 'β is now 20: four digits can write 160,000 numbers instead of 10,000, and every hand but the first is slower. NTK-aware scaling does this.',
        zh: 'β 变成 20：同样四位，能写的数从 10,000 个增加到 160,000 个；除了第一根，指针都变慢了。NTK-aware 就是这样做的。',
      },
      set: { base: 160000, dim: 8 },
    },
    {
      label: { en: 'Write it in bits', zh: '用二进制写' },
      notice: {
        en: 'β is 2, so the digits are bits: 2026 is 11111101010. Each bit and each hand is half as fast as the one before.',
        zh: 'β 是 2，数字就是比特：2026 写成 11111101010。每个比特、每根指针都只有前一个的一半快。',
      },
      set: { position: 2026, base: 2048, dim: 22 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'A sinusoid is a number written in base β',
      question: 'How are the angles of a position related to its digits?',
      caption:
        'A position in base β, above the angles of its sinusoid. Both come from n / βⁱ: a digit is the remainder modulo β, an angle the remainder modulo 2π. A larger base writes more positions with as many digits: NTK-aware scaling.',
      play: { start: 'Let n count', stop: 'Pause' },
      rows: ['n / βⁱ', '⌊n / βⁱ⌋ mod β → digit', 'n / βⁱ mod 2π → angle'],
      place: (pair: number, digit: string, angle: string) =>
        `Pair ${pair}: digit ${digit}, hand at ${angle} radians`,
      beta: 'Base of the digits, β',
      reach: (digits: number) => `Numbers that ${digits} such digits can write`,
      written: (position: number, beta: number) => `${whole(position)} in base ${beta}`,
      digitColumn: 'digit',
      dialColumn: 'dial in radians',
      describe: (position: number, beta: string, pairs: number, digits: string) =>
        `Position ${whole(position)} in base β = b^(1/${pairs}) = ${beta}: ${digits}.`,
      both: (quotient: string, digit: string, angle: string) =>
        ` Both are remainders of n / βⁱ: of ${quotient}, for i = 1, the digit is ${digit} (modulo β) and the angle ${angle} (modulo 2π).`,
    },
    zh: {
      title: '正弦编码与 β 进制',
      question: '一个位置的各个角度，和它的各位数字有什么关系？',
      caption:
        '一个位置的 β 进制写法，以及它的正弦编码的角度。两者都来自 n / βⁱ：数字是取整后除以 β 的余数，角度是除以 2π 的余数。底数调大，位数不变，能表示的位置更多，指针更慢：这就是 NTK-aware。',
      play: { start: '让 n 递增', stop: '暂停' },
      rows: ['n / βⁱ', '⌊n / βⁱ⌋ mod β → 数字', 'n / βⁱ mod 2π → 角度'],
      place: (pair: number, digit: string, angle: string) =>
        `第 ${pair} 对：数字 ${digit}，指针在 ${angle} 弧度`,
      beta: '进制 β',
      reach: (digits: number) => `${digits} 位这样的数字能写出多少个数`,
      written: (position: number, beta: number) => `${whole(position)} 写成 ${beta} 进制`,
      digitColumn: '数字',
      dialColumn: '表盘（弧度）',
      describe: (position: number, beta: string, pairs: number, digits: string) =>
        `位置 ${whole(position)} 写成 β = b^(1/${pairs}) = ${beta} 进制：${digits}。`,
      both: (quotient: string, digit: string, angle: string) =>
        `两者都来自同一个 n / βⁱ：i = 1 时是 ${quotient}，取整后模 β 得数字 ${digit}，模 2π 得角度 ${angle}。`,
    },
  },
};
