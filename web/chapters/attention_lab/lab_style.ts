/** The look of the lab but for its bench: sentence, schemes, tokens, what order is worth. */
import { css } from 'lit';
import { benchStyle } from './lab_bench_style.ts';

export const labStyle = css`
  .lab {
    container-type: inline-size;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.1rem;
    overflow-wrap: anywhere;
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
  .lab .lab-layer {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
  }
  .lab-layer > * {
    flex: 1 1 13rem;
  }
  .lab-layer > .segments {
    flex: 0 1 auto;
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

  /* As high as it must be for the drawing to be seen together with its controls. */
  .lab.is-basic {
    gap: 0.7rem;
  }
  .lab textarea {
    field-sizing: content;
    max-height: 12rem;
  }
  .lab-top {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.7rem 2rem;
  }
  .lab-modes span {
    padding-inline: 0.55rem;
  }
  .lab-sentence {
    font-size: 0.875rem;
  }
  .lab-sentence > * + * {
    margin-top: 0.5rem;
  }
  .is-basic .lab-tokens li {
    padding-block: 0.1rem;
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
    gap: 0.1rem 0.8rem;
    color: var(--faint);
    font-size: 0.875rem;
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

  .lab-tokens {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem;
    margin: 0;
    padding: 2px;
    list-style: none;
    max-height: 24rem;
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
  /* A finger that begins upwards or downwards scrolls the page. */
  .lab-tokens .is-movable {
    cursor: grab;
    touch-action: pan-y pinch-zoom;
    user-select: none;
    -webkit-user-select: none;
  }
  .lab-tokens [data-dragged] {
    z-index: 1;
    box-shadow: inset 0 0 0 1px var(--ink);
    cursor: grabbing;
  }
  .lab-tokens [data-before] {
    box-shadow: inset 3px 0 var(--ink);
  }
  .lab-tokens [data-after] {
    box-shadow: inset -3px 0 var(--ink);
  }
  .lab .lab-move {
    margin-top: 0.2rem;
    color: var(--faint);
    font-size: 0.8125rem;
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
    padding-bottom: 2px;
  }
  .lab-tokens .is-query bdi {
    color: var(--query);
    font-weight: 600;
    border-bottom: 2px solid var(--query);
    padding: 0;
  }
  .lab-tokens .is-key:not(.is-query) bdi {
    color: var(--key);
    font-weight: 600;
    border-bottom: 2px solid var(--key);
    padding: 0;
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
  .lab .lab-bar-legend {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    margin-bottom: 0.4rem;
    font-size: 0.8125rem;
  }
  .lab-bar-legend .lab-bar {
    flex: none;
    width: 0.7rem;
    min-width: 0;
    height: 0.7rem;
    margin: 0;
    border: 0;
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

  @container (min-width: 30rem) {
    .lab-top legend {
      float: left;
      margin: 0.2rem 1rem 0 0;
    }
  }
  @container (min-width: 46rem) {
    .lab-schemes {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  ${benchStyle}
`;
