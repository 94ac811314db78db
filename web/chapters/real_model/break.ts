/** A model that somebody else trained writes a story while its positions are changed. */
import { html } from 'lit';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { fixed } from '../../plots/number.ts';
import { licenseAddress, llama, recordedLlama } from '../../trained/llama.ts';
import type { Engine } from '../../worker/client.ts';
import type { Story } from '../../worker/model_requests.ts';
import { breakWords as words } from './break_text.ts';
import { changeControls, drawChangeControls } from './change_controls.ts';
import { changeWords } from './change_text.ts';
import { isUnchanged, readingOf, type ChangeSettings } from './changes.ts';
import { meanOf, originalLength } from './methods.ts';
import { textOf, wordsOf, writtenSurprise } from './story.ts';
import { drawStory } from './story_view.ts';
import { storyStyle } from './style.ts';

const controls = defineControls({
  prompt: {
    kind: 'text',
    label: words.prompt,
    default: 'Once upon a time',
    maxLength: 200,
    isLine: true,
    place: 'drawing',
  },
  ...changeControls,
  change: { ...changeControls.change, default: 'pairing' },
});

type BreakSettings = SettingsOf<typeof controls>;

interface Broken {
  story: Story;
  /** The story under the model's own positions. */
  trained: Story;
  /** Over the first places of a text, in nats: after the change, and under the own positions. */
  loss: number;
  trainedLoss: number;
}

type BreakView = ViewOf<typeof controls, typeof words.strings, Broken>;

/** Tokens of a story. */
const storyLength = 155;

/** The base of the model's frequencies. */
const ownBase = 10_000;

const settingsOf = ({ base, ...settings }: BreakSettings): ChangeSettings => ({
  ...settings,
  base: base / ownBase,
});

async function load(settings: BreakSettings, engine: Engine): Promise<Broken> {
  const { tokens, loss: trainedLoss, stories, broken } = await recordedLlama();
  const { prompt } = settings;
  const change = settingsOf(settings);
  const request = { prompt, most: storyLength };
  const trained = stories[prompt] ?? (await llama.story(request));
  if (isUnchanged(change)) return { story: trained, trained, loss: trainedLoss, trainedLoss };
  const recorded = broken.stories[prompt];
  if (recorded && isUnchanged({ ...change, change: 'trained' }) && change.change === broken.change)
    return { story: recorded, trained, loss: broken.loss, trainedLoss };
  const reading = await readingOf(change, await llama.load(), engine);
  const story = await llama.story({ ...request, ...reading });
  const losses = await llama.losses(tokens.slice(0, originalLength + 1), reading);
  return { story, trained, loss: meanOf(losses), trainedLoss };
}

/** Losses above that of the training, in nats: up to them a text holds, and stammers. */
const limits = { holds: 0.75, stammers: 2.5 };

function verdictOf({ data, settings, say }: BreakView): string {
  const { story, trained, loss, trainedLoss } = data;
  const losses = [fixed(loss, 2), fixed(trainedLoss, 2)] as const;
  const more = loss - trainedLoss;
  if (isUnchanged(settingsOf(settings))) return say.verdict.trained(losses[1]);
  if (textOf(story) === textOf(trained) && Math.abs(more) < 0.005)
    return say.verdict.same(losses[1]);
  if (more <= limits.holds) return say.verdict.holds(...losses);
  return more <= limits.stammers ? say.verdict.stammers(...losses) : say.verdict.broken(...losses);
}

function draw(view: BreakView) {
  const { data, settings, language, width, say } = view;
  const { story, trained, loss, trainedLoss } = data;
  const warm = () => void llama.load().catch(() => {});
  const { change } = settings;
  const name = change === 'trained' ? say.moved : changeWords.kinds[change][language];
  const compared = isUnchanged(settingsOf(settings)) ? undefined : { name, trained };
  return html`<div @focusin=${warm} @pointerenter=${warm}>
    ${view.control('prompt')} ${drawChangeControls(view, ownBase)}
    <p class="verdict" role="status">${verdictOf(view)}</p>
    ${drawStory({ story, compared, language, width })}
    ${numbers({
      loss: [say.loss, fixed(loss, 2)],
      'trained-loss': [say.trainedLoss, fixed(trainedLoss, 2)],
      surprise: [say.surprise, fixed(writtenSurprise(story), 2)],
    })}
    <p class="source">${say.source} <a href=${licenseAddress}>${say.license}</a>${say.stop}</p>
  </div>`;
}

export default defineFigure({
  claims: ['C23', 'C41', 'C42', 'C43'],
  isWide: true,
  text: words.strings,
  tries: words.tries,
  controls,
  compute: load,
  hasOwnFinding: true,
  draw,
  describe: (view: BreakView) =>
    view.say.describe(
      verdictOf(view),
      fixed(writtenSurprise(view.data.story), 2),
      textOf(view.data.story),
    ),
  table: ({ data, say }: BreakView) => ({
    columns: [say.word, say.wordSurprise, say.origin],
    rows: wordsOf(data.story).map(({ text, surprise, isGiven }) => [
      text.trim(),
      surprise ?? '',
      isGiven ? say.given : say.written,
    ]),
  }),
  styles: storyStyle,
});
