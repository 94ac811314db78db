/** Methods that extend a trained RoPE model: their names, and how each is evaluated. */
import type { Words } from '../../languages.ts';
import type { RotaryScaling } from 'ropewalk';
import type { ModelEvaluation } from '../../worker/training.ts';

/** Training length and head dimension of the models of this figure. */
export const originalLength = 32;
export const headDim = 16;

const same = (name: string): Words => ({ en: name, zh: name });

interface RecordedMethod {
  /** The name of the evaluation in the plan, without its length. */
  key: string;
  name: Words;
  /** In the drawing; the others are in the table. */
  isMain?: true;
  published?: Published;
}

export const recordedMethods: readonly RecordedMethod[] = [
  {
    key: 'direct',
    isMain: true,
    name: { en: 'direct', zh: '直接外推' },
    published: [24.17, 23.16],
  },
  { key: 'pi', isMain: true, name: { en: 'PI', zh: '内插（PI）' }, published: [15.04, 13.54] },
  { key: 'ntk_old', name: { en: 'NTK, b·s', zh: 'NTK，b·s' }, published: [51.28, 39.27] },
  { key: 'ntk', isMain: true, name: same('NTK-aware') },
  {
    key: 'ntk_fixed',
    name: { en: 'NTK, fixed', zh: 'NTK（修正）' },
    published: [51.86, 39.61],
  },
  { key: 'ntk_mixed', name: { en: 'NTK, mixed', zh: 'NTK（混合）' }, published: [53.09, 40.12] },
  { key: 'ntk_double', name: { en: 'NTK-aware, 2s', zh: 'NTK-aware，2s' } },
  { key: 'by_parts_1_32', name: { en: 'by parts 1–32', zh: '分段 1–32' } },
  { key: 'by_parts_1_4', isMain: true, name: { en: 'by parts 1–4', zh: '分段 1–4' } },
  { key: 'yarn_without_temperature', name: { en: 'YaRN, no temperature', zh: 'YaRN，无温度' } },
  { key: 'yarn', isMain: true, name: same('YaRN') },
  { key: 'log_n', name: { en: 'direct + log n', zh: '直接外推 + log n' } },
  { key: 'ntk_log_n', name: same('NTK-aware + log n') },
  { key: 'window_32', isMain: true, name: { en: 'last 32 keys', zh: '只看最近 32 个键' } },
  { key: 'window_16', name: { en: 'last 16 keys', zh: '只看最近 16 个键' } },
  {
    key: 'leaky_rerope_16_16',
    isMain: true,
    name: { en: 'Leaky ReRoPE (c\u00a0=\u00a016)', zh: 'Leaky ReRoPE（c\u00a0=\u00a016）' },
  },
  {
    key: 'rerope_16',
    isMain: true,
    name: { en: 'ReRoPE (w = 16)', zh: 'ReRoPE（w = 16）' },
    published: [77.9, 48.48],
  },
  {
    key: 'rerope_16_log_n',
    name: same('ReRoPE + log n'),
    published: [85.12, 49.07],
  },
];

/** Published accuracy in percent, on text that repeats and on text that does not. */
type Published = readonly [repeated: number, fresh: number];

/** Windows and factors at which ReRoPE and Leaky ReRoPE were recorded. */
export const recordedWindows = [2, 4, 8, 12, 16, 20, 24, 28, 31, 32, 40, 48, 64];
export const recordedLeaks = [2, 4, 8, 16, 32, 64];

export const liveMethodNames = {
  direct: { en: 'direct', zh: '直接外推' },
  pi: same('PI'),
  'ntk-old': { en: 'NTK, b·s', zh: 'NTK，b·s' },
  ntk: same('NTK-aware'),
  'ntk-fixed': { en: 'NTK, fixed', zh: 'NTK（修正）' },
  'ntk-mixed': { en: 'NTK, mixed', zh: 'NTK（混合）' },
  'by-parts': { en: 'by parts 1–4', zh: '分段 1–4' },
  'yarn-plain': { en: 'YaRN, no temperature', zh: 'YaRN，无温度' },
  yarn: same('YaRN'),
  rerope: same('ReRoPE'),
  leaky: same('Leaky ReRoPE'),
  window: { en: 'last w keys', zh: '只看最近 w 个键' },
} satisfies Record<string, Words>;

export type LiveMethod = keyof typeof liveMethodNames;

export interface LiveSettings {
  method: LiveMethod;
  factor: number;
  window: number;
  leak: number;
  logN: boolean;
}

/** Returns the package's option `scaling` for a method. */
export function scalingOf({ method, factor }: LiveSettings): RotaryScaling {
  switch (method) {
    case 'pi':
      return { type: 'linear', factor };
    case 'ntk-old':
      return { type: 'ntk', factor, form: 'su-old' };
    case 'ntk':
      return { type: 'ntk', factor, form: 'bloc97' };
    case 'ntk-fixed':
      return { type: 'ntk', factor, form: 'su-fixed' };
    case 'ntk-mixed':
      return { type: 'ntk', factor, form: 'su-mixed' };
    case 'by-parts':
      return {
        type: 'ntk-by-parts',
        factor,
        originalLength,
        ramp: 'published',
        betaSlow: 1,
        betaFast: 4,
      };
    case 'yarn-plain':
      return { type: 'yarn', factor, originalLength, temperature: 'none' };
    case 'yarn':
      return { type: 'yarn', factor, originalLength };
    default:
      return { type: 'none' };
  }
}

/**
 * Returns the evaluation of a method: its position map or window. The caller adds the frequencies
 * and log-n factors.
 */
export function evaluationOf(settings: LiveSettings, length: number): ModelEvaluation {
  const { method, window, leak } = settings;
  return {
    lengths: [length],
    sequences: 64,
    ...(method === 'rerope' && { map: { type: 'rerope', window } as const }),
    ...(method === 'leaky' && {
      map: { type: 'leaky-rerope', window, factor: leak } as const,
    }),
    ...(method === 'window' && { lookback: window - 1 }),
  };
}
