/** The controls of `extend-without-training`, and the types of its settings and its data. */
import { defineControls, type SettingsOf, type ViewOf } from '../../figures/figure.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import type { Recorded } from '../../trained/recordings.ts';
import type { ModelScores } from '../../worker/training.ts';
import { liveControls } from './contest.ts';
import { liveMethodNames } from './extend_methods.ts';
import { words } from './extend_text.ts';
import { descriptionsOf, type LiveRuns } from '../../trained/live_runs.ts';

export const controls = defineControls({
  task: choice(words.task, words.tasks, 'repeats'),
  length: choice(words.length, words.lengths, '8'),
  method: choice(words.method, liveMethodNames, 'ntk', { look: 'menu', place: 'drawing' }),
  factor: range(
    words.factor,
    { default: 8, min: 1, max: 32, step: 0.5 },
    { symbol: 's', place: 'drawing' },
  ),
  window: range(words.window, { default: 16, min: 1, max: 64 }, { symbol: 'w', place: 'drawing' }),
  leak: range(words.leak, { default: 16, min: 1, max: 64 }, { symbol: 'c', place: 'drawing' }),
  logN: { kind: 'switch', label: words.logN, default: false, place: 'drawing' },
  model: choice(words.model, words.models, 'off', { place: 'drawing' }),
  seed: liveControls.seed,
  steps: liveControls.steps,
});

export interface Extension {
  recorded: Recorded;
  /** Of the other task. */
  other: Recorded;
  live: LiveRuns;
  /** Frequencies of the method, and those of training. */
  used: Float64Array;
  trained: Float64Array;
  /** What the method at hand scores on the chosen model, and which model that is. */
  measured: { scores: ModelScores; seconds: number } | undefined;
  /** There is no such model yet. */
  isMissing: boolean;
}

export type ExtensionSettings = SettingsOf<typeof controls>;

export type ExtensionView = ViewOf<typeof controls, typeof words.strings, Extension, number>;

export const planRuns = ({ data, settings }: ExtensionView) =>
  descriptionsOf(data.recorded.plan, 'rope', [settings.seed], settings.steps).map(
    // What is measured follows from the sliders.
    (description) => ({ ...description, evaluations: {} }),
  );
