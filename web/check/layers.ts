/** <rw-layers>: the stack of layers of a configuration, and what each kind of layer does. */
import { css, html, LitElement, nothing } from 'lit';
import type { Layer } from '../figures/layer_kinds.ts';
import { drawLayer, drawStack, kindsOf } from '../figures/layer_stack.ts';
import { layerStackStyle } from '../figures/layer_stack_style.ts';
import { kindIn, stackWords } from '../figures/layer_stack_text.ts';
import { plotStyle } from '../figures/plot_style.ts';
import type { Language } from '../languages.ts';

class LayersElement extends LitElement {
  static override properties = {
    layers: { attribute: false },
    language: { attribute: false },
    width: { state: true },
    at: { state: true },
  };
  static override styles = [
    plotStyle,
    layerStackStyle,
    css`
      :host {
        container-type: inline-size;
        display: block;
        font: 0.9375rem/1.5 var(--sans);
        margin-block: 0.75rem;
      }
      .kinds { margin-block: 0 1rem; }
      p { margin: 0; }
      .steps { display: flex; gap: 0.5rem; align-items: baseline; margin-block: 0.5rem 0; }
      button { font: inherit; color: inherit; background: none; border: 1px solid var(--rule);
        padding: 0.1rem 0.6rem; cursor: pointer; }
      @media print { .steps { display: none; } }
      button:focus-visible { outline: 2px solid var(--ink); outline-offset: 3px; }
    `,
  ];

  declare layers: readonly Layer[];
  declare language: Language;
  declare width: number;
  /** Index of the layer that is described. */
  declare at: number;

  #size = new ResizeObserver(([entry]) => {
    this.width = Math.floor(entry!.contentRect.width);
  });

  constructor() {
    super();
    this.at = 0;
  }

  override connectedCallback() {
    super.connectedCallback();
    // Drawn in the frame in which it comes, so that nothing below moves.
    this.width = this.clientWidth;
    this.#size.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#size.disconnect();
  }

  override render() {
    const { layers, language, width } = this;
    if (!layers?.length || !width) return nothing;
    const words = stackWords[language];
    const kinds = kindsOf(layers);
    const at = Math.min(this.at, layers.length - 1);
    const step = (by: number) => {
      this.at = (at + by + layers.length) % layers.length;
    };
    const kindLines = kinds.map(
      ({ layers: all, layer }) => words.count(all.length) + kindIn[language](layer),
    );
    return html`<ul class="kinds">
        ${kinds.map(
          ({ look, layer }, i) => html`<li>
            <svg width="40" height="12" aria-hidden="true">${drawLayer(layer, look, { x: 1, y: 1, until: 37, height: 10 })}</svg>
            <span>${kindLines[i]}</span>
          </li>`,
        )}
      </ul>
      ${
        kinds.length > 1
          ? html`${drawStack({
              layers,
              kinds,
              at,
              width,
              label: kindLines.join('; '),
              axis: words.axis,
              full: words.full,
              side: words.side,
              point: (layer) => {
                if (layer !== undefined) this.at = layer;
              },
              pick: (layer) => {
                this.at = layer;
              },
            })}
            <div class="steps">
              <button type="button" aria-label=${words.before} @click=${() => step(-1)}>↓</button>
              <button type="button" aria-label=${words.after} @click=${() => step(1)}>↑</button>
              <p role="status">${words.layer(at + 1, layers[at]!)}</p>
            </div>`
          : nothing
      }`;
  }
}

customElements.define('rw-layers', LayersElement);
