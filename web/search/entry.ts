/** A place that the search can find: the assembly writes them, the page reads them. */
export interface SearchEntry {
  /** From the folder of the language: `./rotation.html#rotary-clocks`. */
  address: string;
  /** The title of the page. */
  page: string;
  /** The heading, the question of the figure, or the name of the function. */
  title: string;
  text: string;
}
