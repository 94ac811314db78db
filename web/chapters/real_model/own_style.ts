import { css } from 'lit';
import { storyStyle } from './style.ts';

export const ownStyle = css`
  ${storyStyle}
  .drop {
    margin: 0 0 1rem;
    padding: 1rem 1.2rem;
    border: 1px dashed var(--faint);
    max-width: 46rem;
  }
  .drop p {
    margin: 0 0 0.6rem;
  }
  .drop .hint,
  .drop .hint p {
    margin: 0;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .folder {
    margin-right: 0.4em;
    vertical-align: -0.1em;
    fill: none;
    stroke: var(--faint);
    stroke-width: 1.5;
  }
  .pick {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.8rem;
  }
  .pick :is(.button, button) {
    font-size: 0.875rem;
  }
  .pick .button {
    position: relative;
  }
  .pick .button:focus-within {
    outline: 2px solid var(--ink);
    outline-offset: 2px;
  }
  .pick input {
    position: absolute;
    inset: 0;
    opacity: 0;
    cursor: pointer;
  }
  .preview .story {
    min-height: 0;
  }
  .refused {
    margin: 0 0 1rem;
    padding-left: 0.75rem;
    border-left: 3px solid var(--warning);
    color: var(--warning);
    max-width: 46rem;
    overflow-wrap: anywhere;
  }
  .numbers {
    margin-bottom: 1.2rem;
  }
  @media print {
    .pick {
      display: none;
    }
  }
`;
