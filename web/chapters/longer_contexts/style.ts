import { css } from 'lit';
import { pairCircleStyle } from '../../figures/pair_circle_style.ts';

export const longerStyle = css`
  ${pairCircleStyle}
  .line.wide {
    stroke-width: 7;
    stroke-opacity: 0.5;
  }
  .line.dotted {
    stroke-dasharray: 1 4;
  }
  .line.long {
    stroke-dasharray: 10 4;
  }
  .unseen {
    fill: var(--warning);
    fill-opacity: 0.14;
  }
  svg .unseen-name:not([fill]) {
    fill: var(--warning);
    font-weight: 600;
  }
  .arc {
    fill: none;
    stroke: currentColor;
    stroke-width: 6;
  }
  .arc.seen {
    stroke: var(--faint);
    stroke-opacity: 0.6;
  }
  .arc.unseen-arc {
    stroke: var(--warning);
  }
  svg .name:not([fill]) {
    fill: var(--ink);
    font-size: 1rem;
  }
  .angles-row {
    display: grid;
    grid-template-columns: 13rem minmax(0, 1fr);
    gap: 0 2.5rem;
    align-items: center;
    margin-top: 1rem;
  }
  .angles p {
    font-size: 0.8125rem;
    line-height: 1.4;
    color: var(--faint);
    margin: 0.3rem 0 0;
  }
  .angles-row .numbers {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
    border-top: 0;
    margin-top: 0;
  }
  .digits {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0 2rem;
    margin-top: 0.8rem;
  }
  /* Each name stands at the left of its row. */
  .places-head {
    display: grid;
    grid-template-rows: 1.2rem calc(2.4rem + 78px) 78px;
    gap: 0.2rem;
    align-items: center;
    padding-top: 1.4rem;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .places-head span:nth-child(2) {
    color: var(--ink);
    font-weight: 600;
  }
  .places-head span:nth-child(3) {
    color: var(--position);
  }
  .places {
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 1.1rem 1.5rem;
    margin: 0;
    padding: 0;
  }
  .places-head small {
    display: block;
    font: 0.8125rem var(--sans);
    color: var(--faint);
  }
  .division {
    grid-column: 2;
    margin: 1rem 0 0;
    font-size: 0.9375rem;
  }
  .is-example {
    outline: 1.5px solid var(--ink);
    outline-offset: 4px;
  }
  .place {
    display: grid;
    grid-template-rows: 1.2rem 1.2rem 2.2rem;
    align-items: center;
    justify-items: center;
    gap: 0.2rem;
    width: 78px;
    font-size: 0.8125rem;
  }
  .place .digit {
    font-size: 1.75rem;
    line-height: 1.1;
    font-weight: 600;
  }
  .place .is-long {
    font-size: 1.125rem;
  }
  .place .quotient,
  .place .which {
    color: var(--faint);
  }
  .place .angle {
    color: var(--position);
  }
  .linear { color: light-dark(#3f51b5, #9fa8ff); }
  .ntk { color: light-dark(#6b7a00, #c6d64a); }
  .dynamic { color: light-dark(#7a4a2b, #d2a17f); }
  .parts { color: light-dark(#c92a1e, #ff7361); }
  .longrope { color: light-dark(#4f6272, #9fb4c6); }
  .llama { color: light-dark(#7048c8, #bda4ff); }
  .methods {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr));
    gap: 0 1.5rem;
    margin: 0 0 0.4rem;
  }
  fieldset:has(.methods) {
    margin: 0 0 0.8rem;
    padding: 0;
    border: 0;
    font-size: 0.875rem;
  }
  .methods > div {
    display: flex;
    align-items: center;
    gap: 0.6rem;
  }
  .methods > div svg {
    flex: none;
  }
  .scrolling {
    margin-top: 1rem;
    border-top: 1px solid var(--rule);
  }
  .scrolling table {
    border-collapse: collapse;
    font-size: 0.8125rem;
    width: 100%;
  }
  .scrolling th {
    text-align: left;
    font-weight: 400;
  }
  .scrolling td,
  .scrolling th {
    padding: 0.3rem 1.2rem 0.3rem 0;
    white-space: nowrap;
    border-bottom: 1px solid var(--rule);
  }
  .scrolling thead th {
    color: var(--faint);
  }
  .scrolling td {
    text-align: right;
  }
  .scrolling thead th:not(:first-child) {
    text-align: right;
  }
  @container (width < 640px) {
    .digits {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.8rem;
    }
    .places-head {
      display: block;
      padding: 0;
      line-height: 1.6;
    }
    .places-head > span {
      display: block;
    }
    .places-head small {
      display: inline;
    }
    .division {
      grid-column: 1;
      margin: 0;
    }
    /* The four digits of the first view stay in one row of a narrow column. */
    .places {
      display: grid;
      grid-template-columns: repeat(4, minmax(0, 1fr));
      gap: 1.1rem 0.5rem;
    }
    .place {
      width: auto;
      font-size: 0.75rem;
    }
    .place .digit {
      font-size: 1.25rem;
    }
    .place .is-long {
      font-size: 0.875rem;
    }
    .place svg {
      width: 100%;
      max-width: 78px;
      height: auto;
    }
    .angles-row {
      grid-template-columns: 1fr;
    }
    .angles {
      display: flex;
      align-items: center;
      gap: 1rem;
    }
    .angles svg {
      flex: none;
    }
  }
`;
