import type { ForwardRefExoticComponent, HTMLAttributes, ReactNode, RefAttributes } from 'react';
import type { FigureAttributes, FigureState, RopewalkFigure as Element } from '../elements.js';

/** The element's own attributes, and those of any element. */
export interface RopewalkFigureProps
  extends
    Omit<FigureAttributes, 'fit'>,
    Omit<HTMLAttributes<Element>, 'children' | 'onChange' | 'onError' | 'title'> {
  name: string;
  fit?: boolean;
  /** Settings by their names, as the gallery lists them; others keep their defaults. */
  settings?: FigureState;
  /** Address of the site: adds a link and a still, which show until the figure draws. */
  site?: string;
  /** The text of that link; default: the name of the figure. */
  title?: string;
  /** What shows until the figure draws, in place of that link and still. */
  children?: ReactNode;
  onChange?: (state: FigureState) => void;
  onDraw?: (state: FigureState) => void;
  onError?: (error: Error) => void;
}

/** A figure; its ref is the element, which has `state` and `set`. */
export declare const RopewalkFigure: ForwardRefExoticComponent<
  RopewalkFigureProps & RefAttributes<Element>
>;
