/**
 * Calls over a KV cache: how its tokens come and go, and the same call without a cache, for the
 * reference.
 */
import { readTensor } from './reading.mjs';
import { distanceTypes } from '../../../package/distance_biases.mjs';

const dtypes = ['float32', 'float16', 'int8'];

/** Schemes that a cache can have by itself. */
export const ofCache = new Set(['none', 'rope', ...distanceTypes]);

/**
 * Turns a problem into one over a cache: tokens are appended in pieces, some are evicted between, and
 * the last ones may be truncated.
 */
export function cached(draws, problem, { keys }) {
  const { position } = problem.settings;
  const counts = [];
  for (let left = keys; left > 0; left -= counts.at(-1)) counts.push(1 + draws.below(left));
  const isOwn = position !== undefined && ofCache.has(position.type) && draws.chance(3, 4);
  const isMoved = isOwn || position === undefined;
  if (isOwn) for (const name of ['positions', 'keyPositions']) delete position[name];
  const { keyHeads: _, past: __, ...settings } = problem.settings;
  if (!draws.chance(1, 20)) {
    if (settings.causal || draws.chance(1, 3)) settings.causal = draws.pick(['bottom-right', true]);
    if (settings.window?.align) settings.window = { ...settings.window, align: 'bottom-right' };
  }
  const cache = {
    dtype: draws.pick(dtypes),
    spare: draws.below(3),
    isOwn,
    pieces: counts.map((count) => ({
      count,
      isByToken: draws.chance(1, 2),
      evict:
        isMoved && draws.chance(1, 4)
          ? { first: draws.below(9), count: 1 + draws.below(3), renumber: draws.chance(1, 2) }
          : undefined,
    })),
  };
  return { ...problem, settings, kept: {}, cache };
}

/** What is evicted of so many tokens: never all of them. */
export function evictionOf({ evict }, length) {
  if (!evict || length < 2) return undefined;
  const first = evict.first % length;
  const pastEnd = Math.min(first + evict.count, first === 0 ? length - 1 : length);
  return { first, pastEnd, renumber: evict.renumber };
}

/** The tokens of the cache at the end: their places among those appended, and their positions. */
export function tokensOf({ pieces }) {
  let tokens = [];
  let appended = 0;
  let isTwice = false;
  for (const piece of pieces) {
    const next = tokens.length === 0 ? 0 : tokens.at(-1).position + 1;
    for (let i = 0; i < piece.count; i++) tokens.push({ place: appended + i, position: next + i });
    appended += piece.count;
    const eviction = evictionOf(piece, tokens.length);
    if (!eviction) continue;
    const { first, pastEnd, renumber } = eviction;
    isTwice ||= renumber;
    const later = tokens.slice(pastEnd);
    const less = renumber ? pastEnd - first : 0;
    tokens = [
      ...tokens.slice(0, first),
      ...later.map(({ place, position }) => ({ place, position: position - less })),
    ];
  }
  return { tokens, isTwice };
}

/** The rows of a tensor [batch, heads, rows, dim] at these places. */
function rowsAt(value, places) {
  const { data, shape } = readTensor(value);
  const [batch, heads, rows, dim] = shape;
  const picked = new Float64Array(batch * heads * places.length * dim);
  for (let h = 0; h < batch * heads; h++)
    places.forEach((place, i) => {
      const from = (h * rows + place) * dim;
      picked.set(data.subarray(from, from + dim), (h * places.length + i) * dim);
    });
  return { data: picked, shape: [batch, heads, places.length, dim] };
}

/** The call without a cache that gives the same, and what the reference needs beside it. */
export function withoutCache({ q, k, v, settings, cache }) {
  const { tokens, isTwice } = tokensOf(cache);
  const places = tokens.map(({ place }) => place);
  const positions = tokens.map(({ position }) => position);
  const [keys, values] = [rowsAt(k, places), rowsAt(v, places)];
  const own = { ...settings };
  if (own.causal === true) own.causal = 'bottom-right';
  const { shape } = q.shape ? q : { shape: q.dims };
  const queries = shape.at(-2);
  // Each batch's queries are the last of its real keys; before the first key positions go on.
  const ofQueries = Array.from(own.keyLengths ?? [positions.length], (length) =>
    Array.from({ length: queries }, (_, i) => {
      const at = length - queries + i;
      return at < 0 ? positions[0] + at : positions[at];
    }),
  );
  if (cache.isOwn && own.position.type === 'rope')
    own.position = {
      ...own.position,
      positions: Float64Array.from(ofQueries.flat()),
      keyPositions: Float64Array.from(positions),
    };
  return { q, k: keys, v: values, settings: own, positions, isTwice };
}

/** Values [batch, heads, tokens, dim] from `first` on, in one of the forms that append takes. */
export function appended({ data, shape }, first, count, isByToken) {
  const [batch, heads, rows, dim] = shape;
  const list = new Float32Array(batch * heads * count * dim);
  for (let at = 0; at < list.length; at++) {
    const c = at % dim;
    const row = Math.floor(at / dim);
    const [b, h, i] = isByToken
      ? [Math.floor(row / (heads * count)), row % heads, Math.floor(row / heads) % count]
      : [Math.floor(row / (heads * count)), Math.floor(row / count) % heads, row % count];
    list[at] = data[((b * heads + h) * rows + first + i) * dim + c];
  }
  const leading = batch === 1 ? [] : [batch];
  return {
    data: list,
    shape: isByToken ? [...leading, count, heads * dim] : [...leading, heads, count, dim],
  };
}
