/** Words of the figure `sinusoid-dot-product`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  dim: { en: 'Width', zh: '维数' },
  position: { en: 'Query position', zh: '查询位置' },
  range: { en: 'Largest offset shown', zh: '显示的最大距离' },
  offset: { en: 'Offset to read off', zh: '查看的距离' },
  tries: [
    {
      label: { en: 'Move the query to 500', zh: '把查询移到 500' },
      notice: {
        en: 'The purple curve lies on the gray one: not the position counts, only the distance.',
        zh: '紫色曲线正好贴在灰色曲线上：起作用的不是位置，只是距离。',
      },
      set: { position: 500 },
    },
    {
      label: { en: 'Use only eight dimensions', zh: '只用八维' },
      notice: {
        en: 'Four pairs do not cancel: the curve rises again and again.',
        zh: '只有四个维度对，抵消不了：曲线一再回升。',
      },
      set: { dim: 8 },
    },
    {
      label: { en: 'Lower the base to 10', zh: '把底数调到 10' },
      notice: {
        en: 'All pairs are fast: after a few positions the product only wavers around zero, and the distance is lost.',
        zh: '所有维度对都很快：几个位置之后，点积只在零附近摆动，看不出距离。',
      },
      set: { base: 10 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'The dot product of two positions',
      question:
        'If two positions are compared by their dot product, what does the result depend on?',
      caption:
        'The product of two position vectors against their offset Δ. The rings, at Δ and −Δ, are equally high. The curve falls on the whole, not at every step; the dashed line is its envelope. A key has no position below 0.',
      offsetAxis: 'offset Δ = m − n',
      dotAxis: 'PE(m) ⋅ PE(n)',
      reference: (m: number) => `m = ${m}`,
      moved: (m: number) => `m = ${m}, yours`,
      upper: 'upper envelope',
      lower: 'lower envelope',
      dot: (offset: number) => `PE(m) ⋅ PE(n) at Δ\u00a0=\u00a0${String(offset).replace('-', '−')}`,
      difference: (m: number, reference: number) =>
        `Largest difference of the curves m\u00a0=\u00a0${m} and m\u00a0=\u00a0${reference} (32-bit rounding)`,
      rises: (range: number, first: number | undefined) =>
        `Steps up to Δ\u00a0=\u00a0${range} on which the curve climbs${first ? `, the first to Δ\u00a0=\u00a0${first}` : ''}`,
      envelope: (distance: number, far: number) =>
        `Largest value from Δ\u00a0=\u00a0${distance} out to ${far}`,
      describe: (m: number, top: number, range: number, end: string) =>
        `Only the distance: the curves of m = 1000 and m = ${m} coincide, and are alike on both sides, ${top} at offset 0 and ${end} at ${range}.`,
    },
    zh: {
      title: '两个位置的点积',
      question: '用点积比较两个位置，结果取决于什么？',
      caption:
        '两个位置向量的点积随相对距离 Δ 的变化。Δ 与 −Δ 处的两个圆圈一样高：曲线左右对称。它总体下降，但不是步步下降；虚线是包络。位置 0 之前没有键。',
      offsetAxis: '相对距离 Δ = m − n',
      dotAxis: 'PE(m) ⋅ PE(n)',
      reference: (m: number) => `m = ${m}`,
      moved: (m: number) => `m = ${m}（你选的）`,
      upper: '上包络',
      lower: '下包络',
      dot: (offset: number) =>
        `Δ\u00a0=\u00a0${String(offset).replace('-', '−')} 处的 PE(m) ⋅ PE(n)`,
      difference: (m: number, reference: number) =>
        `m\u00a0=\u00a0${m} 与 m\u00a0=\u00a0${reference} 两条曲线的最大差（32 位舍入）`,
      rises: (range: number, first: number | undefined) =>
        `到 Δ\u00a0=\u00a0${range} 为止曲线回升的步数${first ? `（第一次升到 Δ\u00a0=\u00a0${first}）` : ''}`,
      envelope: (distance: number, far: number) =>
        `从 Δ\u00a0=\u00a0${distance} 到 ${far} 的最大值`,
      describe: (m: number, top: number, range: number, end: string) =>
        `只取决于距离：m = 1000 与 m = ${m} 的曲线重合，左右对称；距离 0 处是 ${top}，距离 ${range} 处是 ${end}。`,
    },
  },
};
