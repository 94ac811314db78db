import { css } from 'lit';

export const layerPlanStyle = css`
  .layer.is-base-0 {
    fill: var(--position);
    fill-opacity: 0.85;
  }
  .layer.is-base-1 {
    fill: var(--query);
    fill-opacity: 0.85;
  }
  .layer.is-unrotated {
    fill: var(--paper);
    stroke: var(--faint);
    stroke-width: 1;
  }
  .edge {
    fill: none;
    stroke: var(--ink);
    stroke-width: 3;
  }
  .scaled {
    fill: none;
    stroke: var(--paper);
    stroke-width: 1.5;
    stroke-dasharray: 3 3;
  }
  .warm {
    fill: var(--warning);
  }
  .mark {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  svg .is-at:not([fill]) {
    fill: var(--ink);
    font-weight: 600;
  }
  .kinds {
    list-style: none;
    margin: 0.8rem 0 0;
    padding: 0;
    display: grid;
    gap: 0.35rem;
    font-size: 0.875rem;
  }
  .kinds li {
    display: grid;
    grid-template-columns: 40px minmax(0, 1fr);
    gap: 0.6rem;
    align-items: baseline;
  }
  .source {
    margin: 1rem 0 0;
    font-size: 0.8125rem;
    color: var(--faint);
    overflow-wrap: anywhere;
  }
  .account,
  .own {
    margin-top: 0.8rem;
    font-size: 0.875rem;
  }
  summary {
    cursor: pointer;
  }
  .own textarea {
    margin: 0.5rem 0;
    font: 0.8125rem/1.4 monospace;
  }
  .account .scrolling {
    margin-top: 0.5rem;
    overflow: auto;
    max-height: 20rem;
  }
  .account table {
    border-collapse: collapse;
    font-size: 0.8125rem;
  }
  .account th,
  .account td {
    position: static;
    padding: 0.25rem 1rem 0.25rem 0;
    text-align: left;
    vertical-align: top;
    white-space: normal;
    font-weight: 400;
    border-bottom: 1px solid var(--rule);
  }
  .account thead th,
  .account th[colspan] {
    color: var(--faint);
  }
  .account code {
    font-size: 0.75rem;
    overflow-wrap: anywhere;
  }
  @media print {
    .own {
      display: none;
    }
  }
`;
