/** Importing this makes <ropewalk-figure> known to the page; on a server it does nothing. */
export interface RopewalkFigure extends HTMLElement {
  /** Language of the nearest element with `lang`. */
  readonly language: 'en' | 'zh';
  /** The settings that differ from their defaults, as attributes. */
  readonly words: ReadonlyMap<string, string>;
}

declare global {
  interface HTMLElementTagNameMap {
    'ropewalk-figure': RopewalkFigure;
  }
}
