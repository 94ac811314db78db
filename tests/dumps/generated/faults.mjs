/**
 * What a dump may do wrong: for each id the families in which it can, the kinds of dumps that show
 * it, and the change of the model with random parameters.
 */
import { bf16 } from './random.mjs';

const isScaled = ({ type, ownFactor }) =>
  type !== undefined && !['default', 'proportional'].includes(type) && ownFactor === undefined;
const hasOriginal = ({ type }) => ['yarn', 'llama3'].includes(type);
const hasFactorOnTable = ({ type, onSoftmax, ownFactor }) =>
  type === 'yarn' && !onSoftmax && ownFactor === undefined;
const isPartial = ({ D, r, type, separate }) =>
  r < D && type !== 'proportional' && separate === undefined;
const isText = ({ sections }) => sections === undefined;
const rotates = (m) => m.rotates !== false;
const isOneAxis = (m) => rotates(m) && isText(m);

/** The other kind of layers rotates as this one would without its scaling. */
const isOtherUnscaled = (m) =>
  m.other?.type === 'default' && m.other.base === m.base && (m.other.r ?? m.r) === m.r;

const vectors = ['q', 'qk'];
const seen = ['table', ...vectors];
const all = ['inv', ...seen];
const positional = [...seen, 'scores'];

const bases = [10000, 500000, 1000000, 5000000, 150000, 75000, 8000000];

/** Rows from `first` on have other positions. */
const from = (first, of) => (list) => list.map((p, row) => (row >= first ? of(p, row) : p));

/** @type {Record<string, any>} */
export const faults = {
  inv_freq_uninitialised: [
    {
      fits: rotates,
      kinds: ['inv', 'inv', 'table'],
      change(r, m) {
        const pairs = m.type === 'proportional' ? m.D / 2 : m.r / 2;
        const list = (of) => Array.from({ length: pairs }, (_, i) => of(i));
        const noise = r.normals(pairs);
        return {
          given: r.pick([
            list(() => 0),
            list(() => 1),
            list((i) => i),
            list((i) => 1 + 0.1 * noise[i]),
            list((i) => 0.02 * noise[i]),
            list((i) => (i % 2 ? 0 : 3e-41 * (1 + i))),
            list((i) => (i % 3 === 0 ? NaN : 0.5)),
          ]),
        };
      },
      // A table of zeros is also one of rows that all have position 0.
      equivalents: [['positions_frozen']],
    },
  ],
  rotary_width_wrong: [
    {
      fits: (m) => isPartial(m) && isOneAxis(m) && m.type === undefined,
      kinds: ['inv', 'q', 'qk', 'scores', 'table'],
      change(r, { D, r: width }) {
        const share = width / D;
        const twice = 2 * Math.floor((width * share) / 2);
        const other = r.pick([D, twice, 2 * Math.floor(D / 4)]);
        return other === width || other < 4 ? undefined : { r: other };
      },
    },
  ],
  partial_dims_leading_vs_trailing: [
    {
      fits: (m) => isPartial(m) && isOneAxis(m),
      kinds: ['q', 'qk', 'scores'],
      change: (r, { part }) => ({ part: part === 'trailing' ? 'leading' : 'trailing' }),
    },
  ],
  rotated_twice: [
    {
      fits: (m) => rotates(m) && m.type !== 'linear',
      kinds: ['q', 'qk', 'scores'],
      change: (r, m) => ({
        times: r.pick([
          { q: 2, k: 2 },
          { q: 2, k: 2 },
          { q: 2, k: 1 },
        ]),
      }),
    },
    {
      fits: (m) => rotates(m) && m.type === 'linear' && m.factor !== 2,
      kinds: ['q', 'qk', 'scores'],
      change: () => ({ times: { q: 2, k: 2 } }),
      alternatives: [['scaling_wrong_factor']],
    },
  ],
  one_side_unrotated: [
    {
      fits: rotates,
      kinds: ['qk', 'scores'],
      change: (r) => ({
        times: r.pick([
          { q: 1, k: 0 },
          { q: 0, k: 1 },
        ]),
      }),
      equivalents: [['positions_frozen']],
    },
  ],
  scaling_factor_applied_twice: [
    {
      fits: (m) => isScaled(m) && isOneAxis(m) && !['linear', 'dynamic'].includes(m.type),
      kinds: [...all, 'scores'],
      change: (r, m) => ({
        scaledTwice: true,
        ...(hasFactorOnTable(m) && r.chance(0.5) && { attention: 'twice' }),
      }),
    },
    {
      fits: (m) => m.type === 'linear' && isOneAxis(m),
      kinds: all,
      change: () => ({ scaledTwice: true }),
      alternatives: [['scaling_wrong_factor']],
    },
  ],
  sliding_given_global_rope: [
    {
      fits: (m) => m.other !== undefined && m.isLocal,
      kinds: [...all, 'scores'],
      change: (r, m) => (m.other.D === m.D || m.other.D === undefined ? m.other : undefined),
      equivalents: [['wrong_base']],
    },
  ],
  local_base_used_globally: [
    {
      fits: (m) => m.other !== undefined && !m.isLocal,
      kinds: [...all, 'scores'],
      change: (r, m) => (m.other.D === m.D || m.other.D === undefined ? m.other : undefined),
      equivalents: [['wrong_base']],
      alternativesOf: (change, kind, m) => (isOtherUnscaled(m) ? [['scaling_missing']] : undefined),
    },
  ],
  output_not_derotated: [
    {
      fits: ({ returns }) => returns === true,
      kinds: ['out'],
      change: (r) => ({ output: r.pick(['none', 'forward']) }),
    },
  ],
  draft_positions_or_table: [
    {
      fits: (m) => isOneAxis(m) && m.separate === undefined,
      kinds: ['inv', 'table', 'q'],
      isDraft: true,
      change: (r, m, { kind }) =>
        r.pick([
          kind !== 'inv' && { positions: (list) => list.map((p) => p + r.pick([1])) },
          kind !== 'inv' && { positions: (list) => list.map((p) => p - 1) },
          isScaled(m) && { type: 'default' },
          isScaled(m) && m.base !== 10000 && { type: 'default', base: 10000 },
          m.base !== 10000 && m.type === undefined && { base: 10000 },
        ]) || undefined,
    },
  ],
  evicted_positions_lag: [
    {
      fits: (m) => isOneAxis(m),
      kinds: ['qk', 'scores', 'k'],
      start: 'near',
      change(r) {
        const sinks = r.pick([0, 1, 2, 4]);
        const gone = r.pick([16, 37, 64, 100, 512, 1000]);
        return { positions: from(sinks, (p) => p + gone), appliesTo: 'k', sinks };
      },
      // Without sinks, scores only show that queries are behind.
      alternativesOf: ({ sinks }, kind) =>
        sinks === 0 && kind === 'scores' ? [['positions_shifted']] : undefined,
    },
  ],
  mrope_decode_positions: [
    {
      fits: ({ sections }) => sections !== undefined,
      kinds: ['q', 'qk', 'table', 'scores'],
      change(r, m, { image }) {
        const first = r.whole(image.after, image.rows - 2);
        const of = r.pick([(p, row) => row, (p, row) => row - first, (p) => p - image.extent + 1]);
        return { positions: from(first, of) };
      },
      equivalents: [['positions_restart_after_cache']],
    },
  ],
  cache_rotated_by_other_table: [
    {
      fits: (m) => isScaled(m) && isOneAxis(m) && m.type !== 'longrope' && m.type !== 'dynamic',
      kinds: ['k', 'qk', 'scores'],
      change: (r, m, { rows }) => ({
        cached: { rows: r.whole(3, rows - 3), change: { type: 'default', attention: 'missing' } },
      }),
    },
    {
      fits: (m) => m.type === 'dynamic',
      kinds: ['k', 'qk'],
      start: 'beyond',
      change: (r, m, { rows }) => ({
        cached: { rows: r.whole(5, rows - 2), change: { seqLen: m.original + r.whole(50, 900) } },
      }),
    },
    {
      fits: (m) => m.type === 'dynamic' || m.type === 'longrope',
      kinds: ['k', 'qk', 'scores'],
      start: 'beyond',
      change(r, m, { rows }) {
        const change = m.type === 'dynamic' ? { seqLen: m.original } : { list: 'short' };
        return { cached: { rows: r.whole(3, rows - 3), change } };
      },
    },
  ],
  layout_swapped: [
    {
      fits: (m) => rotates(m) && !m.deinterleaves,
      kinds: vectors,
      change: (r, { layout }) => ({ layout: layout === 'half' ? 'inter' : 'half' }),
    },
  ],
  wrong_base: [
    {
      fits: (m) => rotates(m),
      kinds: all,
      change: (r, m) => ({
        base: r.pick(bases.filter((each) => ![m.base, m.other?.base].includes(each))),
      }),
    },
  ],
  dim_head_instead_of_rotary: [
    {
      fits: (m) => isOneAxis(m) && (isPartial(m) || m.separate > 0) && m.type !== 'dynamic',
      kinds: all,
      change: (r) => ({ width: r.pick(['head', 'head, ramp over rotary']) }),
      equivalents: [['partial_vs_proportional']],
    },
  ],
  dim_rotary_instead_of_head: [
    {
      fits: ({ type }) => type === 'proportional',
      kinds: ['inv', 'q'],
      change: () => ({ width: 'rotary' }),
    },
  ],
  partial_vs_proportional: [
    {
      fits: ({ type }) => type === 'proportional',
      kinds: ['inv', 'q'],
      change: () => ({ type: 'default' }),
    },
  ],
  scaling_missing: [
    {
      fits: (m) => isScaled(m) && isOneAxis(m),
      kinds: all,
      change: () => ({ type: 'default' }),
      alternativesOf: (change, kind, m) =>
        isOtherUnscaled(m) ? [['local_base_used_globally']] : undefined,
    },
  ],
  scaling_wrong_type: [
    {
      fits: (m) => isOneAxis(m) && ['linear', 'yarn', 'llama3'].includes(m.type) && !m.onSoftmax,
      kinds: all,
      change: (r, m) => ({
        type: r.pick(['linear', 'ntk', 'yarn', 'llama3'].filter((type) => type !== m.type)),
        original: m.original ?? m.max,
        truncate: true,
      }),
    },
  ],
  scaling_wrong_factor: [
    {
      fits: (m) => isOneAxis(m) && ['linear', 'yarn', 'llama3'].includes(m.type),
      kinds: all,
      change: (r, m) => ({
        factor: r.pick([3, 5, 12, 24, 64].filter((f) => f !== m.factor)),
        // Hugging Face keeps the attention factor of the config, vLLM computes it.
        ...(m.statedFactor && r.chance(0.5) && { ownFactor: m.statedFactor }),
      }),
    },
  ],
  wrong_original_length: [
    {
      fits: (m) => isOneAxis(m) && hasOriginal(m),
      kinds: all,
      change: (r, m) => ({ original: r.pick([m.max, 2 * m.original]) }),
    },
  ],
  dynamic_ntk_other_length: [
    {
      fits: ({ type }) => type === 'dynamic',
      kinds: all,
      start: 'beyond',
      change: (r) => ({ seqLen: r.pick([8192, 12000, 16384]) }),
    },
    {
      fits: ({ type }) => type === 'dynamic',
      kinds: ['q', 'table'],
      start: 'beyond',
      change: () => ({ perRow: true }),
    },
  ],
  longrope_short_beyond_boundary: [
    {
      fits: ({ type }) => type === 'longrope',
      kinds: all,
      start: 'beyond',
      change: () => ({ list: 'short' }),
    },
  ],
  longrope_long_within_boundary: [
    { fits: ({ type }) => type === 'longrope', kinds: all, change: () => ({ list: 'long' }) },
  ],
  yarn_ramp_paper_vs_code: [
    {
      fits: (m) => hasFactorOnTable(m),
      kinds: all,
      start: 'far',
      change: () => ({ ramp: 'paper' }),
    },
  ],
  yarn_truncate: [
    {
      fits: (m) => hasFactorOnTable(m),
      kinds: all,
      start: 'far',
      change: (r, { truncate = true }) => ({ truncate: !truncate }),
    },
  ],
  attention_factor_missing: [
    { fits: hasFactorOnTable, kinds: ['qscores'], change: () => ({ attention: 'missing' }) },
    {
      fits: hasFactorOnTable,
      kinds: seen,
      change: () => ({ attention: 'missing' }),
      alternatives: [['attention_factor_on_wrong_side']],
    },
  ],
  attention_factor_twice: [
    {
      fits: hasFactorOnTable,
      kinds: [...seen, 'qscores'],
      change: () => ({ attention: 'twice' }),
    },
  ],
  attention_factor_on_wrong_side: [
    { fits: hasFactorOnTable, kinds: ['qscores'], change: () => ({ attention: 'wrong' }) },
    {
      fits: ({ onSoftmax }) => onSoftmax,
      kinds: ['table', 'q'],
      change: () => ({ attention: 'wrong' }),
    },
  ],
  rotation_inverted: [{ fits: rotates, kinds: seen, change: () => ({ inverted: true }) }],
  sin_cos_swapped: [{ fits: rotates, kinds: seen, change: () => ({ swapped: true }) }],
  positions_frozen: [
    {
      fits: rotates,
      kinds: seen,
      change(r) {
        const at = r.whole(1, 99);
        return { positions: (list) => list.map(() => at) };
      },
    },
  ],
  positions_shifted: [
    {
      fits: rotates,
      kinds: seen,
      change(r) {
        const shift = r.pick([-1, 1, 2, 5, 64]);
        return { positions: (list) => list.map((p) => p + shift) };
      },
    },
    {
      fits: rotates,
      kinds: ['qk', 'scores'],
      change(r) {
        const shift = r.pick([-1, 1, 2]);
        return { positions: (list) => list.map((p) => p + shift), appliesTo: 'q' };
      },
    },
  ],
  positions_restart_after_cache: [
    {
      fits: isOneAxis,
      kinds: positional,
      change(r, m, { positions }) {
        const first = r.whole(4, positions.length - 3);
        return { positions: from(first, (p) => p - positions[first]) };
      },
    },
    {
      fits: isOneAxis,
      kinds: ['qk', 'scores'],
      isDecoding: true,
      change: (r, m, { positions, queries }) => ({
        positions: (list) => list.map((p) => p - positions.at(-queries)),
        appliesTo: 'q',
      }),
    },
  ],
  table_too_short_clamped: [
    {
      fits: isOneAxis,
      kinds: seen,
      start: 'long',
      change(r) {
        const length = r.pick([512, 1024]);
        return { positions: (list) => list.map((p) => Math.min(p, length - 1)) };
      },
    },
  ],
  table_too_short_wrapped: [
    {
      fits: isOneAxis,
      kinds: positional,
      start: 'long',
      change(r, m, { positions }) {
        const length = r.pick([512, 1024, positions[positions.length >> 1]]);
        return { positions: (list) => list.map((p) => p % length) };
      },
    },
  ],
  rounded_positions_bf16: [
    {
      fits: isOneAxis,
      kinds: seen,
      start: 'far',
      change: () => ({ positions: (list) => list.map(bf16) }),
    },
  ],
  rounded_angles_bf16: [
    { fits: isOneAxis, kinds: seen, start: 'far', change: () => ({ rounding: { angle: bf16 } }) },
  ],
  rounded_table_bf16: [
    {
      fits: rotates,
      kinds: ['table'],
      start: 'far',
      change: () => ({ rounding: { table: bf16 } }),
    },
  ],
  rounded_frequencies_bf16: [
    { fits: rotates, kinds: seen, start: 'far', change: () => ({ rounding: { frequency: bf16 } }) },
  ],
  mrope_sections_wrong: [
    {
      fits: ({ sections, alternates }) => sections !== undefined && !alternates,
      kinds: ['q', 'table'],
      change: (r, m) =>
        r.pick([
          { sections: [6, 4, 6].map((share) => (share * m.r) / 32) },
          { sections: [4, 4, 8].map((share) => (share * m.r) / 32) },
          { sectionAxes: [0, 2, 1] },
          { sectionsInterleaved: !m.sectionsInterleaved },
        ]),
    },
    {
      fits: ({ alternates }) => alternates === true,
      kinds: ['q', 'table'],
      change: () => ({ alternates: false }),
    },
  ],
  nope_layer_rotated: [
    { fits: (m) => !rotates(m), kinds: vectors, change: () => ({ rotates: true }) },
  ],
  weights_permuted_twice: [
    {
      // Without a reference the data are what the config says.
      fits: (m) => rotates(m) && m.separate === undefined,
      kinds: ['q', 'qk', 'scores'],
      isUnseen: true,
      change: () => ({}),
      alternatives: [[]],
    },
    {
      fits: (m) => rotates(m) && m.separate === undefined,
      kinds: ['q', 'proj'],
      isPermuted: true,
      change: (r) => ({ permuted: r.pick(['q', 'k', 'qk']) }),
    },
  ],
  scale_missing: [
    {
      fits: (m) => rotates(m) && m.divides !== false,
      kinds: ['scores'],
      change: () => ({ scaled: 'missing' }),
    },
  ],
  scale_doubled: [{ fits: rotates, kinds: ['scores'], change: () => ({ scaled: 'doubled' }) }],
  gqa_repeat_order: [
    {
      fits: ({ kv, heads, ...m }) => rotates(m) && kv > 1 && heads > kv,
      kinds: ['scores', 'weights'],
      change: () => ({ tiled: true }),
    },
  ],
  causal_alignment: [
    {
      fits: (m) => isOneAxis(m) && m.layer === undefined && m.separate === undefined,
      kinds: ['weights'],
      isDecoding: true,
      change: () => ({ topLeft: true }),
    },
  ],
};

export const generatedIds = Object.keys(faults);
