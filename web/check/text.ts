/** The words of the check. */
import type { Language } from '../languages.ts';

const number = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(3)) : '∞');

const english = {
  verdict: {
    faults: (count: number): string =>
      count === 1 ? 'One fault explains the data.' : 'Two faults together explain the data.',
    correct: () => 'Nothing is wrong: the data are what the config says.',
    undecided: () => 'Undecided: several faults explain the data equally well.',
    unknown: () =>
      'None of the known faults explains the data. Check that the right arrays were saved.',
  },
  noFault: 'no fault',
  error: 'Largest error',
  runnerUp: 'Next hypothesis',
  where: 'First differs from the config at',
  change: 'Change',
  same: 'The same numbers result from',
  hidden: 'These arrays cannot show',
  nearest: 'The nearest, none of which fits',
  further: (array: string) => `To decide, also save ${array}.`,
  data: 'What the data are',
  expected: 'What the config says',
  ignored: (names: string) => `Not recognized: ${names}`,
  waiting: 'Waiting for files: arrays, and the config.json of the model.',
  onlyConfig: 'A config.json alone says what should be. Add arrays that the model computed.',
  broken: 'The check stopped. Choose the files again.',
  files: 'Files',
  curve: (array: string, axis: string) => `${array} along ${axis}`,
  observed: 'data',
  byConfig: 'by the config',
  numbers: 'The numbers of the curve',
  and: ' and ',
  colon: ': ',
  number,
};

export type CheckWords = typeof english;

const chinese: CheckWords = {
  verdict: {
    faults: (count) =>
      count === 1 ? '一处错误就能解释这些数据。' : '两处错误合起来能解释这些数据。',
    correct: () => '没有发现错误：数据与 config 一致。',
    undecided: () => '无法确定：几种错误都能同样好地解释这些数据。',
    unknown: () => '已知的错误都不能解释这些数据。请检查保存的数组是否正确。',
  },
  noFault: '没有错误',
  error: '最大误差',
  runnerUp: '次优假设的误差',
  where: '与 config 最先不同之处',
  change: '改法',
  same: '下列错误会得到同样的数',
  hidden: '这些数组看不出的错误',
  nearest: '最接近的几种，都不符合',
  further: (array) => `要分清，请再保存 ${array}。`,
  data: '数据是什么',
  expected: 'config 怎么说',
  ignored: (names) => `不认识的数组：${names}`,
  waiting: '等待文件：数组，以及模型的 config.json。',
  onlyConfig: '只有 config.json 还不能判断，请加上模型算出的数组。',
  broken: '检查中断了，请重新选择文件。',
  files: '文件',
  curve: (array, axis) => `${array}，横轴为${axis}`,
  observed: '数据',
  byConfig: '按 config',
  numbers: '曲线上的数',
  and: ' 与 ',
  colon: '：',
  number,
};

export const wordsOf = (language: Language): CheckWords => (language === 'zh' ? chinese : english);
