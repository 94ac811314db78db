/** The schemes of the chapter: their names, and the strokes that draw them everywhere. */
import { legendSwitches } from '../../figures/shared_controls.ts';
import type { Words } from '../../languages.ts';

const same = (name: string): Words => ({ en: name, zh: name });

export const schemeNames = {
  none: { en: 'none', zh: '无位置编码' },
  sinusoidal: { en: 'sinusoidal', zh: '正弦编码' },
  learned: { en: 'learned', zh: '可学习编码' },
  rope: same('RoPE'),
  alibi: same('ALiBi'),
  t5: same('T5'),
  kerple: same('KERPLE'),
  fox: same('FoX'),
  cope: same('CoPE'),
} satisfies Record<string, Words>;

export type Scheme = keyof typeof schemeNames;

export const schemes = Object.keys(schemeNames) as Scheme[];

/** Classes of a stroke: a hue of its own, and dashes for what is added at the input. */
export const looks: Record<Scheme, string> = {
  none: 'is-none dotted',
  sinusoidal: 'is-sinusoidal dashed',
  learned: 'is-learned long',
  rope: 'is-rope',
  alibi: 'is-alibi',
  t5: 'is-t5 long',
  kerple: 'is-kerple dashed',
  fox: 'is-fox',
  cope: 'is-cope dotted',
};

/** One switch per scheme; they are the legend of the charts. */
export const schemeSwitches = (on: readonly Scheme[]) =>
  legendSwitches(schemeNames, on, { display: true });
