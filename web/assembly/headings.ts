/** Chinese headings, questions of figures and leads of pages, with places where they may break. */
import { breakable } from '../components/word_breaks.ts';

const headings = /(?<=<(h[123]|p(?= class="(?:question|promise)"))\b[^>]*>).*?(?=<\/\1>)/gs;

export const withWordBreaks = (page: string): string =>
  page.replaceAll(headings, (heading) =>
    heading.replaceAll(/<[^>]*>|[^<]+/g, (part) =>
      part.startsWith('<') ? part : breakable(part).join('<wbr />'),
    ),
  );
