import { css } from 'lit';
import { lessonRowStyle } from './lesson_row_style.ts';

export const poemsStyle = css`
  ${lessonRowStyle}
  .is-rope { color: var(--position); }
  .is-sinusoidal { color: var(--value); }
  .is-alibi { color: var(--query); }
  .is-none { color: var(--faint); }
  .line.is-sinusoidal { stroke-dasharray: 6 3; }
  .line.is-alibi { stroke-dasharray: 11 4; }
  .line.is-none { stroke-dasharray: 2 3; }
  .poems {
    display: grid;
    grid-template-columns: repeat(var(--columns), 1fr);
    gap: 1.25rem 16px;
  }
  .poem p {
    margin: 0 0 0.2rem;
    padding-left: 22px;
    font-size: 0.875rem;
    font-weight: 600;
  }
  .poem svg {
    display: block;
  }
  /* Traditional characters, of the faces that have them all. */
  svg .characters:not([fill]) {
    font-family: 'Noto Serif TC', 'Noto Serif CJK TC', 'Source Han Serif TC', 'Songti TC', PMingLiU,
      'Noto Serif SC', serif;
    fill: var(--ink);
  }
  svg :is(.row-number, .count) {
    font-size: 0.6875rem;
  }
  svg .count:not([fill]) {
    fill: var(--key);
    font-weight: 600;
  }
  .sign {
    fill: color-mix(in oklab, var(--position) 45%, var(--paper));
  }
  /* Another shape, not another color alone. */
  .sign.stray {
    fill: none;
    stroke: var(--key);
    stroke-width: 2;
  }
  .marks {
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1.2rem;
    margin: 0 0 0.9rem;
    padding: 0;
    font-size: 0.8125rem;
  }
  .marks li {
    display: flex;
    align-items: center;
    gap: 0.45rem;
  }
  .here {
    margin: 0 0 1.25rem;
  }
`;
