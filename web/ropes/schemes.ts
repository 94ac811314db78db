/** The schemes of the ropes, and the words that are laid first. */
import type { RotaryScaling } from 'ropewalk';
import type { Words } from '../languages.ts';
import { ropeLength, originalLength } from './letters.ts';

/** `yarn` is the model of RoPE, with other frequencies and without any training. */
export const ropeSchemes = ['sinusoidal', 'rope', 'yarn', 'alibi', 'fox'] as const;

export type RopeScheme = (typeof ropeSchemes)[number];

export const headDim = 12;

export const yarnScaling: RotaryScaling = {
  type: 'yarn',
  factor: ropeLength / originalLength,
  originalLength: originalLength,
};

export const firstWords: Words = { en: 'ropewalk', zh: '绳锯木断水滴石穿' };
