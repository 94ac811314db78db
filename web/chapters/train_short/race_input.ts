/** One test input of the drawers, with what a model finds in it. */
import { html, svg, type TemplateResult } from 'lit';
import { recorded } from '../../trained/recordings.ts';

/** web/trained/recorded/race_input.json, see tests/experiments/race_input.mjs. */
export interface RaceInput {
  tokens: number[];
  /** By scheme: at each query, in their order, the thing that the model says. */
  found: Record<string, number[]>;
}

export const raceInput = () => recorded<RaceInput>('race_input');

const [drawers, things] = [6, 6];
export const originalLength = 32;

interface Place {
  /** Such as C4, thing 4 goes into drawer C; or C?, what is in C. */
  text: string;
  isQuery: boolean;
  /** What the model says, where the drawer has something in it, and whether that is right. */
  thing?: number;
  isRight?: boolean;
}

export function placesOf({ tokens, found }: RaceInput, scheme: string): Place[] {
  const inDrawer = new Map<number, number>();
  let queries = 0;
  return tokens.map((token): Place => {
    const isQuery = token >= drawers * things;
    const drawer = isQuery ? token - drawers * things : Math.floor(token / things);
    const letter = 'ABCDEF'[drawer]!;
    if (!isQuery) {
      inDrawer.set(drawer, token % things);
      return { text: `${letter}${(token % things) + 1}`, isQuery };
    }
    const thing = found[scheme]![queries++]!;
    const right = inDrawer.get(drawer);
    const place = { text: `${letter}?`, isQuery };
    return right === undefined ? place : { ...place, thing: thing + 1, isRight: thing === right };
  });
}

const rowHeight = 42;
/** Of the line that says how far the training went. */
const limitHeight = 20;

/** Rows of the input, and below each query what the model says. */
export function drawInput(
  places: readonly Place[],
  width: number,
  { label, limitName }: { label: string; limitName: string },
): TemplateResult {
  const perRow = width >= 560 ? originalLength : originalLength / 2;
  const cell = Math.floor(width / perRow);
  const known = originalLength / perRow;
  const height = (places.length / perRow) * rowHeight + limitHeight;
  const limit = known * rowHeight;
  const one = ({ text, isQuery, thing, isRight }: Place, at: number) => {
    const x = (at % perRow) * cell;
    const row = Math.floor(at / perRow);
    const y = row * rowHeight + (row < known ? 0 : limitHeight);
    const middle = x + cell / 2;
    return svg`${isQuery ? svg`<rect class="query-box" x=${x + 0.5} y=${y + 0.5} width=${cell - 1} height="36" />` : null}
      ${isRight === false ? svg`<rect class="error found" x=${x + 1} y=${y + 18} width=${cell - 2} height="18" />` : null}
      <text class=${isQuery ? 'query' : 'put'} x=${middle} y=${y + 14} text-anchor="middle">${text}</text>
      ${
        thing === undefined
          ? isQuery
            ? svg`<text class="put" x=${middle} y=${y + 31} text-anchor="middle">–</text>`
            : null
          : svg`<text class="found ${isRight ? 'is-right' : 'is-wrong'}" x=${middle} y=${y + 31}
              text-anchor="middle">${thing}</text>`
      }`;
  };
  return html`<svg class="input" width=${width} height=${height}
    viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
    ${places.map(one)}
    <line class="limit" x1="0" x2=${perRow * cell} y1=${limit} y2=${limit} />
    <text class="limit-label" x="2" y=${limit + 14}>${limitName}</text>
  </svg>`;
}
