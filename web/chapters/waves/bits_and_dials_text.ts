/** Words of the figure `bits-and-dials`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  t: { en: 'Position', zh: '位置' },
  bits: { en: 'Bits, and sine waves', zh: '比特数（正弦波数）' },
  tries: [
    {
      label: { en: 'Stop between 7 and 8', zh: '取 7 和 8 的中点' },
      notice: {
        en: 'The waves have values here as everywhere. Bits have none: the red line is the error of the library, ropewalk.',
        zh: '正弦波在这里照样有值，二进制没有：红字是计算库 ropewalk 的报错。',
      },
      set: { t: 7.5 },
    },
    {
      label: { en: 'Go from 15 to 16', zh: '从 15 走到 16' },
      notice: {
        en: 'All five bits flip at once, the longest step of the bits. The waves move by 0.96, about as far as in other steps.',
        zh: '五个比特一齐翻转，是比特最长的一步。正弦波移动 0.96，与别的步差不多。',
      },
      set: { t: 15 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'Bits and sine waves',
      question: 'What do sine waves offer that binary digits do not?',
      caption:
        'The chart is the length of each step to the next position, with its bounds dashed. Below, the bits and the waves, each half as fast as the one before.',
      bitAxis: 'bit i',
      dialAxis: 'wave i',
      position: 'position t',
      dialLegend: 'sin(t / 2ⁱ)',
      bitMap: (bits: number) => `Bits 0 to ${bits - 1} of every position; bit 0 flips each time.`,
      dialMap:
        'The sines with halved frequencies over the same positions: the same stripes, smooth.',
      step: 'length of a step to the next position',
      bit: (i: number) => `bit ${i}`,
      stepBits: 'bits',
      stepDials: 'sine waves',
      mostBits: (most: string) => `bits: up to ${most}`,
      mostDials: (most: string) => `sine waves: at most ${most}`,
      noBits: 'There are no bits here. Error of the package: ',
      flips: (t: number) => `Bits that flip from ${t} to ${t + 1}`,
      bitStep: 'Length of this step in bits, √flips',
      dialStep: 'Length of this step of the waves',
      turn: (turn: string) => `turn: ${turn}`,
      describe: (bits: number, jump: string, move: string) =>
        `Short steps: to the next position the sine waves move by at most ${move}, the bits jump by up to √${bits} = ${jump}.`,
      none: 'none',
    },
    zh: {
      title: '比特与正弦波',
      question: '和比特相比，正弦波好在哪里？',
      caption:
        '折线是走到下一个位置的步长（向量之间的距离），虚线是步长的上限。下面是每个位置的比特和正弦波，每一条都比前一条慢一半。',
      bitAxis: '比特 i',
      dialAxis: '正弦波 i',
      position: '位置 t',
      dialLegend: 'sin(t / 2ⁱ)',
      bitMap: (bits: number) => `每个位置的第 0 到第 ${bits - 1} 位；第 0 位每步都翻转。`,
      dialMap: '同样的位置上、频率逐个减半的正弦：花纹相同，但是平滑。',
      step: '到下一个位置的步长',
      bit: (i: number) => `比特 ${i}`,
      stepBits: '比特',
      stepDials: '正弦波',
      mostBits: (most: string) => `比特：最多 ${most}`,
      mostDials: (most: string) => `正弦波：最多 ${most}`,
      noBits: '这里没有比特。ropewalk 报错：',
      flips: (t: number) => `从 ${t} 到 ${t + 1} 翻转的比特数`,
      bitStep: '这一步在比特上的长度（翻转数的平方根）',
      dialStep: '这一步在正弦波上的长度',
      turn: (turn: string) => `一圈 ${turn}`,
      describe: (bits: number, jump: string, move: string) =>
        `步子小：走到下一个位置，正弦波最多移动 ${move}，比特最多跳 √${bits} = ${jump}。`,
      none: '无',
    },
  },
};
