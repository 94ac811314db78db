/** The schemes whose positions come from the text, with toy gates, as the lab runs them. */
import type { Ropewalk, Tensor } from 'ropewalk';
import {
  angleIncrements,
  changed,
  gateLogitsOf,
  normalized,
  projected,
  sigmoids,
  textPositions,
} from './gates.ts';
import type { Scheme, Situation } from './scheme.ts';

const rowsOf = ({ positions }: Situation) => positions.length;

/** c(m) − c(n) for keys up to the query, c(n) − c(m) after it, [heads, tokens, tokens]. */
function prefixBias(
  rw: Ropewalk,
  gates: Tensor,
  term: 'log-sigmoid' | 'log-sigmoid-of-negative',
): Tensor {
  const { sums } = rw.prefixSums(gates, { term });
  const [heads, tokens] = gates.shape as [number, number];
  const data = new Float32Array(heads * tokens * tokens);
  for (let cell = 0; cell < data.length; cell++) {
    const head = Math.floor(cell / tokens ** 2);
    const [m, n] = [Math.floor(cell / tokens) % tokens, cell % tokens];
    const of = (row: number) => sums.data[head * tokens + row]!;
    data[cell] = n <= m ? of(m) - of(n) : of(n) - of(m);
  }
  return { data, shape: [heads, tokens, tokens] };
}

/** Raw scores; −Infinity where masked. */
function rawScores(rw: Ropewalk, q: Tensor, k: Tensor, { causal }: Situation): Tensor {
  const scale = 1 / Math.sqrt(k.shape[k.shape.length - 1]!);
  const intermediates = ['biased'] as const;
  return rw.attention(q, k, k, { causal: causal && 'top-left', scale, intermediates }).biased!;
}

/** What CABLE's gates are the negatives of, so that most stay open. */
const negative = ({ data, shape }: Tensor): Tensor => ({
  data: data.map((value) => -value),
  shape,
});

/** Positions that CoPE's table has. */
const copeRows = 16;
/** softplus of it is 1, as GRAPE's code begins. */
const rawSlope = 0.5413248546;
/** P of GRAPE-AP, and the width of gates per row. */
const gateWidth = 8;
/** Wall's gates begin nearly open. */
const wallLogit = 3;
/** The factor s of SSMax, as in the figure of its paper. */
const ssmaxScale = 0.43;

export const textSchemes = {
  fox: {
    place: 'text',
    position: (_, situation) => ({ type: 'fox', gates: gateLogitsOf(situation) }),
    bias: (rw, situation) => prefixBias(rw, gateLogitsOf(situation), 'log-sigmoid'),
  },
  cable: {
    place: 'text',
    position: (_, situation) => ({ type: 'cable', gates: negative(gateLogitsOf(situation)) }),
    bias: (rw, situation) =>
      prefixBias(rw, negative(gateLogitsOf(situation)), 'log-sigmoid-of-negative'),
  },
  cope: {
    place: 'text',
    isCausal: true,
    scoreBias(rw, q, k, situation) {
      const { heads, headDim, seed } = situation;
      const raw = rawScores(rw, q, k, { ...situation, causal: false });
      const [, tokens] = raw.shape as [number, number, number];
      // Changed gates are those of a key, for every query.
      const byKey = Array.from({ length: heads * tokens }, (_, row) =>
        changed(raw.data.subarray(row * tokens, (row + 1) * tokens), [1, tokens, 1], situation),
      );
      const data = new Float32Array(raw.data.length);
      byKey.forEach((row, i) => data.set(row, i * tokens));
      const table = rw.learnedTable({ rows: heads * copeRows, dim: headDim, seed, std: 1 });
      return rw.cope(
        q,
        { data, shape: raw.shape },
        { data: table.data, shape: [heads, copeRows, headDim] },
      );
    },
  },
  'selective-rope': {
    place: 'text',
    position(rw, situation) {
      const pairs = situation.headDim / 2;
      const increments = angleIncrements(rw, situation, pairs);
      const temperature = rw.angleTemperatures({ pairs, type: 'rope' });
      const { angles } = rw.accumulatedAngles(increments, { temperature });
      return { type: 'angles', angles, layout: 'half-split' };
    },
  },
  'grape-m': {
    place: 'text',
    position(rw, situation) {
      const logits = gateLogitsOf(situation);
      const [heads, tokens] = logits.shape as [number, number];
      const slower = { data: logits.data.map((logit) => logit / 16), shape: logits.shape };
      const increments = { data: sigmoids(rw, slower), shape: [heads, tokens, 1] };
      const { inverseFrequencies } = rw.rotaryFrequencies({ dim: situation.headDim });
      const { angles } = rw.accumulatedAngles(increments, {
        pairs: situation.headDim / 2,
        temperature: inverseFrequencies,
        sum: 'exclusive',
      });
      return { type: 'angles', angles, layout: 'half-split' };
    },
  },
  repo: {
    place: 'text',
    position: (rw, situation) => ({
      type: 'rope',
      frequencies: rw.rotaryFrequencies({ dim: situation.headDim, base: 500000 }),
      layout: 'half-split',
      positions: [...textPositions(rw, situation).data],
    }),
  },
  path: {
    place: 'text',
    isCausal: true,
    position(rw, situation) {
      const gates = sigmoids(rw, gateLogitsOf(situation));
      return {
        type: 'path',
        w: normalized(projected('direction', situation, situation.headDim)),
        beta: {
          data: gates.map((gate) => 2 * gate),
          shape: [situation.heads, rowsOf(situation)],
        },
      };
    },
  },
  wall: {
    place: 'text',
    isCausal: true,
    position(_, situation) {
      const { data, shape } = projected('channel', situation, situation.headDim, wallLogit);
      return { type: 'wall', gates: { data: changed(data, shape, situation), shape } };
    },
  },
  'grape-a': {
    place: 'text',
    isCausal: true,
    position(rw, { heads, headDim, seed }) {
      const table = { dim: headDim, std: 1 };
      return {
        type: 'grape-a',
        rawSlopes: new Array<number>(heads).fill(rawSlope),
        keyDirection: rw.learnedTable({ ...table, rows: heads, seed }),
        queryDirection: rw.learnedTable({ ...table, rows: heads, seed: seed + 1 }),
      };
    },
  },
  'grape-ap': {
    place: 'text',
    isCausal: true,
    position: (_, situation) => ({ type: 'grape-ap', p: projected('pair', situation, gateWidth) }),
  },
  'row-gates': {
    place: 'text',
    isCausal: true,
    position: (_, situation) => ({
      type: 'row-gates',
      queries: projected('row query', situation, gateWidth),
      keys: projected('row key', situation, gateWidth),
    }),
  },
  selective: {
    place: 'text',
    isCausal: true,
    scoreBias(rw, q, k, situation) {
      const raw = rawScores(rw, q, k, situation);
      const masked = rw.selectiveScores(raw);
      const data = masked.data.map((score, i) =>
        raw.data[i]! > -Infinity ? score - raw.data[i]! : 0,
      );
      return { data, shape: raw.shape };
    },
  },
  pope: {
    place: 'rotation',
    rotate: (rw, vectors, _, { positions }) => rw.polar(vectors, { positions: [...positions] }),
  },
  'stick-breaking': {
    place: 'softmax',
    isCausal: true,
    position: () => ({ type: 'stick-breaking' }),
  },
  ssmax: {
    place: 'temperature',
    position: (rw, { headDim, positions }) => ({
      type: 'rope',
      frequencies: rw.rotaryFrequencies({ dim: headDim }),
      layout: 'half-split',
      positions: [...positions],
    }),
    temperature(rw, { heads, positions, causal }) {
      const last = positions.length - 1;
      const visible = positions.map((_, row) => (causal ? row : last));
      const scale = new Array<number>(heads).fill(ssmaxScale);
      return rw.logitFactors(visible, { type: 'ssmax', scale });
    },
  },
} satisfies Record<string, Scheme>;
