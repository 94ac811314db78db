/**
 * How a program dumps the same computation: its number format, a batch with padding, the order of
 * the axes, the length of the text, masked scores.
 */
import { bf16, f16 } from './random.mjs';

const narrow = { bf16, f16 };

const dtypes = { bf16: 'bfloat16', f16: 'float16' };

/** Kinds of dumps with vectors of rows. */
const vectorKinds = ['q', 'k', 'qk', 'scores', 'rotscores', 'weights'];

const plainForm = { format: 'f32', rows: undefined, batches: 1, order: 'heads', mask: undefined };

/**
 * @param rule of a fault; `isRounded` where a narrow format would hide it
 * @returns the form of one dump
 */
export function drawForm(r, kind, model, rule) {
  if (rule.isDraft || rule.isPermuted || r.chance(0.4)) return plainForm;
  const hasVectors = vectorKinds.includes(kind);
  const isText = model.sections === undefined;
  const isFree = rule.start === undefined && !rule.isDecoding && isText;
  const isWhole = !rule.isDecoding && model.separate === undefined;
  const hasScores = kind === 'scores' || kind === 'rotscores';
  return {
    format: rule.isRounded || r.chance(0.5) ? 'f32' : r.pick(['bf16', 'f16']),
    isStoredNarrow: r.chance(0.5),
    rows: isFree && r.chance(0.3) ? r.pick([8, 8, 40, hasScores ? 64 : 512]) : undefined,
    batches: isFree && hasVectors && r.chance(0.3) ? 2 : 1,
    // Of as many queries as heads, no one can tell which axis is which.
    order: isWhole && hasVectors ? r.pick(orders) : 'heads',
    mask:
      hasScores && r.chance(0.4) ? r.pick([-Infinity, -3.4028234663852886e38, -65504]) : undefined,
  };
}

const orders = ['heads', 'heads', 'rows', 'flat', 'unbatched'];

/** The model computes in the format of the dump. */
export const inFormat = (model, { format }) =>
  format === 'f32' ? model : { ...model, native: narrow[format] };

/** The configuration names the format. */
export const configInFormat = (config, { format }) =>
  format === 'f32' ? config : { ...config, torch_dtype: dtypes[format] };

/** Vectors as the layers before have made them. */
export const vectorsInFormat = (x, { format }) =>
  x && format !== 'f32' ? { ...x, data: x.data.map(narrow[format]) } : x;

function reordered({ data, shape, format }, order) {
  const [batch, heads, rows, width] = shape;
  if (order === 'unbatched' && batch === 1) return { data, shape: shape.slice(1), format };
  if (order !== 'rows' && order !== 'flat') return { data, shape, format };
  const out = new Float32Array(data.length);
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let row = 0; row < rows; row++) {
        const from = ((b * heads + h) * rows + row) * width;
        const to = ((b * rows + row) * heads + h) * width;
        out.set(data.subarray(from, from + width), to);
      }
  const made = order === 'rows' ? [batch, rows, heads, width] : [batch, rows, heads * width];
  return { data: out, shape: made, format };
}

/** Keys that queries do not see. */
function masked({ data, shape, format }, mask, padded) {
  const [, heads, queries, keys] = shape;
  const hidden = (at) => {
    const [key, row] = [at % keys, Math.floor(at / keys)];
    const pad = padded[Math.floor(row / (heads * queries))] ?? 0;
    return key > keys - queries + (row % queries) || key < pad;
  };
  return { data: data.map((value, at) => (hidden(at) ? mask : value)), shape, format };
}

/** Weights without the keys of the padding, as a softmax that does not see them. */
function withoutPadding({ data, shape, format }, padded) {
  const [, heads, queries, keys] = shape;
  const weights = data.slice();
  for (let row = 0; row < data.length / keys; row++) {
    const pad = padded[Math.floor(row / (heads * queries))] ?? 0;
    const own = weights.subarray(row * keys, (row + 1) * keys);
    const hidden = own.slice(0, pad).reduce((sum, weight) => sum + weight, 0);
    // A query of the padding sees the padding alone.
    if (own.slice(pad).every((weight) => weight === 0)) continue;
    own.forEach((weight, key) => (own[key] = key < pad ? 0 : weight / (1 - hidden)));
  }
  return { data: weights, shape, format };
}

function stacked(lists) {
  const [first] = lists;
  const { shape, format } = first;
  const data = new Float32Array(lists.length * first.data.length);
  lists.forEach((each, i) => data.set(each.data, i * first.data.length));
  const isTable = shape.length === 2;
  return {
    data,
    shape: isTable ? [lists.length, ...shape] : [lists.length, ...shape.slice(1)],
    format,
  };
}

const axesOf = (name) => /^[qk](_rot)?$/.test(name);

/** The arrays of each text of the batch, in the form. */
export function formed(texts, form, padded) {
  const { format, isStoredNarrow, order, mask } = form;
  const entries = Object.keys(texts[0]).map((name) => {
    if (name === 'inv_freq') return [name, texts[0][name]];
    let array = texts.length > 1 ? stacked(texts.map((text) => text[name])) : texts[0][name];
    if (mask !== undefined && name === 'scores') array = masked(array, mask, padded);
    if (name === 'attn_weights') array = withoutPadding(array, padded);
    if (axesOf(name)) array = reordered(array, order);
    if (format === 'f32') return [name, array];
    const own = isStoredNarrow ? format : 'f32';
    return [name, { ...array, data: array.data.map(narrow[format]), format: own }];
  });
  return Object.fromEntries(entries);
}
