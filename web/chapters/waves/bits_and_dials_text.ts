/** Words of the figure `bits-and-dials`. */
export const bitsText = {
  en: {
    title: 'Bits and dials',
    question: 'What can a row of dials say that a row of bits cannot?',
    caption:
      'Drag the position from 7 to 8: four bits flip at once, though the text moved on by one token. Stop halfway and there is no row of bits at all; the red line is the package refusing. The dials below make the same pattern, each turning half as fast as the one before, but they glide: every value in between exists, and one step is never a jump.',
  },
  zh: {
    title: '比特与旋钮',
    question: '一排旋钮能说、一排比特说不出的是什么？',
    caption:
      '把位置从 7 拖到 8：文本只走了一个词元，却有四个比特同时翻转。停在半路，就根本没有对应的比特，红字是软件包的拒绝。下面的旋钮画出同样的花纹，每一个都比前一个慢一半，但它们是滑过去的：中间的每个值都存在，走一步从不跳变。',
  },
};

export const words = {
  t: { en: 'Position', zh: '位置' },
  bits: { en: 'Bits, and dials', zh: '比特数（旋钮数）' },
  strings: {
    en: {
      bitAxis: 'bit i',
      dialAxis: 'dial i',
      position: 'position t',
      bitLegend: 'bit i of t',
      dialLegend: 'sin(t / 2ⁱ)',
      bitMap: (bits: number) => `Bits 0 to ${bits - 1} of every position; bit 0 flips each time.`,
      dialMap:
        'The sines with halved frequencies over the same positions: the same stripes, smooth.',
      step: '|p(t + 1) − p(t)|',
      bit: (i: number) => `bit ${i}`,
      stepBits: 'bits',
      stepDials: 'dials',
      noBits: 'There are no bits here. The package says: ',
      flips: (t: number) => `Bits that flip from ${t} to ${t + 1}`,
      bitStep: 'Length of this step in bits, √flips',
      dialStep: 'Length of this step on the dials',
      turn: (turn: string) => `turn: ${turn}`,
      describe: (t: string, bits: string, dials: string) =>
        `Position ${t}. Bits, lowest first: ${bits}. Dials: ${dials}.`,
      none: 'none',
    },
    zh: {
      bitAxis: '比特 i',
      dialAxis: '旋钮 i',
      position: '位置 t',
      bitLegend: 't 的第 i 位',
      dialLegend: 'sin(t / 2ⁱ)',
      bitMap: (bits: number) => `每个位置的第 0 到第 ${bits - 1} 位；第 0 位每步都翻转。`,
      dialMap: '同样的位置上、频率逐个减半的正弦：花纹相同，但是平滑。',
      step: '|p(t + 1) − p(t)|',
      bit: (i: number) => `比特 ${i}`,
      stepBits: '比特',
      stepDials: '旋钮',
      noBits: '这里没有比特。软件包说：',
      flips: (t: number) => `从 ${t} 到 ${t + 1} 翻转的比特数`,
      bitStep: '这一步在比特上的长度（翻转数的平方根）',
      dialStep: '这一步在旋钮上的长度',
      turn: (turn: string) => `一圈 ${turn}`,
      describe: (t: string, bits: string, dials: string) =>
        `位置 ${t}。比特（低位在前）：${bits}。旋钮：${dials}。`,
      none: '无',
    },
  },
};
