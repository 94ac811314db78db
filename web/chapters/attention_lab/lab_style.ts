import { css } from 'lit';

export const labStyle = css`
  .lab {
    container-type: inline-size;
    display: grid;
    gap: 1.1rem;
    font-variant-numeric: tabular-nums;
  }
  .lab h4 {
    margin: 0 0 0.4rem;
    font-size: 1em;
    font-weight: 600;
  }
  .lab p,
  .lab dl,
  .lab dd {
    margin: 0;
  }
  .lab .controls {
    margin: 0;
  }
  .lab .lab-model {
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr));
  }
  .lab sub {
    font-size: 0.75em;
    vertical-align: -0.3em;
    margin-inline-start: 0.1em;
  }
  .lab button:disabled {
    color: var(--faint);
    border-color: var(--rule);
    cursor: default;
  }

  .lab-sentence {
    display: grid;
    gap: 0.5rem;
  }
  .lab-fault,
  .lab-past {
    color: var(--warning);
  }
  .lab-past:empty,
  .lab-fault:empty {
    display: none;
  }
  .lab-examples {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.35rem 0.9rem;
    color: var(--faint);
  }
  .lab .lab-example {
    border: 0;
    border-bottom: 1px solid var(--rule);
    padding: 0.35rem 0 0.1rem;
  }

  .lab-schemes {
    display: grid;
    gap: 0.9rem 2rem;
    align-items: start;
  }
  .lab-schemes select {
    width: 100%;
  }
  .lab .lab-note {
    margin-top: 0.4rem;
    color: var(--faint);
    font-size: 0.9em;
  }
  .lab-between {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 2rem;
  }
  .lab-changed {
    flex: 1 1 20rem;
  }
  .lab-changed data {
    font-weight: 600;
    white-space: nowrap;
  }
  .lab-terms .lab-maps {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 0.9rem 0.75rem;
  }
  .lab-terms + .lab-terms {
    margin-top: 1.4rem;
  }

  .lab-tokens {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem;
    margin: 0;
    padding: 2px;
    list-style: none;
    max-height: 18rem;
    overflow-y: auto;
  }
  .lab-tokens li {
    contain: content;
    display: grid;
    justify-items: center;
    align-content: end;
    min-width: 1.5rem;
    max-width: 10rem;
    padding: 0.25rem 0.5rem;
    background: var(--raised);
    box-shadow: inset 0 0 0 1px transparent;
    cursor: default;
  }
  .lab-tokens .lab-more {
    align-content: center;
    background: none;
    color: var(--faint);
  }
  .lab-tokens bdi {
    max-width: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    border-bottom: 2px solid transparent;
  }
  .lab-tokens .is-query bdi {
    color: var(--query);
    font-weight: 600;
    border-bottom-color: var(--query);
  }
  .lab-tokens .is-key:not(.is-query) bdi {
    color: var(--key);
    font-weight: 600;
    border-bottom-color: var(--key);
  }
  .lab-position {
    color: var(--position);
    font-size: 0.75rem;
  }
  .lab-bar {
    width: 100%;
    min-width: 1.2rem;
    height: 2.4rem;
    border-bottom: 1px solid var(--rule);
    margin-bottom: 0.2rem;
  }
  .lab-bar rect {
    fill: var(--value);
  }
  .lab-verdict {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.6rem 1.1rem;
  }
  .lab-verdict p {
    flex: 1 1 18rem;
    min-width: 0;
  }
  .lab-buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .lab .lab-shuffle {
    background: var(--ink);
    border-color: var(--ink);
    color: var(--paper);
  }
  .lab-verdict data {
    font-weight: 600;
    white-space: nowrap;
  }

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
    gap: 0.5rem;
  }
  .lab .lab-head {
    display: grid;
    gap: 0.3rem;
    justify-items: center;
    padding: 0.4rem;
    font-size: 0.85rem;
  }
  .lab .lab-head[aria-pressed='true'] {
    border-color: var(--ink);
    box-shadow: inset 0 0 0 1px var(--ink);
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

  @container (min-width: 46rem) {
    .lab-schemes {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .lab-bench:not(.has-two) {
      grid-template-columns: minmax(0, 1fr) minmax(17rem, 21rem);
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
