/** The words of the check. */
import type { Language } from '../languages.ts';

/** A name in Latin letters has a space before it in Chinese text. */
export const spaced = (text: string) => (/^\w/.test(text) ? ` ${text}` : text);

const number = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(3)) : '∞');

const english = {
  /** What the data are, where no fault says it. */
  says: {
    correct: 'Nothing is wrong: the data are what the config says.',
    undecided: 'Several faults explain the data equally well.',
    unknown: 'None of the known faults explains the data.',
  },
  /** What to do next, where no fault says it. */
  next: {
    faults:
      'Save the same arrays after the change and drop them here: nothing should be wrong then.',
    correct:
      'Look beside the positions: at the weights, the tokenizer, the template, the sampling.',
    unknown:
      'Save q before and q_rot after the rotation of one layer, with position_ids. If these are the arrays that you gave, check that each name says what was saved. Then look at how the arrays were made, not at their formula.',
  },
  todo: 'Change',
  nextStep: 'Next',
  noFault: 'no fault',
  id: 'Fault',
  error: 'Largest difference of the data from this',
  runnerUp: 'From the next best explanation',
  where: 'First differs from the config at',
  same: 'The same numbers result from',
  hidden: 'These arrays cannot show',
  nearest: 'The nearest, none of which fits',
  decide: (array: string) => `To decide, also save ${array}.`,
  distinguish: (array: string) =>
    `Other faults give the same numbers. To tell them apart, also save ${array}.`,
  exclude: (array: string) => `To rule out more, also save ${array}.`,
  data: 'What the data are',
  expected: 'What the config says',
  ignored: (names: string) => `Not recognized: ${names}`,
  onlyConfig: {
    rotary: 'For a verdict, save q, q_rot and position_ids of one layer, and drop them here.',
    other: 'For a verdict, save q, k and scores of one layer, and drop them here.',
  },
  onlyReference: 'A reference alone says what should be. Add arrays of the model.',
  hooks: 'Copy the lines',
  broken: 'The check stopped. Choose the files again.',
  files: 'Files',
  curve: (array: string, axis: string) => `${array} along ${axis}`,
  observed: 'data',
  byConfig: 'by the config',
  /** Of the hypothesis that the curve shows. */
  byHypothesis: {
    faults: 'by the verdict',
    correct: 'by the verdict',
    undecided: 'by these faults',
    unknown: 'by the nearest fault',
  },
  rotated: (width: number, of: number) => `${width} of ${of} channels rotate`,
  numbers: 'The numbers of the curve',
  details: 'Numbers and names behind it',
  and: ' and ',
  colon: ': ',
  betweenSentences: ' ',
  number,
};

export type CheckWords = typeof english;

const chinese: CheckWords = {
  says: {
    correct: '没有发现错误：数据与 config 一致。',
    undecided: '有几种错误都能同样好地解释这些数据。',
    unknown: '已知的错误都不能解释这些数据。',
  },
  next: {
    faults: '改好后重新保存同样的数组，再放进来：这时应当没有错误。',
    correct: '位置编码以外的地方再查查：权重、分词器、对话模板、采样。',
    unknown:
      '请保存同一层旋转之前的 q、旋转之后的 q_rot，以及 position_ids。如果给的正是这些数组，先确认数组名与内容相符，再查数组是怎么来的，而不是查公式。',
  },
  todo: '怎么改',
  nextStep: '下一步',
  noFault: '没有错误',
  id: '错误代号',
  error: '数据与此结论的最大差',
  runnerUp: '与次优解释的最大差',
  where: '与 config 最先不同之处',
  same: '下列错误会得到同样的数',
  hidden: '这些数组看不出的错误',
  nearest: '最接近的几种，都不符合',
  decide: (array) => `要分清，请再保存${spaced(array)}。`,
  distinguish: (array) => `还有别的错误会得到同样的数。要分清，请再保存${spaced(array)}。`,
  exclude: (array) => `要排除更多错误，请再保存${spaced(array)}。`,
  data: '数据是什么',
  expected: 'config 怎么说',
  ignored: (names) => `不认识的数组：${names}`,
  onlyConfig: {
    rotary: '要得到结论，请保存同一层的 q、q_rot 和 position_ids，再放进来。',
    other: '要得到结论，请保存同一层的 q、k 和分数（scores），再放进来。',
  },
  onlyReference: '只有参考文件还不能判断，请加上模型算出的数组。',
  hooks: '复制代码',
  broken: '检查中断了，请重新选择文件。',
  files: '文件',
  curve: (array, axis) => `${array}，横轴为${axis}`,
  observed: '数据',
  byConfig: '按 config',
  byHypothesis: {
    faults: '按结论',
    correct: '按结论',
    undecided: '按这些错误',
    unknown: '按最接近的错误',
  },
  rotated: (width, of) => `${of} 维里旋转 ${width} 维`,
  numbers: '曲线上的数',
  details: '背后的数值和名称',
  and: ' 与 ',
  colon: '：',
  betweenSentences: '',
  number,
};

export const wordsOf = (language: Language): CheckWords => (language === 'zh' ? chinese : english);
