/** Makes <ropewalk-figure> known to JSX of React: `import type {} from 'ropewalk/jsx'`. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { FigureAttributes, FigureSettings, RopewalkFigure } from '../elements.js';

type Props = DetailedHTMLProps<HTMLAttributes<RopewalkFigure>, RopewalkFigure>;

declare module 'react' {
  /** As in the snippets of the gallery. */
  interface ImgHTMLAttributes<T> {
    align?: 'left';
  }
  namespace JSX {
    interface IntrinsicElements {
      'ropewalk-figure': Props & FigureAttributes & FigureSettings;
    }
  }
}
