/** Every encoding of positions, without the scores that it takes part in. */
import type { Core } from './runtime/core.js';
import { absolute } from './input/absolute.js';
import { grid } from './input/grid.js';
import { inputs } from './input/learned.js';
import { positionIds } from './input/position_ids.js';
import { accumulated } from './rotary/accumulated.js';
import { rotaryAxes } from './rotary/axes.js';
import { contextLength } from './rotary/context_length.js';
import { rotaryDecay } from './rotary/decay.js';
import { rotaryFrequencies } from './rotary/frequencies.js';
import { logitFactors } from './rotary/logit_factors.js';
import { precision } from './rotary/precision.js';
import { rotary } from './rotary/rotary.js';
import { rotaryTables } from './rotary/table.js';

/**
 * Tables at the input, angles, rotations, and what can be said of them. The types are listed, so
 * that the reference and editors show the docstring of each function.
 * @internal
 */
export interface Encodings
  extends
    ReturnType<typeof absolute>,
    ReturnType<typeof grid>,
    ReturnType<typeof inputs>,
    ReturnType<typeof positionIds>,
    ReturnType<typeof rotary>,
    ReturnType<typeof accumulated>,
    ReturnType<typeof rotaryTables>,
    ReturnType<typeof rotaryAxes>,
    ReturnType<typeof rotaryDecay>,
    ReturnType<typeof rotaryFrequencies>,
    ReturnType<typeof contextLength>,
    ReturnType<typeof logitFactors>,
    ReturnType<typeof precision> {}

/** @internal */
export const encodings = (core: Core): Encodings => ({
  ...absolute(core),
  ...grid(core),
  ...inputs(core),
  ...positionIds(core),
  ...rotary(core),
  ...accumulated(core),
  ...rotaryTables(core),
  ...rotaryAxes(core),
  ...rotaryDecay(core),
  ...rotaryFrequencies(core),
  ...contextLength(core),
  ...logitFactors(core),
  ...precision(core),
});
