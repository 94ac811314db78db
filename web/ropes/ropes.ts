/** The ropes of the front page: models that repeat a word, and where each of them comes apart. */
import { html, nothing, svg } from 'lit';
import { descriptionsOf } from '../trained/live_runs.ts';
import { liveWords } from '../trained/live_text.ts';
import { whenGone } from '../components/when_gone.ts';
import { defineControls, defineFigure, type SettingsOf, type View } from '../figures/figure.ts';
import { errorIn } from '../error_text.ts';
import type { Language } from '../languages.ts';
import { fixed } from '../plots/number.ts';
import { plan, RopeModels, type Ropes } from './lay.ts';
import {
  blockOf,
  firstWords,
  firstWrong,
  letterOf,
  lettersIn,
  originalLength,
  ropeLength,
  type Laid,
  type RopeScheme,
} from './letters.ts';
import { Motion } from './motion.ts';
import { layoutOf, narrow, ropeRow, rowHeight, type Letter, type RopeRow } from './rope_row.ts';
import { ropesText, words } from './ropes_text.ts';
import { ropesStyle } from './style.ts';
import { rope } from './strands.ts';

const rows = ['sinusoidal', 'rope', 'alibi', 'fox'] as const;

type Row = (typeof rows)[number];

const isShown = (row: Row) =>
  ({
    kind: 'switch',
    label: words.names[row],
    default: true,
    display: true,
    place: 'drawing',
  }) as const;

const controls = defineControls({
  word: {
    kind: 'text',
    label: words.word,
    default: firstWords,
    maxLength: 64,
    isLine: true,
    place: 'drawing',
  },
  yarn: { kind: 'switch', label: words.mend, default: false, display: true, place: 'drawing' },
  sinusoidal: isShown('sinusoidal'),
  rope: isShown('rope'),
  alibi: isShown('alibi'),
  fox: isShown('fox'),
});

interface Data extends Ropes {
  models: RopeModels;
  motion: Motion;
}

type RopesView = View<SettingsOf<typeof controls>, Data, never>;

const states = new WeakMap<object, Pick<Data, 'models' | 'motion'>>();

/** The models and the movement of a figure, by its channel to the engine. */
function stateOf(engine: object) {
  const state = states.get(engine) ?? { models: new RopeModels(engine), motion: new Motion() };
  states.set(engine, state);
  return state;
}

async function load({ word }: { word: string }, engine: object, language: Language): Promise<Data> {
  const state = stateOf(engine);
  const given = blockOf(word).letters.length > 0 ? word.trim() : firstWords[language];
  return { ...(await state.models.ropesOf(given)), ...state };
}

/** The scheme whose numbers a row shows. */
const schemeOf = (row: Row, { yarn }: { yarn: boolean }): RopeScheme =>
  row === 'rope' && yarn ? 'yarn' : row;

const shownRows = ({ settings }: RopesView) => rows.filter((row) => settings[row]);

const loosenessOfLaid = new WeakMap<Laid, number[]>();

/** How loose a rope is: nothing is unsure of the prompt, which the reader wrote. */
function loosenessOf(laid: Laid): number[] {
  const known = loosenessOfLaid.get(laid);
  if (known) return known;
  const prompt = new Array<number>(ropeLength - laid.right.length).fill(0);
  const looseness = [...prompt, ...laid.right.map((probability) => 1 - probability)];
  loosenessOfLaid.set(laid, looseness);
  return looseness;
}

/** The letters of a rope; symbols that the word does not have are dots. */
function lettersOf({ block }: Data, { symbols }: Laid): Letter[] {
  const { letters } = block;
  const prompt = Array.from({ length: 2 * letters.length }, (_, i) => ({
    written: letters[i % letters.length]!,
    kind: 'given' as const,
  }));
  const written = symbols.map((symbol, i) => {
    const letter = letterOf(block, symbol);
    const kind = letter === letters[i % letters.length] ? 'right' : 'wrong';
    return { written: letter ?? '·', kind } as const;
  });
  return [...prompt, ...written];
}

const firstWrongOf = (data: Data, scheme: RopeScheme) =>
  firstWrong(data.block, data.laid[scheme].symbols);

/** A row while its model is trained: only the part up to the knot, as loose as the loss says. */
function trainingRow(view: RopesView, row: Row): Partial<RopeRow> | undefined {
  const { live } = view.data.models;
  if (!live?.isActive) return undefined;
  const say = words.strings[view.language];
  const run = live.of(plan, row).at(-1);
  const [step = 0, loss] = run?.curve.at(-1) ?? [];
  const looseness = new Array<number>(originalLength).fill(
    loss === undefined ? 1 : 1 - Math.exp(-loss),
  );
  const status =
    loss === undefined
      ? say.waiting
      : say.training(
          step,
          run!.description.steps ?? 0,
          fixed(loss, 2),
          view.width < narrow,
          Math.ceil(run!.secondsLeft || 0),
        );
  const shown = { looseness, end: originalLength };
  return { scheme: row, shown, letters: [], firstWrong: undefined, status };
}

/** Height of the knots' label above the ropes. */
const labelHeight = 22;

function drawing(view: RopesView) {
  const { data, settings, language, width, still, redraw } = view;
  const shown = shownRows(view);
  const targets = new Map(
    shown.map((row) => [row, loosenessOf(data.laid[schemeOf(row, settings)])]),
  );
  data.motion.update(data.word, targets, still, redraw);
  const layout = layoutOf(width, data.block);
  const high = rowHeight(layout);
  const height = labelHeight + high * shown.length;
  const knot = originalLength * layout.cell;
  return html`<div class="plot">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img"
      aria-label=${describe(view)}>
      <text class="knot-label" x=${Math.max(0, knot - 60)} y="12">${words.strings[language].knot}</text>
      ${shown.map((row, k) => {
        const scheme = schemeOf(row, settings);
        const common = {
          scheme,
          shown: data.motion.shown(row),
          letters: lettersOf(data, data.laid[scheme]),
          firstWrong: firstWrongOf(data, scheme),
          language,
          seed: rows.indexOf(row),
        };
        const drawn = { ...common, ...trainingRow(view, row) };
        return svg`<g transform="translate(0, ${labelHeight + k * high})" data-rope=${scheme}>
          ${ropeRow(drawn, layout, width)}
        </g>`;
      })}
    </svg>
  </div>`;
}

/** Three short ropes, with the probability that each stands for. */
function legend({ language }: RopesView) {
  const say = words.strings[language];
  const sample = (probability: number, name: string) => {
    const looseness = new Array<number>(8).fill(1 - probability);
    return html`<li><svg width="42" height="36" viewBox="0 3 56 48" aria-hidden="true">
        ${rope({ looseness, cell: 7, y: 27, seed: 2 })}
      </svg>${probability}${say.colon}${name}</li>`;
  };
  return html`<div class="legends"><ul class="legend"><li>${say.probability}</li>
    ${sample(1, say.legend.tight)}${sample(0.5, say.legend.half)}${sample(0, say.legend.loose)}
  </ul>
  <ul class="legend"><li>${say.legend.letters} <span class="is-given">${say.legend.given}</span></li>
    <li class="is-right">${say.legend.right}</li><li class="is-wrong">${say.legend.wrong}</li>
    <li>${say.legend.other}</li>
  </ul></div>`;
}

/** What the models make of a word that is unlike those of their training. */
function notes({ data, settings, language }: RopesView) {
  const say = words.strings[language];
  const given = lettersIn(settings.word).length;
  const { letters } = data.block;
  const [plain, mended] = [firstWrongOf(data, 'rope'), firstWrongOf(data, 'yarn')];
  const isWorse = settings.rope && settings.yarn && mended! < (plain ?? Infinity);
  const failed = data.models.live?.runs.find(({ state }) => state === 'failed');
  const found = [
    given === 0 ? say.empty : '',
    given > 0 && given < letters.length ? say.short : '',
    given > letters.length ? say.long : '',
    new Set(letters).size < Math.min(given, letters.length) ? say.repeated : '',
    isWorse ? say.worse(plain, mended!) : '',
    data.seed === undefined ? '' : say.own(data.seed),
    failed ? liveWords[language].failed(errorIn(language, failed.reason ?? '')) : '',
  ];
  return found.filter(Boolean).map((note) => html`<p class="note">${note}</p>`);
}

/** Trains one model per rope; they take the place of the recorded ones when all are done. */
async function train({ data, redraw, recompute }: RopesView) {
  const { models, motion } = data;
  await models.prepare();
  const { live, plan: description } = models;
  const seed = (models.seed ?? 0) + 1 + Math.floor(Math.random() * 1000);
  Object.assign(live!, { redraw });
  const untested = { ...description!, evaluations: {} };
  await live!.start(rows.flatMap((row) => descriptionsOf(untested, row, [seed])));
  const isDone = rows.every((row) =>
    live!.of(plan, row).some((run) => run.checkpoint && run.description.trainer.seed === seed),
  );
  if (isDone) {
    models.seed = seed;
    motion.layAgain();
  }
  recompute();
}

function trainButtons(view: RopesView) {
  const { data, language, recompute } = view;
  const { models } = data;
  const { live } = models;
  const say = words.strings[language];
  const { resume, pause, cancel } = liveWords[language];
  const button = (label: string, action: () => unknown) =>
    html`<button type="button" @click=${action}>${label}</button>`;
  if (live?.isActive)
    return html`${
      live.isPaused ? button(resume, () => live.resume()) : button(pause, () => live.pause())
    }${button(cancel, live.cancel)}`;
  const back = () => {
    models.seed = undefined;
    recompute();
  };
  return html`${button(say.train, () => train(view))}
    ${models.seed === undefined ? nothing : button(say.recorded, back)}`;
}

function draw(view: RopesView) {
  const { data, settings, language, control, set, recompute } = view;
  const say = words.strings[language];
  const lay = () => {
    data.motion.layAgain();
    recompute();
  };
  const { live } = data.models;
  const mend = () => set({ yarn: !settings.yarn });
  const more = html`<div class="buttons">
      <button type="button" ?disabled=${!settings.rope} @click=${mend}>
        ${settings.yarn ? say.unmend : words.mend[language]}
      </button>
      ${trainButtons(view)}
    </div>`;
  const isNarrow = view.width < narrow;
  return html`<div class="ask" @focusin=${() => data.models.warm()} ${whenGone(() => live?.cancel())}>
      ${control('word')}
      <button type="button" class="main" @click=${lay}>▶\u2002${say.lay}</button>
      ${isNarrow ? nothing : more}
    </div>
    ${isNarrow ? nothing : legend(view)} ${drawing(view)}
    ${live?.isActive || shownRows(view).length === 0 ? nothing : finding(view)} ${notes(view)}
    ${isNarrow ? html`${legend(view)} ${more}` : nothing}
    <fieldset class="which"><legend>${say.which}</legend>${rows.map((row) => control(row))}</fieldset>
    ${live?.isActive ? html`<p class="note">${say.trainingLegend}</p>` : nothing}`;
}

/** The part of a word that the models read: once, of a word that is laid more than once. */
function readWord({ word, block }: Data): string {
  const { length } = block.letters;
  return lettersIn(word).slice(0, length).join('');
}

function describe(view: RopesView): string {
  const { data, settings, language } = view;
  const say = words.strings[language];
  const sentences = shownRows(view).map((row) => {
    const scheme = schemeOf(row, settings);
    return say.one(words.names[scheme][language], firstWrongOf(data, scheme), ropeLength);
  });
  return say.describe(readWord(data), sentences.join(language === 'zh' ? '' : ' '));
}

/** Which of the ropes hold as far as they are drawn, and where the others come apart. */
function finding(view: RopesView) {
  const { data, settings, language, width } = view;
  const { length } = layoutOf(width, data.block);
  const say = words.strings[language];
  const ends = shownRows(view).map((row) => {
    const scheme = schemeOf(row, settings);
    return { name: words.names[scheme][language], wrong: firstWrongOf(data, scheme) ?? Infinity };
  });
  const holding = ends.filter(({ wrong }) => wrong > length).map(({ name }) => name);
  const apart = ends.filter(({ wrong }) => wrong <= length).sort((a, b) => a.wrong - b.wrong);
  return html`<p class="finding">${say.finding(holding, apart, length)}</p>`;
}

function table(view: RopesView) {
  const { data, settings, language } = view;
  const say = words.strings[language];
  const schemes = shownRows(view).map((row) => schemeOf(row, settings));
  const letters = schemes.map((scheme) => lettersOf(data, data.laid[scheme]));
  const laid = schemes.map((scheme) => data.laid[scheme]);
  const { letters: block } = data.block;
  const given = 2 * block.length;
  return {
    columns: [
      say.letter,
      say.rightLetter,
      ...schemes.flatMap((scheme) => {
        const name = words.names[scheme][language];
        return [say.written(name), say.share(name)];
      }),
    ],
    rows: Array.from({ length: ropeLength }, (_, i) => [
      i + 1,
      block[i % block.length]!,
      ...schemes.flatMap((_, k) => [
        letters[k]![i]!.written,
        laid[k]!.right[i - given] ?? say.given,
      ]),
    ]),
  };
}

export default defineFigure({
  claims: ['E2'],
  isWide: true,
  text: ropesText,
  tries: words.tries,
  controls,
  compute: load,
  hasOwnFinding: true,
  draw,
  describe,
  table,
  styles: ropesStyle,
});
