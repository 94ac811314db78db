/** A trained RoPE model, extended without training in every way. */
import { defineFigure } from '../../figures/figure.ts';
import { checkpointOf } from '../../trained/models.ts';
import { recording, type RecordedRun } from '../../trained/recordings.ts';
import type { Engine } from '../../worker/client.ts';
import { measure, type Model } from '../../worker/training.ts';
import {
  controls,
  type Extension,
  type ExtensionSettings,
  type ExtensionView,
} from './extend_controls.ts';
import {
  evaluationOf,
  headDim,
  recordedMethods,
  scalingOf,
  originalLength,
} from './extend_methods.ts';
import { words } from './extend_text.ts';
import { describe, draw, scoresOf } from './extend_view.ts';
import { liveRunsOf, type LiveRuns } from '../../trained/live_runs.ts';
import { shortStyle } from './style.ts';

const plans = { repeats: 'b2_repeats_extended', drawers: 'b1_drawers_extended' };

/** The last live run of the plan that is done. */
function ownModel(live: LiveRuns, plan: string): Model | undefined {
  const done = live.of(plan, 'rope').filter(({ checkpoint }) => checkpoint);
  const last = done.at(-1);
  return last && { id: last.id, options: last.description.trainer, checkpoint: last.checkpoint! };
}

async function load(settings: ExtensionSettings, engine: Engine): Promise<Extension> {
  const { task, length, model } = settings;
  const recorded = await recording(plans[task]);
  const live = liveRunsOf(engine, recorded);
  const scaling = scalingOf(settings);
  const { inverseFrequencies: trained } = await engine.rotaryFrequencies({ dim: headDim });
  const scaled = await engine.rotaryFrequencies({ dim: headDim, scaling });
  const used = scaled.inverseFrequencies;
  const other = await recording(plans[task === 'repeats' ? 'drawers' : 'repeats']);
  const common = { recorded, other, live, used, trained, measured: undefined, isMissing: false };
  if (model === 'off') return common;
  const chosen =
    model === 'own' ? ownModel(live, recorded.plan.name) : await checkpointOf(recorded, 'rope');
  if (!chosen) return { ...common, isMissing: true };
  const size = Number(length) * originalLength;
  const evaluation = evaluationOf(settings, size);
  const rowFactors = settings.logN
    ? await engine.logitFactors(size, { type: 'log-n', form: 'clipped', originalLength })
    : undefined;
  const start = performance.now();
  const { attentionFactor } = scaled;
  const frequencies = { inverseFrequencies: used, attentionFactor };
  const [scores] = await measure(chosen, { ...evaluation, frequencies, rowFactors });
  return { ...common, measured: { scores: scores!, seconds: (performance.now() - start) / 1000 } };
}

export default defineFigure({
  claims: ['E2', 'C36', 'C37'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: load,
  draw,
  describe,
  table: (view: ExtensionView) => {
    const { data, settings, language, say } = view;
    const rows = (run: RecordedRun) =>
      recordedMethods.flatMap(({ key, name }) => {
        const scores = scoresOf(run, key, settings.length);
        return scores ? [[name[language], run.seed, ...scores]] : [];
      });
    return {
      columns: [say.methodColumn, say.seedColumn, say.repeated(settings.task), say.fresh],
      rows: data.recorded.results.flatMap(rows),
    };
  },
  styles: shortStyle,
});
