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
  sample: choice(words.sample, words.samples, '1', { display: true }),
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

/** The lengths of the lines, eight at a time; those that are not five are bold. */
function counts(poem: readonly string[], say: PoemsView['say']) {
  const lengths = lineLengths(poem);
  const groups = Array.from({ length: Math.ceil(lengths.length / trainedLines) }, (_, i) =>
    lengths.slice(i * trainedLines, (i + 1) * trainedLines),
  );
  const one = (length: number) =>
    length === rowLength - 1 ? html`<span>${length}</span>` : html`<b>${length}</b>`;
  return html`<dl class="counts">
    ${groups.map((group, i) => {
      const first = i * trainedLines + 1;
      return html`<div>
        <dt>${say.lines(first, first + group.length - 1)}</dt>
        <dd>${group.map((length, k) => [k > 0 ? ' ' : '', one(length)])}</dd>
      </div>`;
    })}
  </dl>`;
}

function panel(view: PoemsView, name: string, poem: readonly string[], width: number) {
  const { say } = view;
  const label = say.poem(name, lineLengths(poem).join(', '));
  return html`<div data-poem=${name}>
    ${poemPanel({ name, label, poem, width })} ${counts(poem, say)}
  </div>`;
}

/** What the marks mean. */
function marks({ say }: PoemsView) {
  const mark = (look: string, name: string) => html`<li>
    <svg width="14" height="14" aria-hidden="true">
      <rect class=${look} x="1" y="1" width="12" height="12" rx="2" /></svg>
    ${name}
  </li>`;
  return html`<ul class="marks">
    ${mark('sign', say.inColumn)} ${mark('sign stray', say.stray)} ${mark('column', say.column)}
    <li><svg width="22" height="14" aria-hidden="true">
      <line class="limit" x1="0" x2="22" y1="7" y2="7" /></svg> ${say.limit}</li>
  </ul>`;
}

/** A share of never writing a sign. */
const never = 1 - 1 / rowLength;

/** Named at its right end: at its left, lines begin. */
const neverLine = ({ left, right, y }: Frame, name: string) => svg`
  <line class="limit" x1=${left} x2=${right} y1=${y(never)} y2=${y(never)} />
  <text class="limit-label" x=${right - 4} y=${y(never) - 6} text-anchor="end">${name}</text>`;

function rowChart(view: PoemsView, width: number) {
  const { data, settings, language, say } = view;
  const byRow = (values: readonly number[]) => values.map((value, i): Point => [i + 1, value]);
  const series = schemes.map((scheme): Series => {
    const rights = runsOf(data, scheme).map(({ right }) => right);
    const rows = rights[0]!.map((_, row) => rights.map((right) => right[row]!));
    const isChosen = scheme === settings.scheme;
    return {
      name: words.schemes[scheme][language],
      look: `is-${scheme} ${isChosen ? 'bold' : ''}`,
      points: byRow(rows.map((values) => meanOf(values))),
      ...(isChosen && {
        band: rows.map((values, i) => [i + 1, Math.min(...values), Math.max(...values)] as const),
      }),
    };
  });
  const { subject, measured } = data.lesson;
  const live = measured.at(-1);
  if (live && subject)
    series.push({
      name: say.here(words.schemes[subject][language]),
      look: 'live-line',
      points: byRow(live.places),
    });
  return lineChart({
    width,
    height: { share: 0.5, min: 240, max: 300 },
    x: { domain: [1, plan.lines], label: say.rowAxis, ticks: [1, 4, 8, 12, 16, 20, 24] },
    y: { domain: [0.5, 1], label: say.rightAxis },
    series,
    label: describe(view),
    digits: 2,
    below: (frame) => svg`${limitAtX(frame, trainedLines, say.limit, frame.bottom - 8)}
      ${neverLine(frame, say.never)}`,
  });
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
    ${liveRow(view)}
    ${livePoem(view, each)}
    ${rowChart(view, width)}
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
  return say.describe(
    words.schemes[scheme][language],
    fixed(share(data, scheme, known), 2),
    fixed(share(data, scheme, beyond), 2),
    fixed(ofFive(data, scheme, 2), 2),
  );
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
