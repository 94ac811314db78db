import { css } from 'lit';
import { layerStackStyle } from '../../figures/layer_stack_style.ts';

export const layerPlanStyle = css`
  ${layerStackStyle}
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
