/**
 * Makes dumps with known faults, and correct ones, from a seed: configurations of many families,
 * random parameters, and an independent computation in doubles.
 */
import { kinds, withDraft } from './arrays.mjs';
import { olderFamilies } from './families.mjs';
import { faults, generatedIds } from './faults.mjs';
import { configInFormat, drawForm, formed, inFormat, vectorsInFormat } from './forms.mjs';
import { newerFamilies } from './newer_families.mjs';
import { randomOf } from './random.mjs';

/** @type {Record<string, (r: any) => { config: object, model: Record<string, any> }>} */
const families = { ...olderFamilies, ...newerFamilies };
const familyNames = Object.keys(families);

const vectorsOf = (random, heads, rows, width) => ({
  heads,
  rows,
  width,
  data: random.normals(heads * rows * width),
});

const starts = {
  near: () => 0,
  cache: (r) => r.whole(5, 60),
  far: (r) => r.whole(400, 1500),
};

function textPositions(r, model, start, count) {
  const rows = count ?? r.whole(12, 18);
  if (start === 'long') {
    const marks = [1, 1, 200, 311, 312, 313, 600, 1023, 1025, 1500, 1700, 1701, 2049];
    return marks.map((mark, i) => (i === 0 ? 0 : mark)).toSpliced(0, 1);
  }
  // The text is longer than the training length.
  if (start === 'beyond')
    return [...Array.from({ length: rows - 2 }, (_, i) => i), model.original + 900, 6000];
  const first = starts[start ?? r.pick(['near', 'cache'])](r);
  return Array.from({ length: rows }, (_, i) => first + i);
}

/** Text, an image row by row, the end of the prompt and decode steps: ids by axis. */
function imagePositions(r) {
  const [before, height, width, rest] = [
    r.whole(1, 4),
    r.whole(2, 3),
    r.whole(3, 4),
    r.whole(4, 7),
  ];
  const text = Array.from({ length: before }, (_, i) => [i, i, i]);
  const image = Array.from({ length: height * width }, (_, i) => [
    before,
    before + Math.floor(i / width),
    before + (i % width),
  ]);
  const extent = Math.max(height, width);
  const tail = Array.from({ length: rest }, (_, i) => Array(3).fill(before + extent + i));
  const all = [...text, ...image, ...tail];
  const after = before + image.length;
  return {
    positions: [0, 1, 2].map((axis) => all.map((ids) => ids[axis])),
    image: { after, rows: all.length, extent },
  };
}

function givenFor(r, model, kind, rule, form) {
  const own = model.sections
    ? imagePositions(r)
    : { positions: textPositions(r, model, form.batches > 1 ? 'near' : rule.start, form.rows) };
  const lists = model.sections ? own.positions : [own.positions];
  const rows = lists[0].length;
  const queries = rule.isDecoding ? r.whole(2, 4) : rows;
  const { D, separate = 0, heads, kv } = model;
  const width = D - separate;
  return {
    ...own,
    rows,
    queries,
    length: Math.max(...lists.flat()) + 1,
    q: vectorsInFormat(vectorsOf(r, heads, queries, width), form),
    k: vectorsInFormat(vectorsOf(r, separate ? 1 : kv, rows, width), form),
    ...(separate > 0 && {
      others: {
        q: vectorsInFormat(vectorsOf(r, heads, queries, separate), form),
        k: vectorsInFormat(vectorsOf(r, heads, rows, separate), form),
      },
    }),
    style: r.pick(model.layout === 'half' ? ['half', 'single'] : ['half', 'beside', 'single']),
    hasBefore: r.chance(0.5),
  };
}

/** Evens before odds, in every head: rows of [heads · D, columns], or channels. */
function permutedRows({ data, shape }, D, columns) {
  const out = new Float32Array(data.length);
  for (let row = 0; row < data.length / columns; row++) {
    const [head, i] = [Math.floor(row / D), row % D];
    const source = head * D + (i < D / 2 ? 2 * i : 2 * (i - D / 2) + 1);
    out.set(data.subarray(source * columns, (source + 1) * columns), row * columns);
  }
  return { data: out, shape, format: 'f32' };
}

/** Projections, or q, with a reference that is right. */
function permutedDump(r, kind, model, given, change) {
  const { D, heads, kv } = model;
  const tensor = (data, shape) => ({ data, shape, format: 'f32' });
  if (kind === 'q') {
    const { q } = kinds.q(model, given);
    return { arrays: { q: permutedRows(q, D, 1) }, reference: { q } };
  }
  const reference = {
    'q_proj.weight': tensor(r.normals(heads * D * 6), [heads * D, 6]),
    'k_proj.weight': tensor(r.normals(kv * D * 6), [kv * D, 6]),
  };
  const arrays = Object.entries(reference).map(([name, array]) => {
    const isHit = change.permuted?.includes(name[0]);
    return [name, isHit ? permutedRows(array, D, 6) : array];
  });
  return { arrays: Object.fromEntries(arrays), reference };
}

const integers = (lists) => ({
  data: Float32Array.from(lists.flat()),
  shape: lists.length > 1 ? [lists.length, lists[0].length] : [lists[0].length],
  format: 'f32',
});

const spelled = {
  q: ['q', 'query_states', 'q_pre'],
  k: ['k', 'key_states', 'k_pre'],
  q_rot: ['q_rot', 'q_embed', 'q_post'],
  k_rot: ['k_rot', 'k_embed', 'k_post'],
};
const separated = { q: 'q_pe', k: 'k_pe', q_rot: 'q_pe_rot', k_rot: 'k_pe_rot' };

/** The names of a program, with its layer. */
function named(r, model, arrays) {
  const style = r.whole(0, 2);
  const prefix =
    model.layer === undefined
      ? ''
      : r.pick([`layers.${model.layer}.`, `model.layers.${model.layer}.self_attn.`]);
  const nameOf = (name) => {
    if (model.separate !== undefined) return separated[name] ?? name;
    return spelled[name]?.[style] ?? name;
  };
  return Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [`${prefix}${nameOf(name)}`, array]),
  );
}

/** The second text of a batch has fewer tokens, after rows of padding. */
function batchOf(r, model, kind, rule, form, first) {
  if (form.batches === 1) return { givens: [first], padded: [0] };
  const pad = r.whole(1, Math.min(5, first.rows - 4));
  const positions = first.positions.map((_, row) => Math.max(0, row - pad));
  const own = givenFor(r, model, kind, rule, { ...form, rows: first.rows });
  const second = { ...own, positions, length: first.length };
  return { givens: [first, second], padded: [0, pad] };
}

/** How far values must differ: a hundred times the rounding of floats, or more than it. */
const thresholds = { f32: 1e-5, f16: 0.02, bf16: 0.1 };

/** Whether the arrays differ by much more than rounding. */
function differ(a, b, threshold) {
  return Object.keys(a).some((name) => {
    const [x, y] = [a[name].data, b[name].data];
    if (x.length !== y.length) return true;
    const largest = y.reduce(
      (most, each) => (each > -1e4 ? Math.max(most, Math.abs(each)) : most),
      0,
    );
    const size = (i) => (name.includes('inv_freq') ? Math.abs(y[i]) : largest);
    return x.some((value, i) => !(value === y[i] || Math.abs(value - y[i]) <= threshold * size(i)));
  });
}

/** A dump of one of the families, or undefined where the fault cannot be in them. */
function drawn(random, id, rule, names = familyNames) {
  const attempts = names === familyNames ? 5000 : 40;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const family = random.pick(names);
    const { config, model } = families[family](random);
    if (!rule.fits(model)) continue;
    const kind = random.pick(rule.kinds);
    if (kind === 'table' && model.rotates === false) continue;
    if (model.softcap && kind === 'weights') continue;
    const form = drawForm(random, kind, model, rule);
    const given = givenFor(random, model, kind, rule, form);
    const sound = { ...inFormat(model, form), isSingle: random.chance(0.5) };
    const change = rule.change(random, sound, { ...given, kind });
    if (!change) continue;
    const isOfRows = change.positions !== undefined || change.cached !== undefined;
    if (form.batches > 1 && isOfRows) continue;
    const { givens, padded } = batchOf(random, model, kind, rule, form, given);
    const wrong = { ...sound, ...change };
    const of = (own) =>
      rule.isDraft
        ? withDraft(kind, sound, own, given)
        : formed(
            givens.map((each) => kinds[kind](own, each)),
            form,
            padded,
          );
    const made = rule.isPermuted
      ? permutedDump(random, kind, sound, given, change)
      : { arrays: of(wrong) };
    const threshold = thresholds[form.format];
    const isSeen = rule.isPermuted || rule.isUnseen;
    if (id !== undefined && !isSeen && !differ(made.arrays, of(sound), threshold)) continue;
    const arrays = named(random, model, made.arrays);
    const hasIds = model.sections || given.positions[0] !== 0 || rule.start || random.chance(0.5);
    if (hasIds && !rule.isPermuted)
      arrays.position_ids = integers(
        model.sections ? given.positions : givens.map(({ positions }) => positions),
      );
    if (form.batches > 1)
      arrays.attention_mask = integers(
        padded.map((pad) => given.positions.map((_, row) => Number(row >= pad))),
      );
    const alternatives = rule.alternativesOf?.(change, kind, sound) ?? rule.alternatives;
    const reference = made.reference && named(random, model, made.reference);
    return {
      expect: {
        faults: id === undefined ? [] : [id],
        kind,
        family,
        form,
        ...(alternatives && { decidable: false, alternatives }),
        ...(rule.equivalents && { equivalents: rule.equivalents }),
      },
      options: {
        config: configInFormat(config, form),
        arrays: new Map(Object.entries(arrays)),
        ...(reference && { reference }),
      },
    };
  }
  return undefined;
}

const correct = {
  fits: () => true,
  change: () => ({}),
  kinds: ['inv', 'table', 'q', 'k', 'qk', 'scores', 'rotscores'],
};

/** Correct dumps: also of layers without rotation, long texts, drafts, and outputs rotated back. */
const correctRules = [
  correct,
  correct,
  correct,
  { ...correct, fits: ({ type, rotates }) => type === 'proportional' || rotates === false },
  { ...correct, fits: ({ other, separate }) => other !== undefined || separate !== undefined },
  { ...correct, fits: ({ type }) => type === 'dynamic' || type === 'longrope', start: 'beyond' },
  { ...correct, isDecoding: true, kinds: ['qk', 'scores'] },
  { ...correct, fits: ({ returns }) => returns, kinds: ['out'] },
  {
    ...correct,
    isDraft: true,
    kinds: ['inv', 'table', 'q'],
    fits: (m) => m.separate === undefined,
  },
  { ...correct, start: 'far', kinds: ['table', 'q', 'qk', 'scores'] },
];

/**
 * @param {{ faulty?: number, correct?: number, seed?: number }} options how many of each
 * @returns dumps as judge.mjs takes them; of the faulty ones, each id in turn
 */
export function generatedDumps({ faulty = 0, correct: sound = 0, seed = 1 }) {
  const random = randomOf(seed);
  const dumps = [];
  for (let i = 0; i < faulty; i++) {
    const id = generatedIds[i % generatedIds.length];
    const rules = faults[id];
    const made = drawn(random, id, rules[Math.floor(i / generatedIds.length) % rules.length]);
    dumps.push({ name: `${id}/${seed}/${i}`, ...made });
  }
  for (let i = 0; i < sound; i++) {
    const made = drawn(random, undefined, correctRules[i % correctRules.length]);
    dumps.push({ name: `correct/${seed}/${i}`, ...made });
  }
  return dumps;
}

/**
 * Dumps of each fault in each family in which it can be.
 * @param {{ each: number, seed?: number, ids?: string[], names?: string[] }} options how many of
 * each; only some faults or families
 */
export function* matrixDumps({ each, seed = 1, ids = generatedIds, names = familyNames }) {
  for (const id of ids)
    for (const family of names) {
      const random = randomOf(seed + hashOf(`${id}/${family}`));
      const rules = faults[id];
      for (let i = 0; i < each * rules.length; i++) {
        const made = drawn(random, id, rules[i % rules.length], [family]);
        if (made) yield { name: `${id}/${family}/${i}`, id, ...made };
      }
    }
}

const hashOf = (text) => [...text].reduce((hash, c) => (31 * hash + c.charCodeAt(0)) >>> 0, 7);
