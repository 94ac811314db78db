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
        'A position in base β, above the angles of its sinusoid. A larger base writes more positions with as many digits, and its hands are slower: NTK-aware scaling.',
      play: { start: 'Let n count', stop: 'Pause' },
      digitRow: 'digit: one turn is',
      angleRow: 'angle: one turn is 2π',
      place: (pair: number, digit: string, angle: string) =>
        `Pair ${pair}: digit ${digit}, hand at ${angle} radians`,
      beta: 'Base of the digits, β',
      reach: (digits: number) => `Numbers that ${digits} such digits can write`,
      written: (position: number, beta: number) => `${whole(position)} in base ${beta}`,
      digitColumn: 'digit',
      dialColumn: 'dial in radians',
      division: (quotient: string, beta: string, digit: string, angle: string) =>
        `${quotient}, rounded down and divided by ${beta}, leaves the digit ${digit}; divided by 2π, it leaves the angle ${angle}.`,
      describe: 'Both are remainders of the same n / βⁱ: the digit modulo β, the angle modulo 2π.',
    },
    zh: {
      title: '正弦编码与 β 进制',
      question: '一个位置的各个角度，和它的各位数字有什么关系？',
      caption:
        '一个位置的 β 进制写法，以及它的正弦编码的角度。底数调大，位数不变，能表示的位置更多，指针更慢：这就是 NTK-aware。',
      play: { start: '让 n 递增', stop: '暂停' },
      digitRow: '数字：一圈是',
      angleRow: '角度：一圈是 2π',
      place: (pair: number, digit: string, angle: string) =>
        `第 ${pair} 对：数字 ${digit}，指针在 ${angle} 弧度`,
      beta: '进制 β',
      reach: (digits: number) => `${digits} 位这样的数字能写出多少个数`,
      written: (position: number, beta: number) => `${whole(position)} 写成 ${beta} 进制`,
      digitColumn: '数字',
      dialColumn: '表盘（弧度）',
      division: (quotient: string, beta: string, digit: string, angle: string) =>
        `${quotient} 取整后除以 ${beta}，余数是数字 ${digit}；不取整，除以 2π，余数是角度 ${angle}。`,
      describe: '两者是同一个 n / βⁱ 的余数：模 β 得到数字，模 2π 得到角度。',
    },
  },
};
