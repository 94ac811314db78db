/** The schemes whose positions come from the text: what the lab says of each. */
import * as all from './all.ts';
import type { Lab } from './record.ts';

export const textSchemeText = {
  ...all.fox.lab,
  ...all.cable.lab,
  ...all.cope.lab,
  ...all.selectiveRope.lab,
  ...all.grape.lab,
  ...all.repo.lab,
  ...all.path.lab,
  ...all.wall.lab,
  ...all.rowGates.lab,
  ...all.selective.lab,
  ...all.pope.lab,
  ...all.stickBreaking.lab,
  ...all.ssmax.lab,
} satisfies Lab;

export type TextScheme = keyof typeof textSchemeText;
