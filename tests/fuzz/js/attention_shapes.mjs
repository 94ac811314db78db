/** Attention with any of its options, of sizes that fit. */

const mixed = (draws, count, offered) => offered.filter(() => draws.chance(count, offered.length));

/** The shapes that broadcast to a bias or mask of these axes. */
function broadcast(draws, [batch, heads, queries, keys]) {
  const axes = [batch, heads, queries, keys].map((extent) => (draws.chance(1, 3) ? 1 : extent));
  return axes.slice(draws.below(4));
}

export const positions = {
  none: () => ({}),
  alibi: (draws, { heads }) => ({
    direction: draws.pick(['causal', 'symmetric']),
    ...draws.pick([
      { convention: draws.pick(['published', 'sorted', 'naive']) },
      { slopes: draws.floats(heads).map(Math.abs) },
    ]),
  }),
  t5: (draws, { heads }) => ({
    table: draws.tensor(draws.pick([8, 32]), heads),
    direction: draws.pick(['causal', 'bidirectional']),
    maxDistance: 128,
  }),
  kerple: (draws, { heads }) => {
    const list = () => Array.from({ length: heads }, () => 0.1 + Math.abs(draws.float()) / 2);
    return {
      kind: draws.pick(['log', 'power']),
      r1: list(),
      r2: list(),
      direction: draws.pick(['causal', 'symmetric']),
    };
  },
  sandwich: (draws) => ({
    dim: draws.pick([2, 16, 128]),
    firstPair: draws.below(2),
    zeroAtOrigin: draws.chance(1, 2),
  }),
  rope: (draws, sizes) => ({
    ...rotary(draws, sizes),
    ...(draws.chance(1, 2) && {
      positions: Array.from({ length: sizes.queries }, () => draws.below(5000) - 100),
      keyPositions: Float32Array.from({ length: sizes.keys }, () => draws.below(5000) / 8),
    }),
  }),
  rerope: (draws, sizes) => ({ ...rotary(draws, sizes), window: 1 + draws.below(9) }),
  'leaky-rerope': (draws, sizes) => ({
    ...rotary(draws, sizes),
    window: 1 + draws.below(9),
    factor: 1 + draws.below(9),
  }),
  'self-extend': (draws, sizes) => ({
    ...rotary(draws, sizes),
    groupSize: 1 + draws.below(5),
    neighborWindow: 1 + draws.below(9),
  }),
  'dual-chunk': (draws, sizes) => ({
    ...rotary(draws, sizes),
    chunkSize: 5 + draws.below(9),
    localWindow: draws.below(5),
  }),
};

function rotary(draws, { dim }) {
  const pairs = Math.max(1, Math.floor(dim / 2) - draws.below(2));
  const inverseFrequencies = Float64Array.from({ length: pairs }, (_, i) => 100 ** (-i / pairs));
  return {
    frequencies: { inverseFrequencies, attentionFactor: 1 + draws.below(3) / 4 },
    layout: draws.pick(['interleaved', 'half-split']),
  };
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
    const type = draws.pick(Object.keys(positions));
    const position = { type, ...positions[type](draws, sizes) };
    if (position.positions && draws.chance(1, 2)) {
      const count = sizes.batch * sizes.queries;
      position.positions = Array.from({ length: count }, () => draws.below(5000) - 100);
    }
    return position;
  },
  intermediates: (draws) =>
    mixed(draws, 3, ['scores', 'capped', 'biased', 'weights', 'entropy', 'logSumExp']),
};

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
