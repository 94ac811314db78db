/** A model of the reader's writes a story while its positions are changed. */
import { html, nothing, type TemplateResult } from 'lit';
import { whenGone } from '../../components/when_gone.ts';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { mainNumbers } from '../../figures/numbers.ts';
import { range } from '../../figures/shared_controls.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { llamaFolder, recordedLlama } from '../../trained/llama.ts';
import type { Engine } from '../../worker/client.ts';
import type { FolderSize, Story } from '../../worker/model_requests.ts';
import { changeControls, drawChangeControls } from './change_controls.ts';
import { changeWords } from './change_text.ts';
import { isUnchanged, readingOf } from './changes.ts';
import { ownErrorIn } from './own_errors.ts';
import { filesIn, filesOf } from './own_files.ts';
import { OwnModel, roomForModel, type Written } from './own_model.ts';
import { ownStyle } from './own_style.ts';
import { ownWords as words } from './own_text.ts';
import { meanOf } from './methods.ts';
import { textOf, wordsOf, writtenSurprise } from './story.ts';
import { drawStory } from './story_view.ts';

const controls = defineControls({
  prompt: {
    kind: 'text',
    label: words.prompt,
    default: 'Once upon a time',
    maxLength: 1500,
    place: 'drawing',
  },
  ...changeControls,
  base: range(
    words.base,
    { default: 1, min: 0.001, max: 1000, step: 'log' },
    { symbol: 'b', place: 'drawing' },
  ),
  tokens: range(words.tokens, { default: 64, min: 8, max: 256, step: 8 }, { place: 'drawing' }),
});

interface Own {
  own: OwnModel;
  /** Stories that were recorded, as trained and broken, and the loss on a fixed text as trained. */
  example: { trained: Story; broken: Story; loss: number };
  /** Absent until the model is loaded. */
  written?: Written;
}

type OwnView = ViewOf<typeof controls, typeof words.strings, Own>;

const models = new WeakMap<object, OwnModel>();

/** The model of a figure, by its channel to the engine. */
function modelOf(engine: object): OwnModel {
  const own = models.get(engine) ?? new OwnModel();
  models.set(engine, own);
  return own;
}

async function load(settings: SettingsOf<typeof controls>, engine: Engine): Promise<Own> {
  const own = modelOf(engine);
  const { phase } = own;
  const { stories, broken, loss } = await recordedLlama();
  const [trained, other] = [stories, broken.stories].map((all) => Object.values(all)[0]!);
  const example = { trained: trained!, broken: other!, loss };
  if (phase.kind !== 'ready') return { own, example };
  const { prompt, tokens } = settings;
  const reading = await readingOf(settings, phase.about, engine);
  return { own, example, written: await own.write({ prompt, most: tokens, ...reading }) };
}

const sizeText = (bytes: number) =>
  bytes < 1e9 ? `${rounded(bytes / 1e6, 2)} MB` : `${rounded(bytes / 1e9, 2)} GB`;

/** Where files are dropped, or chosen. */
function dropZone({ data, say }: OwnView): TemplateResult {
  const { own } = data;
  const drag = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void filesIn(event.dataTransfer!).then((files) => own.choose(files));
  };
  const picked = ({ currentTarget }: Event) => {
    const input = currentTarget as HTMLInputElement;
    const files = filesOf(input.files ?? []);
    input.value = '';
    if (Object.keys(files).length > 0) void own.choose(files);
  };
  // It takes a few megabytes: no reader has to agree to that first.
  const takeShipped = async () => {
    if (await own.choose(llamaFolder())) await own.load();
  };
  return html`<div class="drop" @dragover=${drag} @drop=${drop}>
    <p>
      <svg class="folder" width="22" height="16" viewBox="0 0 22 16" aria-hidden="true">
        <path d="M1 15V1h7l2 3h11v11z" />
      </svg>
      ${say.drop}
    </p>
    <p class="pick">
      <label class="button">${say.folder}<input type="file" webkitdirectory @change=${picked} /></label>
      <label class="button">${say.files}<input type="file" multiple @change=${picked} /></label>
      <button type="button" class="shipped" @click=${takeShipped}>${say.shipped}</button>
    </p>
    <details class="hint"><summary>${say.formats}</summary><p>${say.families}</p></details>
  </div>`;
}

const surpriseOf = (story: Story) => fixed(writtenSurprise(story), 2);

/** Mean surprises of what is written, in nats: up to them a story holds, and stammers. */
const limits = { holds: 1.25, stammers: 4 };

/** What becomes of the model’s story; before a model is loaded, of that of the small Llama. */
function verdictOf({ data, settings, say }: OwnView): string {
  const { written, example } = data;
  if (!written) {
    const { broken, trained, loss } = example;
    return say.example(surpriseOf(broken), surpriseOf(trained), fixed(loss, 2));
  }
  const surprise = surpriseOf(written.story);
  if (isUnchanged(settings)) return say.verdict.trained(surprise);
  const mean = writtenSurprise(written.story);
  if (mean <= limits.holds) return say.verdict.holds(surprise);
  return mean <= limits.stammers ? say.verdict.stammers(surprise) : say.verdict.broken(surprise);
}

/** Tokens of a story in the preview. */
const previewLength = 45;

/** What a reader without a model would see: the beginnings of recorded stories. */
function preview(view: OwnView): TemplateResult | typeof nothing {
  const { data, language, width, say } = view;
  const { own, example } = data;
  if (own.phase.kind !== 'empty') return nothing;
  const beginningOf = (story: Story): Story => {
    // Before a piece that begins a word.
    const end = story.pieces.slice(0, previewLength).findLastIndex((piece) => /^\s/.test(piece));
    return {
      ...story,
      pieces: [...story.pieces.slice(0, end), ' …'],
      surprises: [...Array.from(story.surprises).slice(0, end), 0],
    };
  };
  const [trained, story] = [beginningOf(example.trained), beginningOf(example.broken)];
  const named = (kind: string, full: Story) => say.mean(kind, surpriseOf(full));
  return html`<div class="preview">
    <p class="verdict">${verdictOf(view)}</p>
    ${drawStory({
      story,
      compared: {
        name: named(changeWords.kinds.pairing[language], example.broken),
        trained,
        trainedName: named(changeWords.kinds.trained[language], example.trained),
      },
      language,
      width,
    })}
  </div>`;
}

/** What was chosen, what it needs, and how far it is. */
function status(view: OwnView): TemplateResult | typeof nothing {
  const { data, language, say } = view;
  const { own } = data;
  const { phase, error } = own;
  if (error) return html`<p class="refused" role="alert">${ownErrorIn(language, error)}</p>`;
  if (phase.kind === 'empty') return nothing;
  if (phase.kind === 'reading') return html`<p role="status">${say.reading}</p>`;
  const { size } = phase;
  const room = roomForModel();
  const fits = size.peakBytes <= room;
  return html`${facts(size, say)}
    ${
      phase.kind === 'chosen'
        ? fits
          ? html`<p><button type="button" class="main" @click=${() => own.load()}>${say.load}</button></p>`
          : html`<p class="refused" role="alert">${say.tooLarge(sizeText(size.peakBytes), sizeText(room))}</p>`
        : nothing
    }
    ${
      phase.kind === 'loading'
        ? html`<p role="status">${say.loading(whole(100 * phase.share))}</p>
            <progress max="1" .value=${phase.share} aria-label=${say.loading(whole(100 * phase.share))}></progress>`
        : nothing
    }`;
}

const facts = ({ family, fileBytes, peakBytes }: FolderSize, say: OwnView['say']) =>
  mainNumbers({
    ...(family && { family: [say.family, family] as const }),
    weights: [say.weights, sizeText(fileBytes)],
    peak: [say.peak, sizeText(peakBytes)],
  });

function drawWritten(view: OwnView, written: Written) {
  const { language, settings, width, say } = view;
  const { story, isWriting, error } = written;
  const { given, surprises, promptLoss } = story;
  const trainedLoss = given > 0 ? meanOf(surprises, 0, given) : NaN;
  const isChanged = !isUnchanged(settings);
  return html`<p class="verdict" role="status">${
    error ? ownErrorIn(language, error) : isWriting ? say.writing : verdictOf(view)
  }</p>
    ${drawStory({ story, language, width, isWriting })}
    ${
      isWriting || error
        ? nothing
        : mainNumbers({
            surprise: [say.surprise, surpriseOf(story)],
            prompt: [isChanged ? say.promptChanged : say.prompt, fixed(promptLoss, 2)],
            'trained-prompt': [say.promptTrained, fixed(trainedLoss, 2)],
          })
    }`;
}

function draw(view: OwnView) {
  const { data, redraw, recompute, control } = view;
  const { own, written } = data;
  Object.assign(own, { redraw, recompute });
  return html`<div ${whenGone(() => own.stop())}>
    ${dropZone(view)} ${status(view)} ${preview(view)}
    ${
      own.phase.kind === 'ready'
        ? html`${control('prompt')} ${drawChangeControls(view, 1, control('tokens'))}
            ${written ? drawWritten(view, written) : nothing}`
        : nothing
    }
  </div>`;
}

export default defineFigure({
  claims: [],
  text: words.strings,
  controls,
  compute: load,
  hasOwnFinding: true,
  draw,
  describe: (view: OwnView) => {
    const { written } = view.data;
    return written ? view.say.describe(verdictOf(view), textOf(written.story)) : verdictOf(view);
  },
  table: ({ data, say }: OwnView) => ({
    columns: [say.word, say.wordSurprise, say.origin],
    rows: data.written
      ? wordsOf(data.written.story).map(({ text, surprise, isGiven }) => [
          text.trim(),
          surprise ?? '',
          isGiven ? say.given : say.byModel,
        ])
      : [[say.empty, '', '']],
  }),
  styles: ownStyle,
});
