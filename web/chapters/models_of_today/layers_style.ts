import { css } from 'lit';
import { layerStackStyle } from '../../figures/layer_stack_style.ts';

export const layersStyle = css`
  ${layerStackStyle}
  .row {
    fill: none;
  }
  .row.chosen {
    fill: var(--raised);
  }
  .strips text:not([fill]) {
    fill: var(--ink);
  }
  svg .group:not([fill]) {
    fill: var(--ink);
    font-weight: 600;
  }
  .short {
    fill: var(--position);
    fill-opacity: 0.85;
  }
  .earlier,
  .earlier.short {
    fill: var(--position);
    fill-opacity: 0.35;
  }
  .looks {
    list-style: none;
    margin: 0.6rem 0 0.4rem;
    padding: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 1.1rem;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .looks li {
    display: flex;
    gap: 0.4rem;
    align-items: center;
  }
`;
