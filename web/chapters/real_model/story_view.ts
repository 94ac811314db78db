/** Draws a story: a legend of the tints, the text, and with the values each token's surprise. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../../languages.ts';
import { lineChart } from '../../plots/line_chart.ts';
import { rounded } from '../../plots/number.ts';
import type { Story } from '../../worker/model_requests.ts';
import { ellipsisOf, levelOf, levels, textOf, wordsOf, type StoryWord } from './story.ts';
import { storyWords } from './story_text.ts';

export interface StoryView {
  story: Story;
  /** What was changed, and the story under the model's own positions. */
  compared?: { name: string; trained: Story; trainedName?: string } | undefined;
  language: Language;
  width: number;
  /** The story is still being written. */
  isWriting?: boolean;
}

/** Highest surprise on the chart, in nats: that of a blind guess is ln 512 = 6.2. */
const highest = 12;

export function drawStory({ story, compared, language, width, isWriting }: StoryView) {
  const say = storyWords[language];
  const word = ({ text, surprise, isGiven }: StoryWord) => {
    const level = surprise === undefined || isGiven ? 0 : levelOf(surprise);
    const title = surprise === undefined ? nothing : say.nats(rounded(surprise, 2));
    const [space = ''] = /^\s*/.exec(text)!;
    const look = `word level-${level} ${isGiven ? 'is-given' : ''}`;
    return html`${space}<span class=${look} title=${title}>${text.slice(space.length)}</span>`;
  };
  const text = (one: Story, name: string) => html`<p class="story" lang="en" dir="auto"
    role="group" aria-label=${name} aria-busy=${isWriting ?? false}>${wordsOf(one).map(word)}${isWriting ? nothing : ellipsisOf(textOf(one))}</p>`;
  const column = (one: Story, name: string) =>
    html`<div><p class="story-name">${name}</p>${text(one, name)}</div>`;
  return html`${legend(language)}
    ${
      compared
        ? html`<div class="compared">
            ${column(story, compared.name)}
            ${column(compared.trained, compared.trainedName ?? say.asTrained)}
          </div>`
        : text(story, say.story)
    }
    <div class="values-only">${surpriseChart(story, compared?.trained, language, width)}</div>`;
}

function legend(language: Language): TemplateResult {
  const say = storyWords[language];
  const name = (least: number, at: number) =>
    at + 1 < levels.length ? say.from(least, levels[at + 1]!) : say.above(least);
  return html`<ul class="tints">
    <li>${say.tints}</li>
    ${levels.map((least, at) => html`<li><span class="word level-${at}">${name(least, at)}</span></li>`)}
  </ul>`;
}

function surpriseChart(
  story: Story,
  trained: Story | undefined,
  language: Language,
  width: number,
) {
  const say = storyWords[language];
  const capped = ({ surprises }: Story) =>
    Array.from(surprises, (surprise) => Math.min(highest, surprise));
  const series = [
    ...(trained ? [{ name: say.asTrained, look: 'faint dashed', values: capped(trained) }] : []),
    { name: say.changed, look: 'plain', values: capped(story) },
  ];
  const last = Math.max(1, ...series.map(({ values }) => values.length - 1));
  return lineChart({
    width,
    height: { share: 0.2, min: 150, max: 190 },
    x: { domain: [0, last], label: say.token, whole: true },
    y: { domain: [0, highest], label: say.surpriseAxis, ticks: [0, 4, 8, 12] },
    series,
    label: say.surpriseAxis,
    digits: 1,
  });
}
