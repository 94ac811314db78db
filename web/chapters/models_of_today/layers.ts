/** The layers of several models side by side: which rotate, and what the others do instead. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { isBiased, isCompressed, isOther, seesAll, type Layer } from '../../figures/layer_kinds.ts';
import { layerPresets } from '../../figures/layer_presets.ts';
import { drawKinds, kindsOf } from '../../figures/layer_stack.ts';
import { textWidth } from '../../plots/axis.ts';
import { traits, words, type Group, type Trait } from './layers_text.ts';
import { layersStyle } from './layers_style.ts';

/** In the order of the table. */
const shown = [
  'llama-4-scout',
  'smollm3-3b',
  'gemma-3-27b',
  'gemma-4',
  'qwen3-5-27b',
  'deepseek-v3',
  'deepseek-v4-flash',
  'kimi-linear-48b',
] as const;

/** No rotary model, so its configuration is not read: the defaults of InklingTextConfig. */
const inkling = {
  id: 'inkling',
  title: 'Inkling',
  layers: Array.from({ length: 66 }, (_, at): Layer => {
    const isFull = at % 6 === 5;
    return {
      kind: isFull ? 'biased_full' : 'biased_sliding',
      rotates: false,
      isScaled: false,
      ...(!isFull && { window: 512 }),
    };
  }),
} as const;

interface Model {
  id: string;
  title: string;
  layers: readonly Layer[];
}

const presets = shown.map((id) => layerPresets.find((preset) => preset.id === id)!);
const titles = [...presets, inkling].map(({ id, title }) => ({
  value: id,
  label: { en: title, zh: title },
}));

const controls = defineControls({
  model: {
    kind: 'choice',
    label: words.model,
    default: 'kimi-linear-48b',
    look: 'menu',
    display: true,
    options: titles,
  },
});

type StripView = ViewOf<typeof controls, typeof words.strings, readonly Model[], string>;

const chosen = ({ data, settings, focus }: StripView): Model =>
  data.find(({ id }) => id === (focus ?? settings.model))!;

const groups = ['every', 'some', 'none'] as const satisfies readonly Group[];

function groupOf({ layers }: Model): Group {
  const rotating = layers.filter(({ rotates }) => rotates).length;
  return rotating === layers.length ? 'every' : rotating > 0 ? 'some' : 'none';
}

function traitOf(layer: Layer, group: Group): Trait {
  if (!layer.rotates)
    return isOther(layer.kind) ? 'decays' : isBiased(layer) ? 'biased' : 'unrotated';
  if (group !== 'every') return 'rotates';
  return isCompressed(layer) ? 'seesCompressed' : seesAll(layer) ? 'seesAll' : 'seesNear';
}

/** Names and strips stand side by side in a wide drawing, one above the other in others. */
const wide = 520;
const cell = 22;
const headHeight = 30;

/** The bars of a model: short ones see a part of the text, halves a compressed rest. */
function drawBars({ layers }: Model, left: number, bottom: number, pitch: number) {
  const kinds = kindsOf(layers);
  return layers.map((layer, index) => {
    const look = kinds.find((kind) => kind.layers.includes(index))!.look;
    const bar = (name: string, height: number, y: number) => svg`<rect class="${name} ${look}"
      x=${left + index * pitch + 0.5} y=${y} width=${Math.max(1, pitch - 1)} height=${height} />`;
    const tall = seesAll(layer) && !isCompressed(layer) ? cell : cell / 2;
    return svg`${isCompressed(layer) ? bar('earlier', cell / 2, bottom - cell) : nothing}
      ${bar('layer', tall, bottom - tall)}`;
  });
}

/** A row per model, below the heading of its group. */
function drawStrips(view: StripView): TemplateResult {
  const { data, width, settings, say } = view;
  const isWide = width >= wide;
  const longest = Math.max(...data.map(({ title }) => textWidth(title)));
  const left = isWide ? longest * 0.85 + 12 : 4;
  const most = Math.max(...data.map(({ layers }) => layers.length));
  const pitch = (width - left - 4) / most;
  const row = isWide ? 32 : 48;
  const drawRow = (model: Model, y: number) => {
    const { id, title } = model;
    const bottom = y + row - 5;
    const isAt = id === settings.model;
    return svg`<rect class=${isAt ? 'row chosen' : 'row'} x="0" y=${y} width=${width} height=${row - 1} />
      <text x=${isWide ? 6 : left} y=${isWide ? bottom - 6 : y + 16}
        class=${isAt ? 'is-at' : ''}>${title}</text>
      ${drawBars(model, left, bottom, pitch)}
      <rect class="pointer" x="0" y=${y} width=${width} height=${row}
        @pointerenter=${() => view.setFocus(id)} @pointerleave=${() => view.setFocus(undefined)}
        @click=${() => view.set({ model: id as typeof settings.model })} />`;
  };
  let height = 0;
  const drawn = groups.map((group) => {
    const models = data.filter((model) => groupOf(model) === group);
    const top = height + headHeight;
    height = top + models.length * row;
    return svg`<text class="group" x="0" y=${top - 9}>${say.groups[group]} (${models.length})</text>
      ${models.map((model, at) => drawRow(model, top + at * row))}`;
  });
  return html`<div class="plot">
    <svg class="strips" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      role="img" aria-label=${describe(view)}>${drawn}</svg>
  </div>`;
}

function drawLegend({ say }: StripView): TemplateResult {
  const looks = {
    'is-base-0': say.legend.rotates,
    'is-base-1': say.legend.larger,
    'is-unrotated': say.legend.unrotated,
    'is-recurrent': say.legend.recurrent,
    'is-biased': say.legend.biased,
  };
  return html`<ul class="looks">
    ${Object.entries(looks).map(
      ([look, text]) => html`<li><svg width="12" height="14" aria-hidden="true"><rect
        class="layer ${look}" x="1" y="1" width="10" height="12" /></svg>${text}</li>`,
    )}
    <li><svg width="12" height="14" aria-hidden="true"><rect class="layer short" x="1" y="7"
      width="10" height="6" /></svg>${say.legend.short}</li>
    <li><svg width="12" height="14" aria-hidden="true"><rect class="earlier short" x="1" y="1"
      width="10" height="6" /><rect class="layer short" x="1" y="7" width="10" height="6" /></svg>${say.legend.compressed}</li>
  </ul>`;
}

function describe(view: StripView): string {
  const { data, say } = view;
  const { title: model, layers } = chosen(view);
  const group = groupOf(chosen(view));
  const parts = traits
    .map(
      (trait) => [trait, layers.filter((each) => traitOf(each, group) === trait).length] as const,
    )
    .filter(([, count]) => count > 0);
  const alike = data.filter((each) => groupOf(each) === group).length;
  return say.verdict({ group, alike, models: data.length, model, layers: layers.length, parts });
}

export default defineFigure({
  claims: [],
  isWide: true,
  text: words.strings,
  tries: words.tries,
  controls,
  async compute(): Promise<readonly Model[]> {
    const { layerPlan } = await import('../../worker/layer_plan.ts');
    const read = presets.map(({ id, title, config }) => ({
      id,
      title,
      layers: layerPlan(config).layers,
    }));
    return [...read, inkling];
  },
  draw: (view: StripView) => html`${drawLegend(view)} ${drawStrips(view)}
    <div class="values-only">${drawKinds(kindsOf(chosen(view).layers), view.say)}</div>`,
  describe,
  table: ({ data, say }: StripView) => ({
    columns: say.columns,
    rows: data.flatMap(({ title, layers }) =>
      kindsOf(layers).map(({ layer, layers: alike }) => [title, alike.length, say.kind(layer)]),
    ),
  }),
  styles: layersStyle,
});
