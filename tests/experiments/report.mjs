/** The document results.md: tables of what was recorded, and which orderings hold. */
import path from 'node:path';
import { checkedOrderings } from './orderings.mjs';
import { planNames, recordedOf } from './record.mjs';
import { healingSection, poemsSection } from './report_models.mjs';
import { spread, table } from './tables.mjs';

export const labels = {
  none: 'none',
  sinusoidal: 'sinusoidal',
  learned: 'learned',
  rope: 'RoPE',
  alibi: 'ALiBi',
  t5: 'T5, bias = 8 × table',
  t5_unscaled: 'T5, bias = table',
  kerple: 'KERPLE (logarithmic)',
  fox: 'FoX',
  cope: 'CoPE',
  ssmax: 'SSMax, with RoPE',
  cable: 'CABLE',
  wall: 'Wall, gate bias 8',
  wall_open: 'Wall, gate bias 2',
  wall_scalar: 'Wall with its scalar gate',
  selective_rope: 'Selective RoPE',
  repo: 'RePo',
  grape_m: 'GRAPE-M, contextual',
  grape_a: 'GRAPE-A, key and query gated',
  grape_a_key: 'GRAPE-A, key gated',
  grape_a_query: 'GRAPE-A, query gated',
  path: 'PaTH',
  path_fox: 'PaTH with the gate of FoX',
  pope: 'PoPE',
  stick_breaking: 'stick-breaking',
  stick_breaking_current: 'stick-breaking with the own token',
  grape_ap: 'GRAPE-AP',
  row_gates: 'gates per row',
  selective: 'selective attention, with RoPE',
};

/** Names of the methods that extend a trained model; w and k follow in the key. */
const methods = {
  pi: 'PI',
  direct: 'direct',
  ntk_old: 'NTK, Su old',
  ntk: 'NTK, bloc97',
  ntk_fixed: 'NTK, Su fixed',
  ntk_mixed: 'NTK, Su mixed, 0.625',
  ntk_double: 'NTK, bloc97, twice the factor',
  by_parts_1_32: 'NTK by parts, 1 and 32',
  by_parts_1_4: 'NTK by parts, 1 and 4',
  by_parts_quarter_1: 'NTK by parts, ¼ and 1',
  yarn_without_temperature: 'YaRN as coded, no temperature',
  yarn: 'YaRN as coded',
  window_32: 'mask to the last 32 keys (L)',
  window_16: 'mask to the last 16 keys (L/2)',
  log_n: 'direct, log-n',
  ntk_log_n: 'NTK, bloc97, log-n',
  pi_log_n: 'PI, log-n',
};

export const methodLabel = (name) =>
  methods[name] ??
  name
    .replace(/^leaky_rerope_(\d+)_(\d+)$/, 'Leaky ReRoPE, w = $1, k = $2')
    .replace(/^rerope_(\d+)_log_n$/, 'ReRoPE, w = $1, log-n')
    .replace(/^rerope_(\d+)$/, 'ReRoPE, w = $1');

const runsOf = ({ results }, variant) =>
  results.filter((run) => run.variant === variant && !run.failed);
const variantsOf = ({ plan }) => Object.keys(plan.variants);

/** A row per variant: its label, how many seeds, a cell per column. */
const byVariant = (recorded, columns, cell) =>
  table(
    ['scheme', 'n', ...columns],
    variantsOf(recorded).map((variant) => {
      const runs = runsOf(recorded, variant);
      return [labels[variant], runs.length, ...columns.map((column) => cell(runs, column))];
    }),
  );

/** A row per variant, a column per test length. */
const byLength = (recorded, evaluation, valueOf, digits) =>
  byVariant(recorded, recorded.plan.evaluations[evaluation].lengths, (runs, length) =>
    spread(
      runs.map((run) =>
        valueOf(run.evaluations[evaluation].find((scores) => scores.length === length)),
      ),
      digits,
    ),
  );

const accuracy = (scores) => scores.accuracy;
const loss = (scores) => scores.loss;
const errors = (scores) => 100 * (1 - scores.accuracy);

/** Mean loss over bins of 32 places; the first has places 16 to 31. */
const byPlace = (recorded) =>
  byVariant(recorded, [1, 2, 3, 4, 8, 16], (runs, bin) =>
    spread(
      runs.map((run) => {
        const losses = run.evaluations.length
          .flatMap(({ places }) => places)
          .filter(([place]) => Math.floor(place / 32) + 1 === bin)
          .map(([, value]) => value);
        return losses.reduce((sum, value) => sum + value, 0) / losses.length;
      }),
    ),
  );

const byStep = (recorded, steps) =>
  byVariant(recorded, steps, (runs, step) =>
    spread(runs.map((run) => run.curve.find(([other]) => other === step)?.[1])),
  );

/** A row per method, with one trained model per seed. */
function byMethod(recorded, columns) {
  const runs = runsOf(recorded, 'rope');
  const names = Object.keys(recorded.plan.evaluations);
  const own = [...new Set(names.map((name) => name.split('@')[0]))].filter((name) =>
    names.includes(`${name}@8`),
  );
  return table(
    ['method', 'n', ...columns.map(({ title }) => title)],
    own.map((name) => [
      methodLabel(name),
      runs.length,
      ...columns.map(({ factor, valueOf }) =>
        spread(runs.map((run) => valueOf(run.evaluations[`${name}@${factor}`][0]))),
      ),
    ]),
  );
}

const repeated = ({ groups }) => groups[0].accuracy;
const fresh = ({ groups }) => groups[1].accuracy;

function flipFlopErrors(recorded) {
  const { lengths } = recorded.plan.evaluations.usual;
  const columns = lengths.flatMap((length) =>
    ['usual', 'sparse', 'dense'].map((evaluation) => ({ length, evaluation })),
  );
  const shares = { usual: 0.8, sparse: 0.98, dense: 0.1 };
  const cell = (runs, { length, evaluation }) =>
    spread(
      runs.map((run) =>
        errors(run.evaluations[evaluation].find((scores) => scores.length === length)),
      ),
      1,
    );
  return table(
    ['scheme', 'n', ...columns.map(({ length, evaluation }) => `${length}, ${shares[evaluation]}`)],
    variantsOf(recorded).map((variant) => {
      const runs = runsOf(recorded, variant);
      return [labels[variant], runs.length, ...columns.map((column) => cell(runs, column))];
    }),
  );
}

/** Each plan's title, what stands above its tables, and the tables: [caption, text]. */
const sections = {
  a1_drawers: {
    title: 'Drawers: the last thing put into a drawer',
    about:
      'Only position can tell the latest put from the older ones. The source is stationary, so a scheme that extrapolates has a flat curve at 1. Chance is 0.17. CoPE fits this task in particular: a gate that counts puts into one drawer gives the latest put position 1. None does not learn the task at L and is a control.',
    tables: (recorded) => [
      ['Accuracy by test length', byLength(recorded, 'length', accuracy)],
      ['Loss by test length', byLength(recorded, 'length', loss)],
      ['Loss by place, in bins of 32 places', byPlace(recorded)],
      ['Training loss by step', byStep(recorded, [100, 200, 400, 1000])],
    ],
  },
  a2_characters: {
    title: 'Characters: one chapter of Alice in Wonderland',
    about:
      '11,182 characters, of which the last 15 % are held out. The number of steps was chosen on the held-out text, since more steps overfit.',
    tables: (recorded) => [
      ['Loss on held-out text, nats per character', byLength(recorded, 'held_out', loss, 2)],
      ['Loss on the training text', byLength(recorded, 'training', loss, 2)],
    ],
  },
  b1_drawers_extended: {
    title: 'Extension without training: drawers',
    about:
      'The RoPE models of the drawers, used at 4 L and 8 L. The scaling factor is the length divided by L.',
    tables: (recorded) => [
      [
        'Accuracy',
        byMethod(recorded, [
          { title: '4 L', factor: 4, valueOf: accuracy },
          { title: '8 L', factor: 8, valueOf: accuracy },
        ]),
      ],
    ],
  },
  b2_repeats_extended: {
    title: 'Extension without training: text that repeats itself',
    about:
      'Repeated blocks need "one place after the earlier copy"; fresh text needs no position, and the best possible accuracy on it is 0.709.',
    tables: (recorded) => [
      [
        'Accuracy',
        byMethod(recorded, [
          { title: 'repeated, 4 L', factor: 4, valueOf: repeated },
          { title: 'repeated, 8 L', factor: 8, valueOf: repeated },
          { title: 'fresh, 8 L', factor: 8, valueOf: fresh },
        ]),
      ],
      ['Training loss by step', byStep(recorded, [100, 200, 300, 400, 700])],
    ],
  },
  c_flip_flop: {
    title: 'Flip-flop: one bit of memory',
    about:
      'Share of ignored bits: 0.8 as in training, 0.98 (sparse), 0.1 (dense). Sparse tests have about one scored read in 100 pairs. Chance is 50.',
    tables: (recorded) => [
      ['Errors at reads in %, by test length and share of ignored bits', flipFlopErrors(recorded)],
    ],
  },
  c_flip_flop_content: {
    title: 'Flip-flop: schemes that read positions from the text',
    about:
      'The task and training of the section before, with three seeds, and tests with a quarter of its sequences: differences of a few points say nothing. RePo has no layer with integer positions here, where the published models keep five. ALiBi’s slopes, which are fixed, multiply the gates of GRAPE-AP, and nothing multiplies those of gates per row. Chance is 50.',
    tables: (recorded) => [
      ['Errors at reads in %, by test length and share of ignored bits', flipFlopErrors(recorded)],
      ['Training loss by step', byStep(recorded, [50, 100, 200, 300, 500])],
    ],
  },
  d1_drawers_randomized: {
    title: 'Drawers with random positions in training',
    about: 'Each training step draws 32 sorted positions below 512.',
    tables: (recorded) => [
      ['Accuracy with sorted random positions', byLength(recorded, 'randomized', accuracy)],
      ['Accuracy with positions 0, 1, 2, …', byLength(recorded, 'consecutive', accuracy)],
    ],
  },
  d2_copy: {
    title: 'Copy',
    about: 'Lists of 1 to 12 items in training. Chance is 0.03.',
    tables: (recorded) => [
      ['Accuracy of tokens by number of items', byLength(recorded, 'items', accuracy)],
      [
        'Share of copies that are right as a whole',
        byLength(recorded, 'items', ({ wholeSequences }) => wholeSequences),
      ],
    ],
  },
  d2_copy_randomized: {
    title: 'Copy with random positions below 160',
    about: 'Trained and tested with sorted random positions.',
    tables: (recorded) => [
      ['Accuracy of tokens by number of items', byLength(recorded, 'items', accuracy)],
    ],
  },
  heads_repeats: {
    title: 'Small models whose attention the page shows',
    about: 'Text that repeats itself, as above, on one seed, with models small enough to load.',
    tables: (recorded) => [
      ['Accuracy on repeated blocks', byLength(recorded, 'length', repeated)],
      ['Accuracy on fresh text', byLength(recorded, 'length', fresh)],
    ],
  },
};

function setting({ plan }) {
  const { model, schedule, batchSize, length } = plan.trainer;
  const { width, layers, heads, hidden = 4 * width } = model;
  const size = `width ${width}, ${layers} ${layers === 1 ? 'layer' : 'layers'}, ${heads} heads, feed-forward width ${hidden}`;
  const batch = length ? `${batchSize} × ${length} tokens` : `${batchSize} sequences`;
  return `Model: ${size}. Training: ${plan.steps} steps of ${batch}, learning rate ${schedule.learningRate}, weight decay ${schedule.weightDecay}.`;
}

const seedsText = ({ held, seeds }) => `${held.length} of ${seeds.length}`;
const kind = ({ claim }) => (claim ? ` (claim of ${claim})` : '');

function section(name, recorded) {
  const { title, about, tables } = sections[name];
  const checks = checkedOrderings(name, recordedOf);
  const failed = recorded.results.filter((run) => run.failed);
  return [
    `## ${title}\n\n${about}\n\n${setting(recorded)} Plan: \`${name}\`.\n`,
    ...tables(recorded).map(([caption, text]) => `**${caption}**\n\n${text}`),
    ...failed.map((run) => `Failed: ${run.variant}, seed ${run.seed}: ${run.failed}\n`),
    ...(checks.length === 0
      ? []
      : [
          table(
            ['ordering', 'seeds'],
            checks.map((check) => [check.says + kind(check), seedsText(check)]),
          ),
        ]),
  ].join('\n');
}

/** The orderings and claims that do not hold on all seeds. */
function notReproduced(names) {
  const all = names.flatMap((name) =>
    checkedOrderings(name, recordedOf).map((check) => ({ ...check, name })),
  );
  const missed = all.filter(({ held, seeds }) => held.length < seeds.length);
  const lines = missed.map(
    (check) =>
      `- ${sections[check.name].title}: ${check.says}${kind(check)} Holds on ${seedsText(check)} seeds. ${check.why ?? ''}`,
  );
  return `## Did not reproduce

Of ${all.length} orderings and claims, ${all.length - missed.length} hold on every seed. The others:

${lines.map((line) => line.trimEnd()).join('\n')}
`;
}

/** The plans that were not run. */
function notRecorded(names) {
  const missing = planNames.filter((name) => !names.includes(name));
  if (missing.length === 0) return [];
  return [`- Not recorded: ${missing.map((name) => `\`${name}\``).join(', ')}.\n`];
}

const introduction = ({ version, binary }, names) => `# Train short, test long: results

Made by \`npm run experiments\` with version ${version}, ${binary}. Each plan of \`plans/\` trains
variants × seeds; \`web/trained/recorded\` has every number.

- n: seeds. A seed sets the weights and the training data. Test data are the same for all schemes and seeds.
- Values are mean ± standard deviation (n − 1).
- Training length L = 32 (flip-flop: 64). Only the second half of a test sequence is scored; of copy, the copy.
- Orderings are checked on each seed. An independent program in PyTorch found them before with these settings.
${notRecorded(names).join('')}`;

/** The document: results.md as it should be, given what was recorded. */
export function reportText() {
  const recorded = planNames
    .map((name) => [name, recordedOf(name)])
    .filter(([, found]) => found?.seeds.length > 0);
  const names = recorded.map(([name]) => name);
  return [
    introduction(recorded[0][1], names),
    notReproduced(names),
    ...recorded.map(([name, found]) => section(name, found)),
    ...healingSection(),
    ...poemsSection(),
  ].join('\n');
}

export const reportFile = path.join(import.meta.dirname, 'results.md');
