/** The layers of a model as a stack: which rotate, with which base, and how far each sees. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { layerPresets } from '../../figures/layer_presets.ts';
import { drawKinds, drawStack, kindsOf } from '../../figures/layer_stack.ts';
import { numbers } from '../../figures/numbers.ts';
import { range } from '../../figures/shared_controls.ts';
import { whole } from '../../plots/number.ts';
import type { LayerPlan } from '../../worker/layer_plan.ts';
import { words } from './layer_plan_text.ts';
import { layerPlanStyle } from './layer_plan_style.ts';

/** The package reads no longer text and says so, so the rest of a file is not read. */
const largestFile = 2 ** 23;

const controls = defineControls({
  model: {
    kind: 'choice',
    label: words.model,
    default: 'llama-4-scout',
    look: 'menu',
    options: [
      ...layerPresets.map(({ id, title }) => ({ value: id, label: { en: title, zh: title } })),
      { value: 'own', label: words.own },
    ],
  },
  layer: range(words.layer, { default: 4, min: 1, max: 128 }, { display: true }),
  config: {
    kind: 'text',
    label: words.config,
    default: '',
    // A longer file can be read, but no link carries it.
    maxLength: 1500,
    place: 'drawing',
  },
});

type PlanView = ViewOf<typeof controls, typeof words.strings, LayerPlan | undefined, number>;

/** The layer that is described: under the pointer, or chosen. */
const layerOf = ({ data, settings, focus }: PlanView): number =>
  Math.min(focus ?? settings.layer - 1, data!.layers.length - 1);

/** A config.json of the reader's, as text or dropped as a file. */
function drawOwn(view: PlanView): TemplateResult {
  const { settings, language, say, set } = view;
  const take = (config: string) => set({ config, model: 'own' });
  const open = async (file: File | undefined) => {
    if (file) take(await file.slice(0, largestFile + 1).text());
  };
  const picked = (event: Event) => void open((event.target as HTMLInputElement).files?.[0]);
  const drag = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  // The page's panel for models takes what is dropped elsewhere.
  const drop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void open(event.dataTransfer?.files[0]);
  };
  return html`<details class="own" ?open=${settings.model === 'own'} @dragover=${drag} @drop=${drop}>
    <summary>${say.bring}</summary>
    <textarea id="config" rows="5" spellcheck="false" dir="ltr" aria-label=${words.config[language]}
      .value=${live(settings.config)}
      @input=${(event: Event) => take((event.target as HTMLTextAreaElement).value)}></textarea>
    <label>${say.file} <input type="file" accept=".json,application/json" @change=${picked} /></label>
  </details>`;
}

/** What was read from the file, what was assumed, and what contradicts itself. */
function drawAccount({ data, language, say }: PlanView): TemplateResult {
  const { account } = data!;
  const kinds = ['contradicts', 'assumed', 'read'] as const;
  const shown = (value: unknown) => {
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    return text.length > 40 ? `${text.slice(0, 40)}…` : text;
  };
  return html`<details class="account">
    <summary>${say.account(account.read.length, account.assumed.length)}</summary>
    <div class="scrolling" tabindex="0" role="region" aria-label=${say.meaning}>
      <table>
        <thead><tr><th scope="col">${say.key}</th><th scope="col">${say.value}</th><th scope="col">${say.meaning}</th></tr></thead>
        ${kinds
          .filter((kind) => account[kind].length > 0)
          .map(
            (kind) => html`<tbody data-kind=${kind}>
              <tr><th colspan="3" scope="rowgroup">${say[kind]}</th></tr>
              ${account[kind].map(
                ({ key, value, texts }) => html`<tr>
                  <th scope="row"><code>${key}</code></th><td>${shown(value)}</td><td>${texts[language]}</td>
                </tr>`,
              )}
            </tbody>`,
          )}
      </table>
    </div>
  </details>`;
}

function draw(view: PlanView): TemplateResult {
  const { data, settings, say } = view;
  if (!data) return html`<p class="readout" role="status">${say.empty}</p>${drawOwn(view)}`;
  const { layers } = data;
  const kinds = kindsOf(layers);
  const at = layerOf(view);
  // The list of kinds has the formula of a temperature.
  const { temperature, ...plan } = layers[at]!;
  const count = (is: (layer: (typeof layers)[number]) => boolean) =>
    whole(layers.filter(is).length);
  const source = layerPresets.find(({ id }) => id === settings.model)?.source;
  return html`${drawStack({
    layers,
    kinds,
    at,
    width: view.width,
    label: describe(view),
    axis: say.axis,
    full: say.full,
    side: say.side,
    point: view.setFocus,
    pick: (layer) => view.set({ layer: layer + 1 }),
  })}
    <p class="readout">${say.layer(at + 1, plan)}</p>
    ${drawKinds(kinds, say)}
    ${numbers({
      layers: [say.layers, whole(layers.length)],
      rotating: [say.rotating, count(({ rotates }) => rotates)],
      limited: [
        say.limited,
        count(({ window, chunk }) => window !== undefined || chunk !== undefined),
      ],
      scaled: [say.scaled, count(({ isScaled }) => isScaled)],
    })}
    ${source ? html`<p class="source">${say.source(source)}</p>` : nothing}
    ${drawAccount(view)} ${drawOwn(view)}`;
}

/** Every how many layers there is one of these; undefined where they are not at equal steps. */
function periodOf(layers: readonly number[]): number | undefined {
  const steps = new Set(layers.slice(1).map((layer, k) => layer - layers[k]!));
  return steps.size === 1 ? [...steps][0] : undefined;
}

function describe({ data, settings, language, say }: PlanView): string {
  if (!data) return say.empty;
  const title = layerPresets.find(({ id }) => id === settings.model)?.title ?? words.own[language];
  const kinds = kindsOf(data.layers).toSorted((a, b) => b.layers.length - a.layers.length);
  return say.describe(
    title,
    kinds.map(
      ({ layers, layer: { temperature, ...layer } }) => [layers.length, say.kind(layer)] as const,
    ),
    kinds.length === 2 ? periodOf(kinds[1]!.layers) : undefined,
  );
}

export default defineFigure({
  claims: [],
  isWide: true,
  text: words.strings,
  tries: words.tries,
  controls,
  async compute({ model, config }): Promise<LayerPlan | undefined> {
    const preset = layerPresets.find(({ id }) => id === model);
    const given = preset ? preset.config : config.trim();
    if (given === '') return undefined;
    const { layerPlan } = await import('../../worker/layer_plan.ts');
    return layerPlan(given);
  },
  draw,
  describe,
  table: ({ data, say }: PlanView) => {
    const { columns, yes, no } = say.table;
    return {
      columns,
      rows: (data?.layers ?? []).map((layer, at) => [
        at + 1,
        layer.rotates ? yes : no,
        layer.base ?? '',
        layer.isScaled ? yes : no,
        layer.window ?? '',
        layer.chunk ?? '',
        layer.temperature?.scale ?? '',
        layer.temperature?.floorLength ?? '',
      ]),
    };
  },
  styles: layerPlanStyle,
});
