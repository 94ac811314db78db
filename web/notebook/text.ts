/** The notebook's words. */
import type { Words } from '../languages.ts';

const words = {
  name: { en: 'array', zh: '数组' },
  format: { en: 'dtype', zh: '数据类型' },
  shape: { en: 'shape', zh: '形状' },
  first: { en: 'begins with', zh: '开头几个数' },
  largest: { en: 'largest difference', zh: '最大差' },
  place: { en: 'index', zh: '下标' },
  tolerance: { en: 'allowed', zh: '容差' },
  verdict: { en: 'verdict', zh: '结论' },
  agrees: { en: 'agrees', zh: '一致' },
  differs: { en: 'differs', zh: '不一致' },
  query: { en: 'query', zh: '查询' },
  headWeights: {
    en: 'weights of the first head, query down, key across',
    zh: '第一个头的权重：纵向为查询，横向为键',
  },
  missing: { en: 'Attention waits for arrays named', zh: '注意力还缺少这些名字的数组：' },
  noTable: {
    en: 'A table waits for an array named q or rotary.',
    zh: '旋转表还缺少名为 q 或 rotary 的数组。',
  },
  noTheirs: {
    en: 'Nothing of yours to compare with: add an array named rotary, output or weights.',
    zh: '没有可比较的数组：请加上名为 rotary、output 或 weights 的数组。',
  },
  nothing: { en: 'No array yet.', zh: '还没有数组。' },
  save: { en: 'Save', zh: '保存' },
  broken: { en: 'The cells stopped. Choose the files again', zh: '代码格中断了，请重新选择文件' },
} satisfies Record<string, Words>;

export type Translate = (name: keyof typeof words) => string;

export const translatorFor =
  (language: 'en' | 'zh'): Translate =>
  (name) =>
    words[name][language];
