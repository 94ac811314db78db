/** Positions as positionFromConfig returns them: drawn, and read as a scheme of attention. */
import { createRopewalk } from '../../../package/installed.mjs';
import { schemeDrawers } from './drawers.mjs';
import { drawOptions, extentsOf } from './schema_draws.mjs';

const rw = await createRopewalk({ simd: 'simd128' });

const temperatures = [
  (draws) => ({
    type: 'llama4',
    scale: Math.abs(draws.float()),
    floorLength: 1 + draws.below(9),
    offset: draws.below(2),
  }),
  (draws) => ({
    type: 'log-n',
    form: draws.pick(['length', 'position', 'clipped']),
    originalLength: 2 + draws.below(9),
  }),
];

/** Drawers of options that no rule describes, or that are those of the call. */
export const configuredDrawers = {
  heads: (_, { heads }) => heads,
  headDim: (_, { dim }) => dim,
  frequencies: schemeDrawers.frequencies,
  temperature: (draws) => draws.pick(temperatures)(draws),
};

/** @param {Record<string, any>} schemas of the schemes, by type */
export function drawnConfigured(draws, schemas, sizes) {
  const type = draws.pick(Object.keys(schemas));
  const scheme = drawOptions(draws, schemas[type], extentsOf(draws, sizes), configuredDrawers);
  if (scheme.frequencies) scheme.dim = scheme.frequencies.dim;
  // Such a call is refused: few are drawn.
  if (!draws.chance(1, 10)) delete scheme.part;
  return { scheme: { type, ...scheme }, account: {} };
}

/**
 * The scheme of attention that stands for one of a configuration, and factors of the queries. The
 * core's fuzzer compares those of a temperature with their formula.
 * @param {any} scheme
 * @param {any} sizes
 * @param {number} first the key at which query 0 stands
 * @returns {{ position: any, factors?: number[] }}
 */
export function ofConfig({ type, heads, divisor = 1, ...own }, sizes, first) {
  if (type === 'none') return { position: { type } };
  if (type === 'alibi') {
    const slopes = Array.from(
      rw.alibiSlopes({ heads, maxBias: own.maxBias }),
      (slope) => slope / divisor,
    );
    return { position: { type, slopes } };
  }
  const { layout, direction = 1, temperature, frequencies } = own;
  const { softmaxScale = 1, inverseFrequencies, ...others } = frequencies;
  const at = Array.from({ length: sizes.queries }, (_, i) => Math.max(0, first + i));
  const factors = temperature ? rw.logitFactors(at, temperature) : at.map(() => 1);
  return {
    position: {
      type: 'rope',
      ...(layout && { layout }),
      frequencies: { ...others, inverseFrequencies: inverseFrequencies.map((f) => direction * f) },
    },
    factors: Array.from(factors, (factor) => Math.fround(factor * softmaxScale)),
  };
}
