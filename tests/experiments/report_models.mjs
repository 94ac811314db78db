/** The sections of results.md on models that write. */
import { recordedHealing } from './healing.mjs';
import { recordedPoems } from './poems.mjs';
import { spread, table } from './tables.mjs';

const methodNames = {
  pi: 'PI, factor 4',
  ntk: 'NTK, factor 4',
  yarn: 'YaRN, factor 4',
  direct: 'direct',
};

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
      says: 'Direct, trained as long, is below PI at places 1,024 to 2,047.',
      held: runs('direct').map((run) => far(last(run)) < far(last(runs('pi')[run.seed]))),
    },
    {
      says: 'Direct, trained as long, is below PI on stories by themselves.',
      held: runs('direct').map((run) => last(run).short < last(runs('pi')[run.seed]).short),
    },
    {
      says: 'YaRN, trained as long, is below PI, NTK and direct at places 1,024 to 2,047.',
      held: runs('yarn').map((run) =>
        ['pi', 'ntk', 'direct'].every((other) => far(last(run)) < far(last(runs(other)[run.seed]))),
      ),
    },
    {
      says: 'YaRN, trained as long, is above direct on stories by themselves.',
      held: runs('yarn').map((run) => last(run).short > last(runs('direct')[run.seed]).short),
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

/** Orderings of the poem runs, checked on each seed. */
export function poemOrderings({ plan, results }) {
  const runs = (scheme) => results.filter((run) => run.scheme === scheme);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const rows = ({ right }, first, last) => mean(right.slice(first - 1, last));
  const never = 5 / 6;
  const [rope, sinusoidal, alibi, none] = plan.schemes.map(runs);
  return [
    {
      says: 'RoPE and the sinusoid have more than 0.95 of the places of rows 1 to 8 right.',
      held: rope.map((run, i) => [run, sinusoidal[i]].every((own) => rows(own, 1, 8) > 0.95)),
    },
    {
      says: 'The sinusoid is below “never a sign” in row 9 already, RoPE is above 0.9.',
      held: rope.map((run, i) => run.right[8] > 0.9 && sinusoidal[i].right[8] < never),
    },
    {
      says: 'RoPE is below “never a sign” in rows 17 to 24.',
      held: rope.map((run) => rows(run, 17, 24) < never),
    },
    {
      says: 'ALiBi has fewer places of rows 1 to 8 right than RoPE.',
      held: alibi.map((run, i) => rows(run, 1, 8) < rows(rope[i], 1, 8)),
    },
    {
      says: 'ALiBi has more places of rows 17 to 24 right than RoPE.',
      held: alibi.map((run, i) => rows(run, 17, 24) > rows(rope[i], 17, 24)),
    },
    {
      says: 'Of lines 17 to 24, ALiBi has the largest share with five characters.',
      held: alibi.map(({ fives }, i) =>
        [rope, sinusoidal, none].every((other) => fives[2] > other[i].fives[2]),
      ),
    },
    {
      says: 'Without positions fewer places of rows 2 to 8 are right than with any scheme.',
      held: none.map((run, i) =>
        [rope, sinusoidal, alibi].every((other) => rows(run, 2, 8) < rows(other[i], 2, 8)),
      ),
    },
  ];
}

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
    `**Share of lines with five characters, in two of the poems of each seed**\n\n${table(
      ['scheme', 'n', 'lines 1–8', '9–16', '17–24'],
      plan.schemes.map((scheme) => [
        schemeNames[scheme],
        runs(scheme).length,
        ...[0, 1, 2].map((i) =>
          spread(
            runs(scheme).map(({ fives }) => fives[i]),
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
    table(
      ['ordering', 'seeds'],
      poemOrderings(recorded).map(({ says, held }) => [
        says,
        `${held.filter(Boolean).length} of ${held.length}`,
      ]),
    ),
  ];
}
