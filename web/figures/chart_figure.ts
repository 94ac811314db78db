/**
 * A figure of line charts. `show` returns what it shows: charts, numbers, a description, and the
 * columns of the value table. Width, legend, cursor, read-out, pointer and the order on the page
 * follow. A figure that shows more than that is a `defineFigure`.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { lineChart, type LineChart } from '../plots/line_chart.ts';
import type { Language } from '../languages.ts';
import {
  defineFigure,
  type AnyFigure,
  type Controls,
  type Figure,
  type FigureTexts,
  type RangeControl,
  type Settings,
  type SettingsOf,
  type Table,
  type View,
  type ViewOf,
} from './figure.ts';
import { numbers, type Results } from './numbers.ts';

/** Cursor and pointer follow from `ChartFigure.cursor` where a chart does not set its own. */
export interface Chart extends Omit<LineChart, 'width' | 'label'> {
  /** What a screen reader says for the drawing. Default: the description of the figure. */
  label?: string;
  /** Above the chart. */
  before?: TemplateResult;
}

type Columns = readonly (readonly [name: string, values: ArrayLike<number | string>])[];

export interface ChartContent {
  /** What the figure finds about its question, with the numbers: `describe` of the figure. */
  description: string;
  charts: readonly Chart[];
  /** Between the charts and the numbers. */
  after?: TemplateResult;
  numbers?: Results;
  /** The value table, whole or by its columns. */
  table: Table | Columns;
}

/** `Cursor` is the key of the setting that the cursor shows, or never. */
interface ChartView<Settings, Data, Focus, Say, Cursor> extends View<Settings, Data, Focus, Say> {
  /** The x of the cursor: under the pointer, or else of the setting that the cursor shows. */
  cursor: [Cursor] extends [never] ? undefined : number;
}

export interface ChartFigure<
  C extends Controls,
  Texts extends FigureTexts,
  Data,
  Focus,
  Cursor extends string,
> extends Omit<Figure<C, Texts, Data, Focus>, 'draw' | 'describe' | 'table'> {
  /**
   * The range that the cursor shows while nothing is pointed at; a press on a chart sets it. Under
   * the pointer it takes whole numbers, which are the focus. Default: each chart has its own
   * cursor.
   */
  cursor?: Cursor;
  /** Pure. */
  show(view: ChartView<SettingsOf<C>, Data, Focus, Texts[Language], Cursor>): ChartContent;
}

export function chartFigure<
  const C extends Controls,
  Texts extends FigureTexts,
  Data,
  Focus = number,
  Cursor extends keyof C & string = never,
>(definition: ChartFigure<C, Texts, Data, Focus, Cursor>): AnyFigure {
  const { cursor, show, ...figure } = definition;
  type Shown = ViewOf<C, Texts, Data, Focus>;
  const pointing = (view: Shown) =>
    cursor && pointingAt(cursor, figure.controls[cursor] as RangeControl, view as never);
  const contentOf = (view: Shown) => show({ ...view, cursor: pointing(view)?.cursor as never });
  return defineFigure<C, Texts, Data, Focus>({
    ...figure,
    draw(view) {
      const { charts, after, numbers: results, description } = contentOf(view);
      const drawn = charts.map(
        ({ before, ...chart }) => html`${before ?? nothing}
          ${lineChart({ width: view.width, label: description, ...pointing(view), ...chart })}`,
      );
      return html`${drawn} ${after ?? nothing} ${results ? numbers(results) : nothing}`;
    },
    describe: (view) => contentOf(view).description,
    table(view) {
      const { table } = contentOf(view);
      return 'rows' in table ? table : tableOf(table);
    },
  });
}

function tableOf(columns: Columns): Table {
  const [[, first] = ['', []]] = columns;
  return {
    columns: columns.map(([name]) => name),
    rows: Array.from(first, (_, row) => columns.map(([, values]) => values[row]!)),
  };
}

/** The cursor of a chart shows the setting `key`, and a press sets it. */
function pointingAt(key: string, control: RangeControl, view: View<Settings, unknown, number>) {
  const { settings, focus, brushed } = view;
  const last = control.limit?.(settings) ?? control.max;
  const clamped = (at: number) => Math.min(last, Math.max(control.min, Math.round(at)));
  const shown = control.brush ? brushed : focus === undefined ? undefined : clamped(focus);
  const point = control.brush ? view.brush : view.setFocus;
  return {
    cursor: shown ?? (settings[key] as number),
    onCursor: (at: number | undefined) => point(at === undefined ? undefined : clamped(at)),
    onPick: (at: number) => view.set({ [key]: clamped(at) }),
  };
}
