/** Words of the figure `sinusoid-dot-product`. */
export const dotProductText = {
  en: {
    title: 'The dot product of two positions',
    question: 'If two positions are compared by their dot product, what does the result know?',
    caption:
      'Move m: the purple curve stays on the grey one, because the product depends on the offset alone (it ends on the right where the text begins: there is no key before position 0). Fold the picture at Δ = 0 and both sides agree: the product cannot tell before from after. It falls with distance in the large, but in the shaded bands it climbs. The dashed lines are its envelope: no value farther away exceeds the upper one, no value nearer is below the lower one. Try a small width, where few waves are added, and then a small base.',
  },
  zh: {
    title: '两个位置的点积',
    question: '用点积比较两个位置，得到的数知道些什么？',
    caption:
      '移动 m：紫色曲线始终贴在灰色曲线上，因为点积只取决于相对距离（右边缺的一段，是因为位置 0 之前没有词）。沿 Δ = 0 对折，两边完全重合：点积分不清前后。距离变大，它总体在下降，但在阴影带里却在回升。虚线是包络：更远处没有值超过上面那条，更近处没有值低于下面那条。试试很小的维数（只有几条波相加），再试试很小的底数。',
  },
};

export const words = {
  dim: { en: 'Width', zh: '维数' },
  position: { en: 'Query position', zh: '查询位置' },
  range: { en: 'Largest offset shown', zh: '显示的最大距离' },
  offset: { en: 'Offset to read off', zh: '读数处的距离' },
  strings: {
    en: {
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
        `Curve of the dot product against the offset: ${top} at offset 0, falling on both sides alike, not steadily, to ${end} at offset ${range}.`,
    },
    zh: {
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
        `点积随相对距离变化的曲线：距离 0 处为 ${top}，向两侧对称地、起伏着下降，到距离 ${range} 处为 ${end}。`,
    },
  },
};
