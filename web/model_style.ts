/** The look of the panel, beside what figures share. */
import { css } from 'lit';

export const panelStyle = css`
  .panel {
    max-width: 46rem;
  }
  .menu {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 1rem;
    align-items: baseline;
    font-size: 0.9375rem;
  }
  details {
    margin-top: 0.6rem;
  }
  summary {
    cursor: pointer;
    color: var(--faint);
  }
  summary:hover,
  details[open] > summary {
    color: var(--ink);
  }
  details p {
    margin: 0.5rem 0;
  }
  textarea {
    font: 0.8125rem/1.5 ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace;
    margin-bottom: 0.5rem;
  }
  input[type='file'] {
    font: inherit;
    max-width: 100%;
  }
  .messages p.summary {
    margin: 0.8rem 0 0;
    padding: 0;
    border: 0;
    color: var(--ink);
    font: 1rem/1.6 var(--serif);
  }
  .messages p.fault,
  .messages p.note {
    margin: 0.8rem 0 0;
  }
  .account th,
  .account td {
    text-align: left;
    vertical-align: baseline;
  }
  .account td:last-child {
    white-space: normal;
    min-width: 14rem;
  }
  .account tbody th[scope='row'] {
    position: static;
    font-weight: 400;
    border: 0;
  }
  /* In a narrow column a key breaks rather than hide its value. */
  @container (width < 640px) {
    .account tbody th[scope='row'] {
      white-space: normal;
      overflow-wrap: anywhere;
      min-width: 10rem;
    }
    .account td:last-child {
      min-width: 8rem;
    }
  }
  .account th[scope='rowgroup'] {
    position: static;
    padding-top: 0.6rem;
  }
`;
