/** The chapter's methods of reaching further, in the package's words. */
import type { RotaryScaling } from 'ropewalk';
import type { Words } from '../../languages.ts';

export interface Reach {
  /** L₀: how many positions training saw. */
  originalLength: number;
  /** L: how many there are now. */
  length: number;
  /** s; by default the quotient of the two. */
  factor?: number;
}

export const methodNames = {
  direct: { en: 'Direct extrapolation', zh: '直接外推' },
  linear: { en: 'Position Interpolation', zh: '位置内插（PI）' },
  ntk: { en: 'NTK-aware', zh: 'NTK-aware' },
  'ntk-old': { en: 'NTK, Su: base × s', zh: 'NTK（苏剑林：底数 × s）' },
  'ntk-fixed': { en: 'NTK, Su: fixed', zh: 'NTK（苏剑林：修正版）' },
  'ntk-mixed': { en: 'NTK, Su: mixed', zh: 'NTK（苏剑林：混合版）' },
  'dynamic-ntk': { en: 'Dynamic NTK', zh: '动态 NTK' },
  'by-parts': { en: 'NTK-by-parts', zh: 'NTK-by-parts（分段）' },
  'yarn-paper': { en: 'YaRN as published', zh: 'YaRN（论文）' },
  yarn: { en: 'YaRN as coded', zh: 'YaRN（代码实现）' },
  longrope: { en: 'LongRoPE, stand-in list', zh: 'LongRoPE（示意列表）' },
  llama3: { en: 'Llama 3.1', zh: 'Llama 3.1' },
} satisfies Record<string, Words>;

export type Method = keyof typeof methodNames;

export const methods = Object.keys(methodNames) as Method[];

/**
 * LongRoPE's divisors are found by search for one model at a time. These are not: they climb evenly
 * from 1 to the factor, to show where such a list acts.
 */
const evenDivisors = (pairs: number, factor: number) =>
  Array.from({ length: pairs }, (_, i) => 1 + ((factor - 1) * i) / Math.max(1, pairs - 1));

export function scalingOf(
  method: Method,
  { dim, originalLength, length, factor = length / originalLength }: Reach & { dim: number },
): RotaryScaling {
  const parts = { factor, originalLength };
  const ones = new Array<number>(dim / 2).fill(1);
  const made: Record<Method, RotaryScaling> = {
    direct: { type: 'none' },
    linear: { type: 'linear', factor },
    ntk: { type: 'ntk', factor },
    'ntk-old': { type: 'ntk', factor, form: 'su-old' },
    'ntk-fixed': { type: 'ntk', factor, form: 'su-fixed' },
    'ntk-mixed': { type: 'ntk', factor, form: 'su-mixed' },
    'dynamic-ntk': { type: 'dynamic-ntk', ...parts, length },
    'by-parts': { type: 'ntk-by-parts', ...parts, ramp: 'published' },
    'yarn-paper': { type: 'yarn', ...parts, ramp: 'published', temperature: 'logits' },
    yarn: { type: 'yarn', ...parts },
    longrope: {
      type: 'longrope',
      ...parts,
      length,
      shortFactor: ones,
      longFactor: evenDivisors(dim / 2, factor),
    },
    llama3: { type: 'llama3', ...parts },
  };
  return made[method];
}
