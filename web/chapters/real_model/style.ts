import { css } from 'lit';

/** Controls that are shown on demand. */
export const moreStyle = css`
  .more {
    margin: 0 0 1rem;
    font-size: 0.875rem;
  }
  .more summary {
    cursor: pointer;
    padding-block: 0.25rem;
  }
  .more[open] .controls {
    margin-top: 0.5rem;
  }
`;

export const storyStyle = css`
  ${moreStyle}
  .text-field {
    margin-bottom: 0.9rem;
  }
  .text-field input {
    box-sizing: border-box;
    width: 100%;
    max-width: 34rem;
    font: 1.125rem/1.4 var(--serif);
    color: var(--ink);
    background: none;
    border: 0;
    border-bottom: 1px solid var(--ink);
    border-radius: 0;
    padding: 0.1rem 0;
  }
  .verdict {
    margin: 0 0 0.6rem;
    max-width: 46rem;
    font-weight: 600;
    min-height: 1.5em;
  }
  .tints {
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 0.6rem;
    margin: 0 0 0.6rem;
    padding: 0;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .tints .word {
    padding: 0 0.45em;
    color: var(--ink);
  }
  .tints .level-0 {
    border-bottom: 2px solid var(--rule);
  }
  .story {
    margin: 0 0 0.9rem;
    max-width: 46rem;
    min-height: 8em;
    font: 1.125rem/1.75 var(--serif);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .compared {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
    gap: 0 2.5rem;
  }
  .story-name {
    margin: 0 0 0.2rem;
    font-size: 0.875rem;
    font-weight: 600;
  }
  .story .is-given {
    color: var(--faint);
  }
  /* A darker tint and a thicker line: not by color alone. */
  .word {
    --tint: 0%;
    background: color-mix(in oklab, var(--key) var(--tint), var(--paper));
    border-bottom: 0 solid var(--key);
  }
  .level-1 { --tint: 12%; }
  .level-2 { --tint: 22%; border-width: 1px; }
  .level-3 { --tint: 34%; border-width: 2px; }
  .level-4 { --tint: 46%; border-width: 3px; }
  .source {
    margin: 0.9rem 0 0;
    max-width: 46rem;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .source a {
    color: inherit;
  }
  figure[aria-busy='true'] .story {
    opacity: 0.45;
  }
  @container (width < 640px) {
    .story {
      font-size: 1rem;
    }
  }
`;
