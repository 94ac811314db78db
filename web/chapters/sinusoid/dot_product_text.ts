/** Words of the figure `sinusoid-dot-product`. */
export const words = {
  dim: { en: 'Width', zh: '维数' },
  position: { en: 'Query position', zh: '查询位置' },
  range: { en: 'Largest offset shown', zh: '显示的最大距离' },
  offset: { en: 'Offset to read off', zh: '读数处的距离' },
  strings: {
    en: {
      title: 'The dot product of two positions',
      question:
        'If two positions are compared by their dot product, what does the result depend on?',
      caption:
        'See: the product of two position vectors against their offset Δ (no key before position 0). It falls on the whole, rises in the shaded bands, and is the same for Δ and −Δ; dashed lines are its envelope. Try: move m: the purple curve stays on the grey one. Then use a small width or base.',
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
      describe: (top: number, range: number, end: string) =>
        `Only the distance: the product falls from ${top} at offset 0, not steadily but alike on both sides, to ${end} at ${range}.`,
    },
    zh: {
      title: '两个位置的点积',
      question: '用点积比较两个位置，结果取决于什么？',
      caption:
        '看什么：两个位置向量的点积随相对距离 Δ 的变化（位置 0 之前没有键）。它总体下降，在阴影带里回升，Δ 与 −Δ 的值相同；虚线是包络。试一试：移动 m，紫色曲线始终贴在灰色曲线上。再试试很小的维数或底数。',
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
      describe: (top: number, range: number, end: string) =>
        `只取决于距离：点积从距离 0 处的 ${top} 向两侧对称地、起伏着下降，到距离 ${range} 处为 ${end}。`,
    },
  },
};
