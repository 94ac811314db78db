/** Every group of the bench, in the order in which they run. */
import * as attention from './attention.mjs';
import * as decode from './decode.mjs';
import * as first from './first.mjs';
import * as fused from './fused.mjs';
import * as linear from './linear.mjs';
import * as memory from './memory.mjs';
import * as model from './model.mjs';
import * as newer from './newer.mjs';
import * as pool from './pool.mjs';
import * as rotate from './rotate.mjs';
import * as scaling from './scaling.mjs';
import * as sinusoid from './sinusoid.mjs';
import * as small from './small.mjs';
import * as training from './training.mjs';

export const groups = {
  attention,
  small,
  decode,
  linear,
  fused,
  newer,
  pool,
  scaling,
  memory,
  rotate,
  sinusoid,
  training,
  model,
  first,
};
