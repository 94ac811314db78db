/** The curve of a diagnosis: the data, what the config says, what the first hypothesis says. */
import { css, html, LitElement, nothing } from 'lit';
import type { Curve } from 'ropewalk/diagnose';
import { plotStyle } from '../figures/plot_style.ts';
import type { Language } from '../languages.ts';
import { lineChart, type Point, type Series } from '../plots/line_chart.ts';
import { axisIn } from './chinese.ts';
import { wordsOf } from './text.ts';

/** Scores of masked keys are large negative constants in some formats. */
const isShown = (value: number) => Number.isFinite(value) && Math.abs(value) < 1e4;

/** The range of some values, with room at both ends. */
function domainOf(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.06 || Math.abs(high) || 1;
  return [low - room, high + room];
}

class CurveElement extends LitElement {
  static override properties = {
    curve: { attribute: false },
    language: { attribute: false },
    name: { attribute: false },
    width: { state: true },
  };
  static override styles = [
    plotStyle,
    css`
      :host {
        container-type: inline-size;
        display: block;
        font: 0.9375rem/1.5 var(--sans);
        margin-block: 1.5rem;
      }
      .position { color: var(--position); }
      details { margin-top: 0.75rem; font-size: 0.875rem; }
      summary { cursor: pointer; }
      .rows { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { text-align: right; padding: 0.1rem 1rem 0.1rem 0; font-weight: 400; }
      thead th { color: var(--faint); }
      summary:focus-visible,
      .rows:focus-visible { outline: 2px solid var(--ink); outline-offset: 3px; }
    `,
  ];

  declare curve: Curve | undefined;
  declare language: Language;
  /** What the hypothesis is called. */
  declare name: string;
  declare width: number;

  #size = new ResizeObserver(([entry]) => {
    this.width = Math.floor(entry!.contentRect.width);
  });

  override connectedCallback() {
    super.connectedCallback();
    this.width = this.clientWidth;
    this.#size.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#size.disconnect();
  }

  override render() {
    const { curve, width } = this;
    if (!curve || !width) return nothing;
    const words = wordsOf(this.language);
    const axis = axisIn(this.language, curve.axis);
    const { where, x, observed, expected, explained } = curve;
    const named: [name: string, look: string, values: readonly number[]][] = [
      [words.byConfig, 'faint dashed', expected],
      ...(explained.length > 0
        ? [[this.name, 'position', explained] as [string, string, number[]]]
        : []),
      [words.observed, 'plain', observed],
    ];
    const series = named.map(([name, look, values]): Series => ({
      name,
      look,
      dots: values === observed,
      points: x
        .map((at, i): Point => [at, isShown(values[i]!) ? values[i]! : NaN])
        .filter(([, value]) => values !== observed || Number.isFinite(value)),
    }));
    const all = series.flatMap(({ points }) => points.map(([, y]) => y)).filter(Number.isFinite);
    if (all.length === 0) return nothing;
    const fixed = Object.entries(where.at)
      .filter(([key]) => key !== curve.axis && key !== 'row' && key !== 'value')
      .map(([key, value]) => `${axisIn(this.language, key)} ${value}`);
    const label = words.curve([where.array, ...fixed].join(', '), axis);
    // Frequencies span many powers of ten.
    const isLog = curve.axis === 'pair' && all.every((value) => value > 0);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return html`${lineChart({
      width,
      height: { share: 0.4, min: 220, max: 300 },
      x: { domain: [x[0]!, Math.max(x.at(-1)!, x[0]! + 1)], label: axis, whole: true },
      y: {
        domain: isLog && high > low ? [low / 1.3, high * 1.3] : domainOf(all),
        label: [where.array, ...fixed].join(', '),
        ...(isLog && high > low && { scale: 'log' as const }),
      },
      series,
      label,
    })}
      <details>
        <summary>${words.numbers}</summary>
        <div class="rows" tabindex="0" role="region" aria-label=${label}>
          <table>
            <thead>
              <tr>
                <th scope="col">${axis}</th>
                ${named.map(([name]) => html`<th scope="col">${name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${x.map(
                (at, i) =>
                  html`<tr>
                    <th scope="row">${at}</th>
                    ${named.map(([, , values]) => html`<td>${Number(values[i]!.toPrecision(6))}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>`;
  }
}

customElements.define('rw-curve', CurveElement);
