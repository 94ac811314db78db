/**
 * Where each scheme of the lab acts. What does not appear in an entry is a place where the scheme
 * does nothing; a new family is one more entry.
 */
import type { Ropewalk, RotaryScaling } from 'ropewalk';
import type { Place, Scheme, Situation } from './scheme.ts';
import { textSchemes } from './text_schemes.ts';
import { tokenLimit } from './tokens.ts';

/** What the extensions of RoPE extend: a model that saw 2,048 positions, to four times as many. */
const factor = 4;
const originalLength = 2048;
/** ReRoPE's window and log n's length are small enough for a short sentence to reach them. */
const reropeWindow = 4;
const logNLength = 4;
/** Long enough for every text of the lab that begins at 0. */
const learnedRows = tokenLimit;
/** As large as a sinusoid, whose mean square is 1/2. */
const learnedDeviation = Math.SQRT1_2;

const rotary = (
  rw: Ropewalk,
  { headDim }: Situation,
  layout: 'interleaved' | 'half-split',
  scaling?: RotaryScaling,
) => ({ frequencies: rw.rotaryFrequencies({ dim: headDim, ...(scaling && { scaling }) }), layout });

function rope(layout: 'interleaved' | 'half-split', scaling?: RotaryScaling): Scheme {
  return {
    place: 'rotation',
    layout,
    position: (rw, situation) => ({
      type: 'rope',
      ...rotary(rw, situation, layout, scaling),
      positions: [...situation.positions],
    }),
  };
}

const pairsOf = ({ positions }: Situation) => ({
  queries: positions.length,
  keys: positions.length,
});
const perHead = (heads: number, value: (head: number) => number) =>
  Array.from({ length: heads }, (_, head) => value(head));

const alibi = { direction: 'symmetric' } as const;

/** T5's learned scalars as they might stand before training; a decoder looks back only. */
const t5 = (rw: Ropewalk, { heads, seed, causal }: Situation) => ({
  table: rw.learnedTable({ rows: 32, dim: heads, seed, std: 1 }),
  direction: causal ? ('causal' as const) : ('bidirectional' as const),
});

/** Head h of H: -ln(1 + r2 d) with r2 halved from head to head, and -d^(h/H) / 2. */
const kerple = (kind: 'log' | 'power', { heads }: Situation) => ({
  kind,
  r1: perHead(heads, () => (kind === 'log' ? 1 : 0.5)),
  r2: perHead(heads, (head) => (kind === 'log' ? 2 ** -head : (head + 1) / heads)),
  direction: 'symmetric' as const,
});

const kerpleOf = (kind: 'log' | 'power'): Scheme => ({
  place: 'score',
  position: (_, situation) => ({ type: 'kerple', ...kerple(kind, situation) }),
  bias: (rw, situation) => rw.kerple({ ...kerple(kind, situation), ...pairsOf(situation) }),
});

export const schemes = {
  none: { place: 'nowhere' },
  learned: {
    place: 'input',
    rows: learnedRows,
    input(rw, { seed, positions, width }) {
      const size = { rows: learnedRows, dim: width };
      const table = rw.learnedTable({ ...size, seed, std: learnedDeviation });
      return rw.learnedRows(table, { positions: [...positions] });
    },
  },
  sinusoidal: {
    place: 'input',
    input: (rw, { positions, width, sinusoidLayout: layout }) =>
      rw.sinusoidal({ positions: [...positions], dim: width, layout }),
  },
  'rope-interleaved': rope('interleaved'),
  'rope-half-split': rope('half-split'),
  xpos: {
    place: 'rotation',
    rotate(rw, vectors, role, situation) {
      const { frequencies, layout } = rotary(rw, situation, 'half-split');
      const positions = [...situation.positions];
      const center = positions[positions.length >> 1]!;
      return rw.rotate(vectors, rw.xposTable(frequencies, { positions, role, center }), { layout });
    },
  },
  'rope-linear': rope('half-split', { type: 'linear', factor }),
  'rope-ntk': rope('half-split', { type: 'ntk', factor }),
  'rope-yarn': rope('half-split', { type: 'yarn', factor, originalLength }),
  alibi: {
    place: 'score',
    position: () => ({ type: 'alibi', ...alibi }),
    bias: (rw, situation) => rw.alibi({ ...alibi, heads: situation.heads, ...pairsOf(situation) }),
  },
  t5: {
    place: 'score',
    position: (rw, situation) => ({ type: 't5', ...t5(rw, situation) }),
    bias: (rw, situation) => rw.t5Bias({ ...t5(rw, situation), ...pairsOf(situation) }),
  },
  'kerple-log': kerpleOf('log'),
  'kerple-power': kerpleOf('power'),
  rerope: {
    place: 'two',
    position: (rw, situation) => ({
      type: 'rerope',
      ...rotary(rw, situation, 'half-split'),
      window: reropeWindow,
    }),
    rotations(rw, situation) {
      const near = { type: 'rope', ...rotary(rw, situation, 'half-split') } as const;
      const all = (position: number) => situation.positions.map(() => position);
      return {
        window: reropeWindow,
        near,
        far: { ...near, positions: all(reropeWindow), keyPositions: all(0) },
      };
    },
  },
  'log-n': {
    ...rope('half-split'),
    place: 'temperature',
    temperature: (rw, { positions }) =>
      rw.logitFactors([...positions], {
        type: 'log-n',
        form: 'clipped',
        originalLength: logNLength,
      }),
  },
  ...textSchemes,
} satisfies Record<string, Scheme>;

export type { Place, Scheme, Situation };

export type SchemeName = keyof typeof schemes;
export const schemeNames = Object.keys(schemes) as SchemeName[];
export const schemeOf = (name: SchemeName): Scheme => schemes[name];

/** Whether it is defined only where keys ahead are hidden. */
export const isCausalOnly = (name: SchemeName): boolean => schemeOf(name).isCausal === true;

/** Returns the last start at which every scheme has a position for each of `tokens` tokens. */
export function lastStart(names: readonly SchemeName[], tokens: number): number {
  return Math.min(...names.map((name) => schemeOf(name).rows ?? Infinity)) - tokens;
}
