/** Styles of a figure's controls, of the buttons below it and of the table of its values. */
import { css } from 'lit';

export const controlStyle = css`
  .controls {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr));
    gap: 0.55rem 2rem;
    margin: 0 0 1.4rem;
    align-items: end;
  }
  .controls:not(:has(*)) {
    display: none;
  }
  /* Behind it are the controls that a reader needs later. */
  .rest {
    font-size: 0.875rem;
  }
  .controls:has(> .rest:not([open])) {
    margin-bottom: 0.5rem;
  }
  .rest[open] {
    grid-column: 1 / -1;
  }
  .rest > summary {
    padding: 0.3rem 0;
  }
  .rest > div {
    display: grid;
    grid-template-columns: inherit;
    gap: inherit;
    align-items: end;
  }
  summary {
    width: fit-content;
    color: var(--faint);
    cursor: pointer;
  }
  summary:hover,
  [open] > summary {
    color: var(--ink);
  }
  .control {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
    font-size: 0.875rem;
  }
  .slider {
    display: grid;
    grid-template-columns: 1fr auto;
    column-gap: 0.75rem;
  }
  .slider input[type='range'] {
    grid-column: 1 / -1;
  }
  /* The number field of a slider. */
  .slider .exact {
    grid-area: 1 / 2;
  }
  label,
  legend {
    color: var(--ink);
    padding: 0;
  }
  .symbol {
    font-family: var(--latin), serif;
    font-size: 1.08em;
    margin-left: 0.1em;
    white-space: nowrap;
  }
  .exact {
    font: inherit;
    font-variant-numeric: tabular-nums;
    width: 7ch;
    text-align: right;
    color: inherit;
    background: none;
    border: 0;
    border-bottom: 1px solid var(--rule);
    border-radius: 0;
    padding: 0;
  }
  input[type='range'] {
    appearance: none;
    width: 100%;
    height: 1.9rem;
    margin: 0;
    background: none;
    cursor: pointer;
    touch-action: pan-y;
  }
  input[type='range']::-webkit-slider-runnable-track {
    height: 2px;
    background: var(--faint);
  }
  input[type='range']::-moz-range-track {
    height: 2px;
    background: var(--faint);
  }
  input[type='range']::-webkit-slider-thumb {
    appearance: none;
    width: 1.125rem;
    height: 1.125rem;
    margin-top: calc(1px - 0.5625rem); /* centers it on the track */
    border-radius: 50%;
    background: var(--ink);
    border: 3px solid var(--paper);
    box-shadow: 0 0 0 1px var(--ink);
  }
  /* As large as the one above: here the border adds to the width. */
  input[type='range']::-moz-range-thumb {
    width: 0.75rem;
    height: 0.75rem;
    border-radius: 50%;
    background: var(--ink);
    border: 3px solid var(--paper);
    box-shadow: 0 0 0 1px var(--ink);
  }
  /* Forced colors replace all backgrounds but system colors, and would hide the track. */
  @media (forced-colors: active) {
    input[type='range']::-webkit-slider-runnable-track {
      background: CanvasText;
    }
    input[type='range']::-moz-range-track {
      background: CanvasText;
    }
  }
  /* Radio buttons, drawn as one row of boxes. */
  .segments {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 0;
    padding-right: 1px; /* for the border of the last box, which its margin takes out */
  }
  /* Five or more options, or a lone control, take the whole width. */
  .segments:has(label:nth-of-type(5)),
  .controls > .segments:only-child {
    grid-column: 1 / -1;
  }
  .segments legend {
    margin-bottom: 0.1rem;
  }
  .segments label {
    position: relative;
    cursor: pointer;
  }
  /* Invisible over its box: clicks and the keyboard reach it, and the span shows its state. */
  .segments input {
    position: absolute;
    inset: 0;
    opacity: 0;
    margin: 0;
    cursor: pointer;
  }
  .segments span {
    display: block;
    padding: 0.2rem 0.7rem;
    border: 1px solid var(--rule);
    margin-right: -1px; /* neighbors share one border */
    color: var(--faint);
  }
  .segments input:checked + span {
    position: relative;
    z-index: 1; /* its border covers those of its neighbors */
    color: var(--paper);
    background: var(--ink);
    border-color: var(--ink);
  }
  .segments input:focus-visible + span {
    outline: 2px solid var(--ink);
    outline-offset: 2px;
  }
  select,
  textarea,
  .text-field input {
    font: inherit;
    color: inherit;
    background: var(--paper);
    border: 1px solid var(--rule);
    border-radius: 0;
    padding: 0.3rem 0.5rem;
    max-width: 100%;
  }
  .menu label,
  .text-field label {
    display: block;
    margin-bottom: 0.3rem;
  }
  .text-field {
    grid-column: 1 / -1;
  }
  textarea,
  .text-field input {
    display: block;
    box-sizing: border-box;
    width: 100%;
    font: 1.0625rem/1.5 var(--serif);
  }
  .switch {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    min-height: 1.9rem;
  }
  .switch input {
    accent-color: var(--ink);
    width: 1.05rem;
    height: 1.05rem;
    margin: 0;
  }
  button,
  .button {
    font: inherit;
    color: var(--ink);
    background: none;
    border: 1px solid var(--rule);
    border-radius: 0;
    padding: 0.25rem 0.8rem;
    cursor: pointer;
  }
  button:hover {
    border-color: var(--ink);
  }
  .tries {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.4rem 0.6rem;
    margin-top: 0.8rem;
    font-size: 0.875rem;
  }
  .tries > span {
    color: var(--faint);
  }
  .tries button[aria-pressed='true'] {
    color: var(--paper);
    background: var(--ink);
    border-color: var(--ink);
  }
  .tries p {
    flex-basis: 100%;
    margin: 0;
    max-width: 46rem;
    font: 1rem/1.6 var(--serif);
    text-wrap: pretty;
  }
  .tries p:empty {
    display: none;
  }
  .actions {
    margin-top: 0.5rem;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .actions button {
    border: 0;
    margin-right: 1.1rem;
    padding: 0.35rem 0;
    color: var(--faint);
  }
  .actions button:hover,
  .actions button[aria-expanded='true'] {
    color: var(--ink);
    text-decoration: underline;
    text-underline-offset: 0.25em;
  }
  .status {
    padding: 0.35rem 0;
    overflow-wrap: anywhere;
  }
  /* In one column, the distance to the next label is that below a slider. */
  @container (width < 640px) {
    .segments {
      margin-bottom: 0.4rem;
    }
  }
  .table {
    overflow: auto;
    max-height: 22rem;
    margin-top: 0.5rem;
    border-top: 1px solid var(--rule);
    border-bottom: 1px solid var(--rule);
    font-size: 0.8125rem;
  }
  table {
    border-collapse: collapse;
  }
  th,
  td {
    padding: 0.15rem 0.7rem;
    text-align: right;
    white-space: nowrap;
  }
  th {
    position: sticky;
    top: 0;
    background: var(--paper);
    font-weight: 600;
    border-bottom: 1px solid var(--rule);
  }
`;
