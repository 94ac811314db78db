/** Attention with any of its options, of sizes that fit. */
import { schemeNames, schemes } from './schemes.mjs';

const mixed = (draws, count, offered) => offered.filter(() => draws.chance(count, offered.length));

/** The shapes that broadcast to a bias or mask of these axes. */
function broadcast(draws, [batch, heads, queries, keys]) {
  const axes = [batch, heads, queries, keys].map((extent) => (draws.chance(1, 3) ? 1 : extent));
  return axes.slice(draws.below(4));
}

export const options = {
  scale: (draws) => draws.float(),
  rowScale: (draws, { queries }) => draws.floats(queries),
  softcap: (draws) => 0.5 + Math.abs(draws.float()) * 4,
  causal: (draws) => draws.pick([false, 'top-left', 'bottom-right', 'after-past']),
  window: (draws) =>
    draws.pick([
      { size: 1 + draws.below(9) },
      { lookback: draws.below(9) },
      { lookback: draws.below(4), lookahead: draws.below(9) },
    ]),
  keyLengths: (draws, { batch, keys }) =>
    Array.from({ length: batch }, () => draws.below(keys + 1)),
  mask(draws, { batch, heads, queries, keys }) {
    const shape = broadcast(draws, [batch, heads, queries, keys]);
    const data = Uint8Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () =>
      draws.below(2),
    );
    return {
      data: draws.chance(1, 3) ? Array.from(data, Boolean) : data,
      shape,
      whenTrue: draws.pick(['attend', 'ignore']),
    };
  },
  bias: (draws, { batch, heads, queries, keys }) =>
    draws.tensor(...broadcast(draws, [batch, heads, queries, keys])),
  past: (draws, { batch, keyHeads, past, dim, valueDim }) => ({
    k: draws.tensor(batch, keyHeads, past, dim),
    v: draws.tensor(batch, keyHeads, past, valueDim),
  }),
  sinks: (draws, { heads }) => draws.floats(heads),
  fullyMasked: (draws) => draws.pick(['zeros', 'nan']),
  position(draws, sizes) {
    const type = draws.pick(schemeNames);
    const position = { type, ...schemes[type].draw(draws, sizes) };
    if (position.positions && draws.chance(1, 2)) {
      const count = sizes.batch * sizes.queries;
      position.positions = Array.from({ length: count }, () => draws.below(5000) - 100);
    }
    return position;
  },
  intermediates: (draws) =>
    mixed(draws, 3, ['scores', 'capped', 'biased', 'weights', 'entropy', 'logSumExp']),
};

/** Options that change where operands and results lie, not what they are. */
export const notDrawn = ['heads', 'keyHeads', 'into', 'onProgress'];

export function attentionCall(draws) {
  const keyHeads = 1 + draws.below(3);
  const sizes = {
    batch: 1 + draws.below(3),
    keyHeads,
    heads: keyHeads * (1 + draws.below(3)),
    queries: 1 + draws.below(draws.pick([4, 20, 70])),
    dim: 1 + draws.below(20),
    valueDim: 1 + draws.below(20),
    past: 1 + draws.below(6),
  };
  const chosen = mixed(draws, draws.below(5), Object.keys(options));
  const newKeys = 1 + draws.below(draws.pick([4, 20, 300]));
  sizes.keys = newKeys + (chosen.includes('past') ? sizes.past : 0);
  const { batch, heads, queries, dim, valueDim } = sizes;
  const settings = Object.fromEntries(chosen.map((name) => [name, options[name](draws, sizes)]));
  return [
    draws.tensor(batch, heads, queries, dim),
    draws.tensor(batch, keyHeads, newKeys, dim),
    draws.tensor(batch, keyHeads, newKeys, valueDim),
    settings,
  ];
}
