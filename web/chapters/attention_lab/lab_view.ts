/**
 * The drawing of the lab: sentence, tokens, what order is worth, the map, and the sum of a cell.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { magnitudeScale } from '../../plots/colors.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import '../../plots/pixels.ts';
import type { SchemeName } from '../../toy/schemes.ts';
import { drawCell } from './cell_view.ts';
import { drawChangeOfWeights, drawSchemes } from './compare_view.ts';
import { entering, noKey, type LabFocus, type LabView } from './lab_controls.ts';
import { shows, type ModeName } from './lab_modes.ts';
import { drawMaps, hasDifference, hasTwoMaps, roundingLimit, showsVectors } from './maps_view.ts';
import { drawPointed } from './pointed_view.ts';
import { schemeText } from './scheme_text.ts';
import { drawTokens, isShuffled } from './tokens_view.ts';
import { examples, type ExampleName } from './text.ts';
import { labLlama, sameAsTrained, schemeFor, trainedSchemes, trainedSymbols } from './trained.ts';

export function drawLab(view: LabView): TemplateResult {
  const { control, data, settings, theme, language } = view;
  const { mode } = settings;
  const focus = currentFocus(view);
  // A slider that moves redraws itself at once; all else waits for the result.
  const drawn = [
    data,
    mode,
    settings.view,
    settings.difference,
    theme,
    language,
    focus.token,
    focus.other,
    focus.moved,
  ];
  const part = (draw: (view: LabView, focus: LabFocus) => TemplateResult) =>
    guard(drawn, () => draw(view, focus));
  return html`<div class="lab is-${mode}">
    <div class="lab-top">
      ${shows(mode, 'compare') ? nothing : drawFewSchemes(view)}
      <div class="lab-modes" @change=${(event: Event) => chooseMode(view, event)}>${control('mode')}</div>
    </div>
    ${shows(mode, 'compare') ? drawSchemes(view) : nothing}
    ${shows(mode, 'inside') ? drawLayer(view) : nothing}
    <p class="lab-past" role="status">${drawPast(view)}</p>
    ${part(drawTokens)} ${drawSentence(view)} ${drawVerdict(view)}
    ${shows(mode, 'compare') ? control('view') : nothing}
    ${data.compared ? html`<div class="lab-between">${hasDifference(view) ? control('difference') : nothing} ${part(drawChangeOfWeights)}</div>` : nothing}
    <div class="lab-bench ${hasTwoMaps(view) ? 'has-two' : ''} ${shows(mode, 'inside') ? 'has-cell' : ''}">
      ${part(drawMaps)} ${part(shows(mode, 'inside') ? drawCell : drawPointed)}
    </div>
    ${shows(mode, 'inside') ? part(drawHeads) : nothing}
    ${shows(mode, 'bench') ? drawBench(view) : nothing}
  </div>`;
}

function chooseMode(view: LabView, { target }: Event) {
  view.set(entering((target as HTMLInputElement).value as ModeName, view.settings));
}

/** Five schemes that act in different places, and the one on show. */
function drawFewSchemes({ control, settings, say }: LabView): TemplateResult {
  const names: Partial<Record<SchemeName, string>> = say.fewSchemes;
  const shown = new Set([...(Object.keys(names) as SchemeName[]), settings.scheme]);
  const options = [...shown].map((value) => {
    const { name } = schemeText[value];
    const label = names[value];
    return { value, label: label ? { en: label, zh: label } : name };
  });
  return control('scheme', { look: 'segments', options });
}

/** Whose weights the layer has, and where the text begins. */
function drawLayer(view: LabView): TemplateResult {
  const { control, settings } = view;
  const { weights } = settings;
  const layer = { random: 'causal', trained: 'layer', llama: 'llamaLayer' } as const;
  return html`<div class="controls lab-layer" @change=${(event: Event) => chooseScheme(view, event)}>
      ${control('weights')} ${control(layer[weights])} ${control('offset')}
    </div>
    ${weights === 'random' ? nothing : drawTraining(view)}`;
}

/** Sizes of the layer with random weights, and what its result costs. */
function drawBench({ control, data, settings, say, recompute }: LabView): TemplateResult {
  const { elapsed, request, compared, shown } = data;
  const passes = (request.shuffle === 0 ? 1 : 2) + (compared ? 1 : 0);
  const { heads, headDim } = request;
  const scores = heads * shown.order.length ** 2;
  return html`${settings.weights === 'random' ? html`<div class="controls lab-model">${control('heads')} ${control('dim')} ${control('likeness')} ${control('seed')}</div>` : nothing}
    <div class="lab-cost">
      <p>
        ${inserted(
          (time) => say.cost(time, passes, whole(scores), whole(scores * headDim)),
          html`<data data-number="elapsed" value=${elapsed}>${fixed(elapsed, 1)}</data>`,
        )}
      </p>
      <button type="button" class="lab-again" @click=${() => recompute()}>${say.again}</button>
    </div>`;
}

/** Weights come with the scheme that they were trained with. */
function chooseScheme({ settings, set }: LabView, { target }: Event) {
  const { name, value } = target as HTMLInputElement;
  if (name === 'weights' && (value === 'trained' || value === 'llama'))
    set({ scheme: schemeFor(value, settings.scheme) });
}

/** What is pointed at, or a pair worth looking at: a word that comes twice, from another word. */
function currentFocus({ data, settings, focus }: LabView): LabFocus {
  const { tokens } = data.request;
  const { view } = settings;
  const others = showsVectors(view) ? data.shown[view].length / tokens.length : tokens.length;
  const isBasic = settings.mode === 'basic';
  const isThere = focus && focus.token < tokens.length && focus.other < others;
  if (isThere && (isBasic || focus.other !== noKey)) return focus;
  if (showsVectors(view)) return { token: 0, other: 0 };
  const last = new Map(tokens.map((token, i) => [token, i]));
  const repeated = tokens.findIndex((token, i) => last.get(token)! > i);
  const other = Math.max(0, repeated);
  // After the key, so that a causal mask does not hide it; one that comes twice, too, if there is.
  const after = [...tokens.keys()].filter((i) => i > other && tokens[i] !== tokens[other]);
  const isRepeated = (i: number) => tokens.indexOf(tokens[i]!) !== last.get(tokens[i]!);
  const token = after.find(isRepeated) ?? after[0] ?? 0;
  return { ...focus, token: isThere ? focus.token : token, other: isBasic ? noKey : other };
}

function drawSentence(view: LabView): TemplateResult {
  const { fault } = view.data;
  const names = Object.keys(examples) as ExampleName[];
  return html`<details class="lab-sentence">
      <summary>${view.say.another}</summary>
      ${view.control('text')}
      <p class="lab-examples">
      ${view.say.tryOne}
      ${names.map((name) => {
        const take = () => view.set({ text: examples[name], shuffle: 0 });
        return html`<button type="button" class="lab-example" @click=${take}>${view.say.examples[name]}</button> `;
      })}
      </p>
    </details>
    <p class="lab-fault" role="status">${fault ? view.say.fault(fault) : nothing}</p>`;
}

/** What was trained and for how long, and what differs from that training. */
function drawTraining(view: LabView): TemplateResult | typeof nothing {
  const { data, language, say, set } = view;
  const { trained, request } = data;
  const t = say.trained;
  if (!trained) return nothing;
  const name = (scheme: SchemeName) => schemeText[scheme].name[language];
  if (trained === 'llama') return drawLlama(view);
  const scheme = trainedSchemes[trained.variant];
  const { steps, trainer } = trained.plan;
  const symbols = new Set(request.tokens).size;
  const shown = [request.scheme, request.compare];
  const isAsTrained = (one?: SchemeName) => one && sameAsTrained(trained.variant, one);
  const others = shown.filter((one) => one && !isAsTrained(one));
  const reordered = shown.find((one) => isAsTrained(one) && one !== scheme);
  const take = () => set({ scheme });
  return html`<p class="lab-note lab-training">
    <span role="status">
      ${t.setting(name(scheme), whole(steps))}
      ${
        others.length > 0
          ? t.swapped(
              name(scheme),
              others.map((one) => name(one!)),
            )
          : nothing
      }
      ${reordered ? t.reordered(name(reordered)) : nothing}
      ${symbols > trainedSymbols ? t.shared(symbols) : nothing}
      ${request.tokens.length > trainer.length! ? t.longer(request.tokens.length) : nothing}
    </span>
    ${
      isAsTrained(request.scheme)
        ? nothing
        : html`<button type="button" class="lab-example" @click=${take}>${t.asTrained(name(scheme))}</button>`
    }
  </p>`;
}

/** What the Llama is, and which other scheme is shown in place of its own. */
function drawLlama({ data, language, say, set }: LabView): TemplateResult {
  const { scheme, compare } = data.request;
  const t = say.trained;
  const name = (one: SchemeName) => schemeText[one].name[language];
  const others = [scheme, compare].filter((one) => one && !sameAsTrained('rope', one));
  const own = labLlama.scheme;
  return html`<p class="lab-note lab-training">
    <span role="status">${t.llama} ${
      others.length > 0
        ? t.swapped(
            name(own),
            others.map((one) => name(one!)),
          )
        : nothing
    }</span>
    ${
      sameAsTrained('rope', scheme)
        ? nothing
        : html`<button type="button" class="lab-example" @click=${() => set({ scheme: own })}>${t.asTrained(name(own))}</button>`
    }
  </p>`;
}

/** Why the text does not begin at the requested position, or has a mask without the switch. */
function drawPast({ data, settings, say }: LabView): string | typeof nothing {
  const { requestedOffset, request } = data;
  const { tokens, offset, causal } = request;
  if (requestedOffset !== undefined)
    return say.past(whole(requestedOffset), tokens.length, whole(offset));
  // A trained layer has the mask of its training.
  const isNeeded = causal && !settings.causal && settings.weights === 'random';
  return isNeeded ? say.maskNeeded : nothing;
}

/** The two buttons, what the shuffle did to the outputs, and what the offset did to the weights. */
function drawVerdict(view: LabView): TemplateResult {
  const again = () => view.set({ shuffle: (view.settings.shuffle % 999) + 1 });
  const restore = () => view.set({ shuffle: 0 });
  return html`<div class="lab-verdict">
    <span class="lab-buttons">
      <button type="button" class="lab-shuffle" @click=${again}>${view.say.shuffle}</button>
      <button type="button" class="lab-restore" ?disabled=${!isShuffled(view)} @click=${restore}>${view.say.restore}</button>
    </span>
    <p role="status" data-claim="C01">${isShuffled(view) ? drawChange(view) : view.say.change.not} ${drawOffset(view)}</p>
  </div>`;
}

function drawChange({ data, say }: LabView): TemplateResult {
  const t = say.change;
  const { scheme, causal } = data.request;
  const { largest } = data.outputChange;
  const number = html`<data data-number="output-change" value=${largest}>${rounded(largest)}</data>`;
  if (largest < roundingLimit) return inserted(largest === 0 ? t.exact : t.none, number);
  return html`${inserted(t.some, number)} ${scheme === 'none' && causal ? t.mask : nothing}`;
}

/**
 * A sentence with marked-up numbers where it wants them, in the order in which it is given them.
 */
function inserted(
  sentence: (...numbers: string[]) => string,
  ...numbers: TemplateResult[]
): TemplateResult {
  const words = sentence(...numbers.map(() => '\u0000')).split('\u0000');
  return html`${words.map((word, i) => html`${word}${numbers[i] ?? nothing}`)}`;
}

const thumbnail = 64;

/** Every head's weights as a small picture; the one on show can be changed here. */
function drawHeads(view: LabView): TemplateResult {
  const { data, theme, say } = view;
  const { heads, head } = data.request;
  if (heads === 1) return html``;
  return html`<div class="lab-heads" role="group" aria-label=${say.heads}>
    ${data.shown.pictures.map(
      ({ side, values, limit }, index) => html`<button
        type="button"
        class="lab-head"
        aria-pressed=${index === head}
        @click=${() => view.set({ head: index + 1 })}
      >
        <span class="lab-thumbnail"
          ><rw-pixels
            .box=${{ left: 0, top: 0, width: thumbnail, height: thumbnail }}
            .matrix=${{ values, rows: side, columns: side }}
            .scale=${magnitudeScale(theme, limit)}
          ></rw-pixels
        ></span>
        ${say.headName(index + 1)}
      </button>`,
    )}
  </div>`;
}

function drawOffset({ data, say }: LabView): TemplateResult | typeof nothing {
  const { offset } = data.request;
  if (offset === 0) return nothing;
  const t = say.offsetChange;
  const { offsetChange: change, compared } = data;
  const from = whole(offset);
  const number = (name: string, value: number) =>
    html`<data data-number=${name} value=${value}>${rounded(value)}</data>`;
  const first = number('offset-change', change);
  if (compared) {
    const second = number('offset-change-b', compared.offsetChange);
    return inserted((a, b) => t.both(from, a, b), first, second);
  }
  const sentence = change === 0 ? t.exact : change < roundingLimit ? t.none : t.some;
  return inserted((largest) => sentence(from, largest), first);
}
