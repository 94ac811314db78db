/** Words of the controls that change positions. */
export const changeWords = {
  change: { en: 'Positions', zh: '位置' },
  kinds: {
    trained: { en: 'as trained', zh: '原样' },
    none: { en: 'no rotation', zh: '不旋转' },
    pairing: { en: 'wrong pairing', zh: '配对弄错' },
    negated: { en: 'angles negated', zh: '角度取反' },
    alibi: { en: 'ALiBi instead', zh: '换成 ALiBi' },
  },
  more: { en: 'More: first position, base, factor', zh: '更多：起始位置、底数、内插倍数' },
  firstPosition: { en: 'First position', zh: '起始位置' },
  base: { en: 'Base', zh: '底数' },
  factor: { en: 'Interpolation factor', zh: '内插倍数' },
};
