/** Poems that count: small models write on past the length of their training. */
import { html, nothing, svg } from 'lit';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { choice } from '../../figures/shared_controls.ts';
import {
  limitAtX,
  lineChart,
  nameIn,
  type Frame,
  type Point,
  type Series,
} from '../../plots/line_chart.ts';
import { fixed } from '../../plots/number.ts';
import { poemFile } from '../../trained/poems.ts';
import { recorded as recordedFile } from '../../trained/recordings.ts';
import { Lesson } from '../../worker/lessons.ts';
import { lessonRow } from './lesson_row.ts';
import { meanOf } from './methods.ts';
import { lineLengths, plan, rowLength, trainedLines, type PoemScheme } from './poem_training.ts';
import { poemPanel } from './poem_view.ts';
import { poemsStyle } from './poems_style.ts';
import { poemsWords as words } from './poems_text.ts';

/** web/trained/recorded/poems.json, see tests/experiments/poems.mjs. */
interface RecordedPoems {
  plan: { steps: number; lines: number };
  results: {
    scheme: PoemScheme;
    seed: number;
    seconds: number;
    /** Of each row, the share of places where a sign stands if and only if it should. */
    right: number[];
    poems: string[];
    /** Of lines 1–8, 9–16 and 17–24 of these poems, the share that has five characters. */
    fives: number[];
  }[];
}

const controls = defineControls({
  scheme: choice(words.scheme, words.schemes, 'rope', { display: true }),
  sample: choice(words.sample, words.samples, '4', { display: true }),
});

interface Poems {
  recorded: RecordedPoems;
  /** Its subject is the scheme that was chosen when it began. */
  lesson: Lesson<PoemScheme>;
}

type PoemsView = ViewOf<typeof controls, typeof words.strings, Poems>;

/** The lesson of each figure of the page, by its channel to the engine. */
const lessons = new WeakMap<object, Poems['lesson']>();

/** The seed of the live training; the recorded ones have others. */
const liveSeed = 3;

async function load(_: SettingsOf<typeof controls>, engine: object): Promise<Poems> {
  const recorded = await recordedFile<RecordedPoems>('poems');
  const lesson = lessons.get(engine) ?? new Lesson<PoemScheme>();
  lessons.set(engine, lesson);
  return { recorded, lesson };
}

const schemes = Object.keys(words.schemes) as PoemScheme[];

const runsOf = ({ recorded }: Poems, scheme: PoemScheme) =>
  recorded.results.filter((run) => run.scheme === scheme);

/** The poem of a sample: two of each seed. */
function sampleOf(data: Poems, scheme: PoemScheme, sample: string): string[] {
  const poems = runsOf(data, scheme).flatMap((run) => run.poems);
  return Array.from(poems[Number(sample) - 1]!);
}

/** Rows of a poem that end where a trained one does, and the next ones as many. */
const known = [0, trainedLines] as const;
const beyond = [trainedLines, 2 * trainedLines] as const;

/** The mean over the seeds of the share of right places in some rows. */
const share = (data: Poems, scheme: PoemScheme, [first, past]: readonly [number, number]) =>
  meanOf(runsOf(data, scheme).map(({ right }) => meanOf(right, first, past)));

/** The mean over the seeds of the share of lines that have five characters. */
const ofFive = (data: Poems, scheme: PoemScheme, group: number) =>
  meanOf(runsOf(data, scheme).map(({ fives }) => fives[group]!));

function panel(view: PoemsView, name: string, poem: readonly string[], width: number) {
  const { say } = view;
  const label = say.poem(name, lineLengths(poem).join(', '));
  return html`<div data-poem=${name}>${poemPanel({ name, label, poem, width })}</div>`;
}

/** What the marks mean. */
function marks({ say }: PoemsView) {
  const mark = (look: string, name: string) => html`<li>
    <svg width="14" height="14" aria-hidden="true">
      <rect class=${look} x="1" y="1" width="12" height="12" rx="2" /></svg>
    ${name}
  </li>`;
  return html`<ul class="marks">
    ${mark('sign', say.five)} ${mark('sign stray', say.other)}
    <li><svg width="22" height="14" aria-hidden="true">
      <line class="limit" x1="0" x2="22" y1="7" y2="7" /></svg> ${say.limit}</li>
  </ul>`;
}

/** Of each eight lines of a poem, the share that has five characters. */
function fivesOf(poem: readonly string[]): number[] {
  const lengths = lineLengths(poem);
  return Array.from({ length: plan.lines / trainedLines }, (_, group) => {
    const lines = lengths.slice(group * trainedLines, (group + 1) * trainedLines);
    return lines.filter((length) => length === rowLength - 1).length / trainedLines;
  });
}

/** A level line over each group of eight lines; nothing slopes from one to the next. */
const byGroup = (values: readonly number[]) =>
  values.flatMap((value, group): Point[] => [
    [group * trainedLines + 1, value],
    [(group + 1) * trainedLines, value],
    [(group + 1) * trainedLines + 0.5, NaN],
  ]);

function lineShares(view: PoemsView, width: number) {
  const { data, settings, language, say } = view;
  const series = schemes.map((scheme): Series => {
    const shares = runsOf(data, scheme).map(({ fives }) => fives);
    const groups = shares[0]!.map((_, group) => shares.map((fives) => fives[group]!));
    const highs = byGroup(groups.map((values) => Math.max(...values)));
    const isChosen = scheme === settings.scheme;
    return {
      name: `${words.schemes[scheme][language]} ${fixed(meanOf(groups.at(-1)!), 2)}`,
      named: { x: plan.lines },
      look: `is-${scheme} ${isChosen ? 'bold' : ''}`,
      points: byGroup(groups.map((values) => meanOf(values))),
      ...(isChosen && {
        band: byGroup(groups.map((values) => Math.min(...values))).map(
          ([line, low], i) => [line, low, highs[i]![1]] as const,
        ),
      }),
    };
  });
  const { subject, texts } = data.lesson;
  const [, live] = [...texts].at(-1) ?? [];
  if (live !== undefined && subject)
    series.push({
      name: say.here(words.schemes[subject][language]),
      look: 'live-line',
      points: byGroup(fivesOf(Array.from(live))),
    });
  return lineChart({
    width,
    height: { share: 0.5, min: 240, max: 300 },
    x: { domain: [1, plan.lines], label: say.lineAxis, ticks: [1, 4, 8, 12, 16, 20, 24] },
    y: { domain: [0, 1], label: say.fivesAxis },
    series,
    label: describe(view),
    digits: 2,
    headroom: 24,
    below: (frame) => svg`${limitAtX(frame, trainedLines + 0.5, say.limit, frame.top + 12)}
      ${firstShare(view, frame)}`,
  });
}

/** The chosen scheme's share of the first group, on the side of its line that has more room. */
function firstShare({ data, settings }: PoemsView, frame: Frame) {
  const { scheme } = settings;
  const share = ofFive(data, scheme, 0);
  const above = schemes.map((one) => ofFive(data, one, 0) - share).filter((more) => more > 0);
  const isBelow = Math.min(1, ...above) < 0.12;
  const y = frame.y(share) + (isBelow ? 18 : -7);
  return nameIn(frame, fixed(share, 2), { x: frame.x(1) + 8, y }, `line-name is-${scheme}`);
}

/** The row that starts and stops the live training. */
function liveRow({ data, settings, language, say, redraw }: PoemsView) {
  const { lesson } = data;
  lesson.redraw = redraw;
  const { scheme } = settings;
  return lessonRow({
    lesson,
    language,
    name: words.schemes[scheme][language],
    steps: plan.steps,
    preparing: say.preparing,
    start: () => {
      lesson.choose(scheme);
      return lesson.start(async (jobs) => {
        await jobs.startPoems(await poemFile(), scheme, liveSeed);
      });
    },
  });
}

/** The last poem of the model that is trained here. */
function livePoem(view: PoemsView, width: number) {
  const { data, language, say } = view;
  const { subject, texts } = data.lesson;
  const [step, text] = [...texts].at(-1) ?? [];
  if (step === undefined || !subject) return nothing;
  const name = say.live(words.schemes[subject][language], step);
  return html`<div class="here">${panel(view, name, Array.from(text!), width)}</div>`;
}

function draw(view: PoemsView) {
  const { data, settings, language, say, width } = view;
  const isWide = width >= 640;
  const columns = isWide ? 4 : 2;
  const each = Math.floor((width - 16 * (columns - 1)) / columns);
  const { scheme, sample } = settings;
  return html`${marks(view)}
    <div class="poems" .style=${`--columns: ${columns}`}>
      ${schemes.map((one) =>
        panel(view, words.schemes[one][language], sampleOf(data, one, sample), each),
      )}
    </div>
    ${lineShares(view, width)} ${liveRow(view)} ${livePoem(view, each)}
    ${numbers({
      known: [say.known, fixed(share(data, scheme, known), 2)],
      ninth: [say.ninth, fixed(share(data, scheme, [trainedLines, trainedLines + 1]), 2)],
      beyond: [say.beyond, fixed(share(data, scheme, beyond), 2)],
      'fives-known': [say.fives(1, 8), fixed(ofFive(data, scheme, 0), 2)],
      'fives-beyond': [say.fives(9, 16), fixed(ofFive(data, scheme, 1), 2)],
      'fives-far': [say.fives(17, 24), fixed(ofFive(data, scheme, 2), 2)],
    })}`;
}

function describe({ data, settings, language, say }: PoemsView): string {
  const { scheme } = settings;
  const far = (one: PoemScheme) => ofFive(data, one, 2);
  const best = schemes.reduce((a, b) => (far(b) > far(a) ? b : a));
  const name = (one: PoemScheme) => words.schemes[one][language];
  const shares = [fixed(ofFive(data, scheme, 0), 2), fixed(far(scheme), 2)] as const;
  return scheme === best
    ? say.counts(name(scheme), ...shares)
    : say.loses(name(scheme), ...shares, [name(best), fixed(far(best), 2)]);
}

export default defineFigure({
  claims: ['C45'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: load,
  draw,
  describe,
  table: ({ data, language, say }: PoemsView) => ({
    columns: [
      say.schemeColumn,
      say.seedColumn,
      ...Array.from({ length: plan.lines }, (_, row) => say.row(row + 1)),
      ...[1, 9, 17].map((line) => say.fives(line, line + trainedLines - 1)),
    ],
    rows: data.recorded.results.map(({ scheme, seed, right, fives }) => [
      words.schemes[scheme][language],
      seed,
      ...right,
      ...fives,
    ]),
  }),
  styles: poemsStyle,
});
