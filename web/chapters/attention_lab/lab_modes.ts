/** The modes of the lab: each shows the controls of those before it, and more. */
import type { Settings } from '../../figures/figure.ts';

/** What each mode adds. */
const added = {
  basic: [],
  compare: ['compare', 'difference', 'view'],
  inside: ['weights', 'layer', 'llamaLayer', 'causal', 'offset', 'head'],
  bench: ['heads', 'dim', 'likeness', 'seed'],
} as const;

export type ModeName = keyof typeof added;
export const modeNames = Object.keys(added) as ModeName[];

/** Whether a mode shows what another one adds. */
export const shows = (mode: ModeName, other: ModeName): boolean =>
  modeNames.indexOf(mode) >= modeNames.indexOf(other);

const controlsOf = (names: readonly ModeName[]): readonly string[] =>
  names.flatMap((name) => [...added[name]]);

/** What a mode does not show. */
export const hiddenIn = (mode: ModeName): readonly string[] =>
  controlsOf(modeNames.filter((name) => !shows(mode, name)));

/** The first mode that shows every setting that differs from its default. */
export function modeFor(settings: Settings, defaults: Settings): ModeName {
  const isChanged = (key: string) => settings[key] !== defaults[key];
  return modeNames.findLast((name) => added[name].some(isChanged)) ?? 'basic';
}
