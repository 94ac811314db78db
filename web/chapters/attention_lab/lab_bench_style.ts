/** Styles of the lab's maps, of the sum of a cell and of the row of heads. */
import { css } from 'lit';

export const benchStyle = css`
  .lab-bench {
    display: grid;
    gap: 1.1rem 2rem;
  }
  .lab-heading {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.3rem 1.5rem;
    margin-bottom: 0.7rem;
  }
  .lab-blank {
    color: var(--faint);
  }
  .lab-legend {
    position: relative;
    display: flex;
    justify-content: space-between;
    width: 160px;
    padding-top: 12px;
    font-size: 0.8125rem;
    line-height: 1.3;
  }
  .lab-maps {
    display: grid;
    gap: 1.1rem;
  }
  /* Cells of eleven tokens have room for their numbers. */
  .is-basic rw-score-map {
    max-height: 460px;
  }
  .is-basic .lab-title {
    font-size: 0.875rem;
  }
  .is-basic .lab-bench {
    gap: 0.2rem;
  }
  .is-basic .lab-heading {
    justify-content: start;
    margin-bottom: 0.3rem;
  }
  .lab-terms .lab-maps {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 0.9rem 0.75rem;
  }
  .lab-terms + .lab-terms {
    margin-top: 1.4rem;
  }
  .lab-map {
    min-width: 0;
  }
  rw-score-map {
    contain: content;
    display: block;
    overflow: auto;
    max-height: min(75vh, 675px);
    overscroll-behavior: contain;
    outline-offset: 3px;
  }
  rw-score-map canvas {
    display: block;
    position: sticky;
    top: 0;
    left: 0;
  }
  rw-score-map .faint {
    color: var(--faint);
  }
  rw-score-map .ink {
    color: var(--ink);
  }
  .lab-map h4 {
    color: var(--faint);
    font-weight: 400;
  }
  .lab-pointed {
    display: grid;
    align-content: start;
    gap: 0.7rem;
  }
  .lab-pointed .finding {
    margin: 0;
  }
  .lab-hint {
    color: var(--faint);
  }
  /* The signs of the map: the frame of the cell, and that of the bracket. */
  .lab-pair,
  .lab-rows {
    position: relative;
    padding-inline-start: 1.6em;
  }
  .lab-pair::before,
  .lab-rows::before {
    content: '';
    position: absolute;
    inset-inline-start: 0;
    box-sizing: border-box;
    width: 1.1em;
    text-align: center;
  }
  .lab-pair::before {
    top: 0.2em;
    height: 1.1em;
    border: 2.5px solid var(--ink);
  }
  .lab-rows::before {
    content: '≠' / '';
    color: var(--query);
    font-weight: 700;
  }
  .lab-rows.are-equal::before {
    content: '=' / '';
  }
  .lab-axes {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.5rem;
    padding-top: 0.5rem;
    font-size: 0.85rem;
  }

  .lab-cell {
    align-self: start;
    min-width: 0;
  }
  .lab-cell h5 {
    margin: 0 0 0.2rem;
    color: var(--faint);
    font-size: 1em;
    font-weight: 400;
  }
  .lab-sum + .lab-sum {
    margin-top: 1.1rem;
  }
  .lab-cell h4 {
    font-size: 1.05em;
    overflow-wrap: anywhere;
  }
  .lab-line {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
    padding: 0.22rem 0;
    border-bottom: 1px solid var(--rule);
  }
  .lab-line dt {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .lab-line dd {
    white-space: nowrap;
  }
  .lab-operator {
    display: inline-block;
    width: 1.1em;
    color: var(--faint);
  }
  .lab-line.is-near,
  .lab-line.is-far,
  .lab-line.is-temperature {
    color: var(--position);
  }
  .lab-line.is-entropy,
  .lab-line.is-content dt,
  .lab-line.is-content dd,
  .lab-line.is-written dt,
  .lab-line.is-written dd {
    color: var(--faint);
  }
  .lab-line.is-bias {
    color: var(--position);
  }
  .lab-line.is-weight {
    font-weight: 600;
  }
  .lab-twins {
    padding-top: 0.8rem;
  }
  .lab-twin {
    white-space: nowrap;
    margin-inline-end: 0.5em;
  }

  .lab-spread {
    display: block;
  }

  .lab-heads {
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem;
  }
  .lab .lab-head {
    display: grid;
    gap: 0.3rem;
    justify-items: center;
    padding: 0.25rem;
    font-size: 0.85rem;
  }
  .lab .lab-head[aria-pressed='true'] {
    border-color: var(--ink);
    box-shadow: inset 0 0 0 1px var(--ink);
  }
  .lab-cost {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.6rem 1.1rem;
  }
  .lab-cost p {
    flex: 1 1 20rem;
    max-width: 46rem;
  }
  .lab-thumbnail {
    position: relative;
    width: 64px;
    height: 64px;
  }

  @container (max-width: 46rem) {
    .lab-terms rw-score-map {
      max-height: min(75vh, 60cqi);
    }
    .lab-terms .lab-map {
      align-self: end;
    }
  }

  @container (min-width: 30rem) {
    .is-basic .has-two .lab-maps {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: 1rem;
    }
  }
  @container (min-width: 46rem) {
    .has-cell:not(.has-two) {
      grid-template-columns: minmax(0, 1fr) minmax(17rem, 21rem);
    }
    /* Beside the first rows of the map, whose cells are no larger in a wider column. */
    .is-basic .lab-bench:not(.has-two) {
      grid-template-columns: minmax(0, 33rem) minmax(15rem, 24rem);
    }
    .is-basic .lab-bench:not(.has-two) .lab-pointed {
      padding-top: 5rem;
    }
    .has-two .lab-maps {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: 2rem;
    }
    .has-two .lab-cell:not(.has-sums) {
      columns: 2;
      column-gap: 2rem;
    }
    .has-two .lab-cell h4 {
      column-span: all;
    }
    .has-two .has-sums {
      display: grid;
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: 0 2rem;
    }
    .has-sums h4 {
      grid-column: 1 / -1;
    }
    .has-two .lab-sum + .lab-sum {
      margin-top: 0;
    }
  }
`;
