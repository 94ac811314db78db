/** The tokens of the sentence in a row: pointed at, and moved to other places. */
import { html, nothing, type TemplateResult } from 'lit';
import { rounded } from '../../plots/number.ts';
import { joined, readText } from '../../toy/tokens.ts';
import { noKey, type LabFocus, type LabView } from './lab_controls.ts';
import { showsVectors } from './maps_view.ts';
import { startDrag } from './token_drag.ts';

export const isShuffled = ({ data }: LabView) => data.request.shuffle !== 0;

/** The strip is for reading; the map names every token of a long text. */
const mostTokens = 48;

/** A text that is read as these tokens, as a writer would set it if that can be. */
function textOf(tokens: readonly string[]): string {
  const text = joined(tokens);
  const isSame = readText(text).tokens?.join(' ') === tokens.join(' ');
  return isSame ? text : tokens.join(' ');
}

/** The sentence as it stands, with the token of one place at another. */
function moveToken({ data, say, set, setFocus }: LabView, from: number, to: number) {
  const tokens = data.shown.order.map((token) => data.request.tokens[token]!);
  const [token] = tokens.splice(from, 1);
  tokens.splice(to, 0, token!);
  set({ text: textOf(tokens), shuffle: 0 });
  setFocus({ token: to, other: noKey, moved: say.moved(token!, to + 1, tokens.length) });
}

const steps: Readonly<Record<string, { move?: number; go?: number }>> = {
  ArrowLeft: { move: -1 },
  ArrowRight: { move: 1 },
  ArrowUp: { go: -1 },
  ArrowDown: { go: 1 },
};

/** Left and right move the token that has the focus; up and down give it to another one. */
function pressKey(view: LabView, event: KeyboardEvent, place: number, count: number) {
  const step = steps[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const to = place + (step.move ?? step.go!);
  if (to < 0 || to >= count) return;
  const item = event.currentTarget as HTMLElement;
  // A move is of what is drawn: a key that is held waits for the drawing.
  if (!(item.getRootNode() as ShadowRoot).host.hasAttribute('drawn')) return;
  item.parentElement!.querySelectorAll<HTMLElement>('li[tabindex]')[to]!.focus();
  if (step.move) moveToken(view, place, to);
  else view.setFocus({ token: view.data.shown.order[to]!, other: noKey });
}

export function drawTokens(view: LabView, focus: LabFocus): TemplateResult {
  const { request, positions, shown, outputChange, trained } = view.data;
  const shuffled = isShuffled(view);
  const tallest = Math.max(outputChange.largest, 0.1);
  const key = showsVectors(view.settings.view) ? -1 : focus.other;
  const hidden = shown.order.length - mostTokens;
  const count = Math.min(mostTokens, shown.order.length);
  // What a tokenizer makes of a text are not its words.
  const isFixed = trained === 'llama' || request.tokens.length === 1;
  const item = (token: number, place: number) => {
    const change = outputChange.perToken[token]!;
    const title = shuffled ? view.say.change.perToken(rounded(change)) : '';
    const height = (100 * change) / tallest;
    const look = `${token === focus.token ? 'is-query' : ''} ${token === key ? 'is-key' : ''}`;
    const point = () => view.setFocus({ token, other: focus.other });
    const bar = html`<svg class="lab-bar" viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y=${100 - height} width="10" height=${height}></rect></svg>`;
    const inner = html`${shuffled ? bar : nothing}
      <bdi>${request.tokens[token]}</bdi><span class="lab-position">${positions[place]}</span>`;
    if (isFixed) return html`<li class=${look} title=${title} @pointerenter=${point}>${inner}</li>`;
    return html`<li
      class="is-movable ${look}"
      title=${title}
      role="option"
      aria-selected=${token === focus.token}
      tabindex=${token === focus.token || (place === 0 && focus.token >= count) ? 0 : -1}
      @pointerenter=${point}
      @pointerdown=${(event: PointerEvent) => startDrag(event, (to) => moveToken(view, place, to))}
      @keydown=${(event: KeyboardEvent) => pressKey(view, event, place, count)}
    >${inner}</li>`;
  };
  const name = view.say.tokens(request.tokens.length);
  return html`<div class="lab-strip">
    ${shuffled ? drawBarLegend(view.say.change.bar(rounded(tallest))) : nothing}
    <ol class="lab-tokens ${shuffled ? 'is-shuffled' : ''}" role=${isFixed ? nothing : 'listbox'}
      aria-label=${isFixed ? name : view.say.moveKeys(name)}>
      ${shown.order.slice(0, mostTokens).map(item)}
      ${hidden > 0 ? html`<li class="lab-more" role="presentation">${view.say.more(hidden)}</li>` : nothing}
    </ol>
    ${isFixed ? nothing : html`<p class="lab-move" aria-hidden="true">${view.say.move}</p>`}
    <p class="visually-hidden" role="status">${focus.moved}</p>
  </div>`;
}

const drawBarLegend = (words: string) =>
  html`<p class="lab-bar-legend"><svg class="lab-bar" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10"></rect></svg>${words}</p>`;
