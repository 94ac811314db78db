/** The base of the frequencies, as every figure offers it that follows the model of the page. */
export const baseControl = (min: number, max: number) =>
  ({
    kind: 'range',
    label: { en: 'Base', zh: '底数' },
    symbol: 'b',
    default: 10000,
    min,
    max,
    step: 'log',
    follows: 'base',
  }) as const;
