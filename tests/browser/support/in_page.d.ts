/**
 * The names that exist in the page, for the functions that the tests run there: the members of the
 * page's elements that the tests use, and what the tests themselves put into the global scope.
 */
interface FigureControl {
  kind: 'range' | 'choice' | 'switch' | 'text';
  default: unknown;
  min?: number;
  max?: number;
  step?: number | 'log';
  options?: { value: string }[];
  display?: true;
  brush?: true;
}

type FigureSettings = Record<string, string | number | boolean>;

interface FigureElement extends HTMLElement {
  /** Undefined until the figure has loaded. */
  readonly figure: { controls: Record<string, FigureControl> } | undefined;
  settings: FigureSettings;
  width: number;
  readonly isUpdatePending: boolean;
  readonly updateComplete: Promise<boolean>;
  load(): Promise<void>;
  readonly state: FigureSettings | undefined;
  set(changes: FigureSettings): Promise<void>;
  /** The number of pairs, for a figure that shows one. */
  pairCount(): number | undefined;
  choosePair(pair: number): void;
}

interface ScoreMapElement extends HTMLElement {
  data: {
    value(row: number, column: number): number;
    twins?(row: number): { rows: readonly number[]; areEqual: boolean };
    margin?: object;
  };
  marked: { row: number; column: number };
  readonly updateComplete: Promise<boolean>;
}

interface WeightMapElement extends HTMLElement {
  /** True while nothing may move. */
  still: boolean;
}

interface HTMLElementTagNameMap {
  'ropewalk-figure': FigureElement;
  'rw-score-map': ScoreMapElement;
  'rw-weight-map': WeightMapElement;
}

interface ParentNode {
  querySelector(selector: `ropewalk-figure[${string}]`): FigureElement | null;
  /** In the attention lab. */
  querySelector(selector: '[name="attention-lab"]'): FigureElement | null;
}

/** The figure of the lab (support/lab.mjs), and the elements of its shadow root. */
declare var figure: FigureElement;
declare var inside: {
  <Name extends keyof HTMLElementTagNameMap>(selector: Name): HTMLElementTagNameMap[Name][];
  (selector: string): HTMLElement[];
};

/** Functions in every tab prepared with prepareSettings (support/settings.mjs). */
declare var atEachSetting: typeof import('./settings.mjs').atEachSetting;
declare var settingsOf: typeof import('./settings.mjs').settingsOf;
declare var show: typeof import('./settings.mjs').show;

/** The events of a figure so far: type and detail (element_state.test.mjs). */
declare var heard: [string, FigureSettings][];
/** Durations of the long tasks so far, in milliseconds. */
declare var longTasks: number[];
/** The longest pause of the page, and its long tasks where the browser reports them, in ms. */
declare var watched: { pause: number; tasks: number[] | undefined };

/** The text that accessibility tests run in the page. */
declare var axe: typeof import('axe-core');
