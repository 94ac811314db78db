/** Every group of the bench, in the order in which they run. */
import * as attention from './attention.mjs';
import * as rotate from './rotate.mjs';
import * as sinusoid from './sinusoid.mjs';
import * as small from './small.mjs';

export const groups = { attention, small, rotate, sinusoid };
