/**
 * One pair of a query and of a key as hands of a clock; the first entry to the right, the second
 * up.
 */
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

export interface Hand {
  x: number;
  y: number;
}

export interface PairClock {
  size: number;
  /** Of 1 at most in length, before and after turning. */
  query: { before: Hand; after: Hand };
  key: { before: Hand; after: Hand };
  /** Share of the pair in the score: -1 … 1 of the width. */
  part: number;
  label: string;
}

export function pairClock({ size, query, key, part, label }: PairClock): TemplateResult {
  const middle = size / 2;
  const radius = middle - 7;
  const tip = ({ x, y }: Hand) => ({ x: middle + radius * x, y: middle - radius * y });
  const hand = (of: Hand, look: string) => {
    const { x, y } = tip(of);
    return svg`<line class="hand ${look}" x1=${middle} y1=${middle} x2=${x} y2=${y} />
      <circle class="tip ${look}" cx=${x} cy=${y} r="3.2" />`;
  };
  const height = size + 30;
  const reach = part * radius;
  return html`<svg width=${size} height=${height} viewBox="0 0 ${size} ${height}" aria-hidden="true">
    <circle class="face" cx=${middle} cy=${middle} r=${radius} />
    ${hand(key.before, 'key ghost')} ${hand(query.before, 'query ghost')}
    ${between(middle, radius * 0.42, key.after, query.after)}
    ${hand(key.after, 'key')} ${hand(query.after, 'query')}
    <line class="noon" x1=${middle} x2=${middle} y1=${size} y2=${size + 9} />
    <rect class="part" x=${middle + Math.min(0, reach)} y=${size + 1} width=${Math.abs(reach)}
      height="7" />
    <text x=${middle} y=${size + 24} text-anchor="middle">${label}</text>
  </svg>`;
}

/** The shorter way from the key's hand to the query's. */
function between(middle: number, radius: number, key: Hand, query: Hand): SVGTemplateResult {
  const start = Math.atan2(key.y, key.x);
  const angle = angleBetween(key, query);
  const at = (turn: number) =>
    `${middle + radius * Math.cos(turn)},${middle - radius * Math.sin(turn)}`;
  const sweep = angle > 0 ? 0 : 1;
  return svg`<path class="between position"
    d="M${middle},${middle}L${at(start)}A${radius},${radius},0,0,${sweep},${at(start + angle)}Z" />`;
}

/** From the key's hand to the query's in (-pi, pi]. */
export function angleBetween(key: Hand, query: Hand): number {
  return Math.atan2(key.x * query.y - key.y * query.x, key.x * query.x + key.y * query.y);
}
