/** The sections of results.md on models that write. */
import { recordedHealing } from './healing.mjs';
import { recordedPoems } from './poems.mjs';
import { spread, table } from './tables.mjs';

const methodNames = { pi: 'PI, factor 4', ntk: 'NTK, factor 4', direct: 'direct' };

/** Orderings of the healing runs, checked on each seed. */
export function healingOrderings({ plan, unchanged, results }) {
  const runs = (method) => results.filter((run) => run.method === method);
  const last = ({ measured }) => measured.at(-1);
  const far = ({ places }) => (places[3] + places[4]) / 2;
  return [
    {
      says: `After ${plan.steps} steps PI is below the unchanged model at places 1,024 to 2,047.`,
      held: runs('pi').map((run) => far(last(run)) < far(unchanged)),
    },
    {
      says: 'Before training PI is above the unchanged model at all places.',
      held: runs('pi').map(({ measured }) =>
        measured[0].places.every((loss, i) => loss > unchanged.places[i]),
      ),
    },
    {
      says: 'The loss of PI falls with each measurement, at all places.',
      held: runs('pi').map(({ measured }) =>
        measured.every(
          ({ places }, i) => i === 0 || places.every((loss, r) => loss < measured[i - 1].places[r]),
        ),
      ),
    },
    {
      says: 'On stories by themselves PI stays above the unchanged model.',
      held: runs('pi').map((run) => last(run).short > unchanged.short),
    },
    {
      says: 'NTK, trained as long, is below PI at places 1,024 to 2,047.',
      held: runs('ntk').map((run) => far(last(run)) < far(last(runs('pi')[run.seed]))),
    },
    {
      says: 'NTK after 5 steps is below PI after 80 at places 1,024 to 2,047.',
      held: runs('ntk').map(
        (run) => far(run.measured.find(({ step }) => step === 5)) < far(last(runs('pi')[run.seed])),
      ),
    },
  ];
}

export function healingSection() {
  const recorded = recordedHealing();
  if (!recorded) return [];
  const { plan, unchanged, results } = recorded;
  const places = plan.places.slice(1).map((past, i) => `${plan.places[i]}–${past - 1}`);
  const row = (name, step, scores) => [
    name,
    scores.length,
    step,
    ...places.map((_, i) => spread(scores.map((one) => one.places[i]))),
    spread(scores.map(({ short }) => short)),
  ];
  const found = Object.entries(methodNames).filter(([method]) =>
    results.some((run) => run.method === method),
  );
  const rows = found.flatMap(([method, name]) =>
    plan.measured.map((step, i) =>
      row(
        name,
        step,
        results.filter((run) => run.method === method).map(({ measured }) => measured[i]),
      ),
    ),
  );
  return [
    `## Interpolation heals: a Llama with other positions, trained for ${plan.steps} steps

The model of \`tests/models/stories260k\`, trained at 512 places by its author. Each step is one window of ${plan.window} tokens of stories that the unchanged model writes at temperature ${plan.temperature}; learning rate ${plan.schedule.learningRate}, ${plan.schedule.warmupSteps} steps of warm-up, cosine to a tenth, AdamW (0.9, 0.95), clipped to 1. A seed sets the stories of the training. Test: ${plan.texts} texts of 2,048 places, and ${plan.stories} stories by themselves. Plan: \`healing\`.
`,
    `**Loss by place, in nats**\n\n${table(
      ['positions', 'n', 'steps', ...places, 'stories by themselves'],
      [row('unchanged', 0, [unchanged]), ...rows],
    )}`,
    table(
      ['ordering', 'seeds'],
      healingOrderings(recorded).map(({ says, held }) => [
        says,
        `${held.filter(Boolean).length} of ${held.length}`,
      ]),
    ),
  ];
}

const schemeNames = { rope: 'RoPE', sinusoidal: 'sinusoidal', alibi: 'ALiBi', none: 'none' };

export function poemsSection() {
  const recorded = recordedPoems();
  if (!recorded) return ['- Not recorded: `poems`.\n'];
  const { plan, results } = recorded;
  const shown = [1, 2, 4, 6, 8, 9, 10, 11, 12, 14, 18, 24];
  const runs = (scheme) => results.filter((run) => run.scheme === scheme);
  const { model, batchSize, steps, schedule } = plan;
  return [
    `## Poems that count

${plan.poems} poems of eight lines of five characters, each line ending in a sign, over the ${plan.characters} commonest characters (web/trained/poems). Model: width ${model.width}, ${model.layers} layers, ${model.heads} heads. Training: ${steps} steps of ${batchSize} poems, learning rate ${schedule.learningRate}. Then each model writes ${plan.written} poems of ${plan.lines} lines at temperature ${plan.temperature}. Eight lines were trained. Plan: \`poems\`.
`,
    `**Share of places where “sign or not” is right, by line (never a sign: 0.833)**\n\n${table(
      ['scheme', 'n', ...shown],
      plan.schemes.map((scheme) => [
        schemeNames[scheme],
        runs(scheme).length,
        ...shown.map((line) =>
          spread(
            runs(scheme).map(({ right }) => right[line - 1]),
            2,
          ),
        ),
      ]),
    )}`,
    `**Loss of the last steps, in nats**\n\n${table(
      ['scheme', 'n', 'loss'],
      plan.schemes.map((scheme) => [
        schemeNames[scheme],
        runs(scheme).length,
        spread(runs(scheme).map(({ curve }) => curve.at(-1)[1])),
      ]),
    )}`,
  ];
}
