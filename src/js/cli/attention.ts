/**
 * `npx ropewalk attention`: its options are the API's, each told once, in the tables of this file.
 */
import { checkedAttention, maskedRows } from '../attention/attention.js';
import { attendInParts, intermediates, type AttentionIntermediate } from '../attention/call.js';
import { alignments, type BooleanMask } from '../attention/operands.js';
import { arrayAt, numbersOf, schemeOf } from './inputs.js';
import {
  configChoices,
  UsageError,
  type Call,
  type Command,
  type Given,
  type OptionRule,
} from './rules.js';
import { distanceTypes } from '../bias/distance.js';
import { toFloats } from '../formats/file_tensor.js';
import type { AttentionPosition } from '../ropewalk.js';
import { rotaryLayouts } from '../rotary/rotary.js';
import type { Tensor } from '../runtime/tensor.js';

const leading = ['batch', 'head'];
const perRow = [...leading, 'query'];
/** What the axes of the output and of every step count. */
const axes: Record<string, string[]> = {
  output: [...perRow, 'dimension'],
  entropy: perRow,
  logSumExp: perRow,
  ...Object.fromEntries(
    ['scores', 'capped', 'biased', 'weights'].map((step) => [step, [...perRow, 'key']]),
  ),
};

/** The most parts of a call, after each of which progress is reported. */
const mostParts = 100;

const settings: Record<string, OptionRule> = {
  causal: {
    kind: alignments,
    says: 'hide later keys. top-left is is_causal of PyTorch, bottom-right decodes with a cache; default: every key is seen',
  },
  window: {
    kind: 'whole',
    at: 'window.size',
    says: 'only this many keys up to the query, its own included (Hugging Face)',
  },
  lookback: {
    kind: 'count',
    at: 'window.lookback',
    says: 'only this many keys before the query (FlashAttention)',
  },
  lookahead: { kind: 'count', at: 'window.lookahead', says: 'and only this many after it' },
  mask: { kind: 'file', says: 'booleans that broadcast to [batch, heads, queries, keys]' },
  maskWhenTrue: {
    kind: ['attend', 'ignore'],
    says: 'what true means there; default attend, as attn_mask of PyTorch',
  },
  bias: {
    kind: 'array',
    says: 'numbers that are added to the scaled scores, as a float attn_mask; broadcasts as mask does',
  },
  keyLengths: { kind: 'numbers', says: 'how many keys are real, per batch' },
  sinks: { kind: 'numbers', says: 'one score per head that belongs to no key' },
  scale: { kind: 'number', says: 'multiplies q · k; default 1/√dim' },
  rowScale: { kind: 'numbers', says: 'one more factor per query' },
  softcap: { kind: 'number', says: 'scores become softcap · tanh(score / softcap)' },
  fullyMasked: { kind: maskedRows, says: 'what a query that sees no key gets; default zeros' },
};

const types = ['none', 'rope', ...distanceTypes];

/** What makes up the scheme of position, by the types it belongs to. */
const scheme: Record<string, OptionRule> = {
  base: { kind: 'number', at: 'position.base', of: ['rope', 'sandwich'], says: 'default 10000' },
  rotaryFraction: { kind: 'number', of: ['rope'], says: 'which share of dim turns; default 1' },
  layout: {
    kind: rotaryLayouts,
    at: 'position.layout',
    of: ['rope'],
    says: 'which values are a pair; default half-split, or what --config says',
  },
  positions: {
    kind: 'numbers',
    at: 'position.positions',
    of: ['rope'],
    says: 'of the queries; default: the keys at which they stand',
  },
  keyPositions: {
    kind: 'numbers',
    at: 'position.keyPositions',
    of: ['rope'],
    says: 'default: as the queries, else 0, 1, …',
  },
  slopes: {
    kind: 'numbers',
    at: 'position.slopes',
    of: ['alibi'],
    says: 'one per head; default: the published ones',
  },
  table: { kind: 'array', at: 'position.table', of: ['t5'], says: 'the learned [buckets, heads]' },
  maxDistance: {
    kind: 'whole',
    at: 'position.maxDistance',
    of: ['t5'],
    says: 'distances beyond share a bucket; default 128',
  },
  kind: { kind: ['log', 'power'], at: 'position.kind', of: ['kerple'], says: 'of the distance' },
  r1: { kind: 'numbers', at: 'position.r1', of: ['kerple'], says: 'greater than 0, one per head' },
  r2: { kind: 'numbers', at: 'position.r2', of: ['kerple'], says: 'greater than 0, one per head' },
  direction: {
    kind: ['causal', 'symmetric', 'bidirectional'],
    at: 'position.direction',
    of: distanceTypes,
    says: 'what later keys get; t5 has causal and bidirectional, the others causal and symmetric',
  },
};

const options: Record<string, OptionRule> = {
  ...settings,
  position: {
    kind: types,
    says: 'position scheme; default none, or what --config says',
  },
  config: {
    kind: 'file',
    says: 'a config.json of Hugging Face whose rotary positions or ALiBi are taken',
  },
  ...configChoices,
  ...scheme,
  return: {
    kind: 'names',
    says: `of output, ${intermediates.join(', ')}, with commas; default output`,
  },
};

function maskOf({ mask, maskWhenTrue = 'attend' }: Given, call: Call): BooleanMask | undefined {
  if (mask === undefined) {
    if (maskWhenTrue === 'ignore')
      throw new UsageError('--mask-when-true must come with --mask, got it alone');
    return undefined;
  }
  const { data, shape, format } = arrayAt(String(mask), call);
  if (format === 'bool')
    return { data: data as Uint8Array, shape, whenTrue: maskWhenTrue as 'attend' };
  throw new UsageError(`--mask must hold bool, got ${format}: numbers to be added are --bias`);
}

function floatsAt(name: string, place: string, call: Call): Tensor {
  const array = arrayAt(place, call);
  if (array.format !== 'bool') return toFloats(array);
  throw new UsageError(`${name} must hold numbers, got bool: what hides keys is --mask`);
}

/** What was given of some rules, in the places where the API takes it. */
function placed(rules: Record<string, OptionRule>, call: Call) {
  const result: Record<string, any> = {};
  for (const [name, { kind, at = name }] of Object.entries(rules)) {
    if (name.startsWith('mask')) continue;
    const given = call.given[name];
    if (given === undefined) continue;
    const value =
      kind === 'numbers'
        ? numbersOf(name, given as string, call)
        : kind === 'array'
          ? floatsAt(name, given as string, call)
          : given;
    const [outer, inner] = at.split('.') as [string, string?];
    result[outer] = inner ? { ...result[outer], [inner]: value } : value;
  }
  return result;
}

/** The scheme of a config, for what attention itself can do about order. */
function ofConfig(call: Call) {
  const path = call.given['config'];
  if (path === undefined) return undefined;
  const found = schemeOf(String(path), call);
  if (found.type === 'rotary') {
    const { frequencies, layout, temperature } = found;
    if (!temperature || call.given['rowScale'] !== undefined)
      return { type: 'rope', frequencies, layout };
    throw new UsageError(
      `--row-scale must be given, since this --config has one factor per query (${temperature.type})`,
    );
  }
  if (found.type === 'alibi') return { type: 'alibi', maxBias: found.maxBias };
  throw new Error(
    `${path}: config must have rotary positions or ALiBi, got scheme '${found.type}'`,
  );
}

function positionOf(call: Call, dim: number): AttentionPosition {
  const { position: named, config } = call.given;
  const found = ofConfig(call);
  const type = String(named ?? found?.type ?? 'none');
  if (found && found.type !== type) {
    throw new UsageError(`--position must be ${found.type} with this --config, got ${type}`);
  }
  const stray = Object.keys(scheme).find(
    (name) => call.given[name] !== undefined && !scheme[name]!.of!.includes(type),
  );
  if (stray) {
    throw new UsageError(
      `${stray} must come with --position ${scheme[stray]!.of!.join(' or ')}, got ${type}`,
    );
  }
  const { position = {}, rotaryFraction } = placed(scheme, call) as {
    position?: Record<string, unknown>;
    rotaryFraction?: number;
  };
  if (type !== 'rope') return { type, ...found, ...position } as AttentionPosition;
  const { base, ...rest } = position as { base?: number };
  const doubled =
    config !== undefined &&
    (base !== undefined ? 'base' : rotaryFraction !== undefined && 'rotaryFraction');
  if (doubled) throw new UsageError(`${doubled} must come without --config, got both`);
  const own = found ?? { frequencies: call.rw.rotaryFrequencies({ dim, base, rotaryFraction }) };
  return { layout: 'half-split', ...own, ...rest, type } as AttentionPosition;
}

/** q, k and v: three places, or one file that holds them by these names. */
function tensorsOf(call: Call): [Tensor, Tensor, Tensor] {
  const { operands } = call;
  const names = ['q', 'k', 'v'];
  const isOne = operands.length === 1 && operands[0]!.endsWith('.safetensors');
  if (!isOne && operands.length !== 3) {
    throw new UsageError(
      `attention must have 3 files, or one .safetensors of q, k and v, got ${operands.join(' ')}`,
    );
  }
  const places = isOne ? names.map((name) => `${operands[0]}#${name}`) : operands;
  const [q, k, v] = names.map((name, i) => toFloats(arrayAt(places[i]!, call, name)));
  return [q!, k!, v!];
}

function intermediatesOf(wanted: unknown): AttentionIntermediate[] {
  const kept = String(wanted ?? 'output')
    .split(',')
    .filter((name) => name !== 'output');
  const unknown = kept.find((name) => !intermediates.includes(name as AttentionIntermediate));
  if (unknown === undefined) return kept as AttentionIntermediate[];
  throw new UsageError(`--return must be of output, ${intermediates.join(', ')}, got ${unknown}`);
}

export const attention: Command = {
  says: 'exact attention over q, k and v of [heads, length, dim]: three .npy files, or one .safetensors',
  operands: 'Q K V',
  count: [1, 3],
  options,
  example:
    'ropewalk attention q.npy k.npy v.npy --position rope --causal top-left --out output.npy',
  run(call) {
    const [q, k, v] = tensorsOf(call);
    const asked = intermediatesOf(call.given['return']);
    const checked = checkedAttention(call.core, q, k, v, {
      ...placed(settings, call),
      mask: maskOf(call.given, call),
      position: positionOf(call, q.shape.at(-1)!),
      intermediates: asked,
    });
    const heads = q.shape.slice(0, -2).reduce((a, b) => a * b, 1);
    // In parts, so that long work can say how far it is.
    const parts = Math.min(heads, mostParts);
    const result = checked.finished(
      attendInParts(call.core, checked.call, checked.leading, parts, call.progress),
    );
    return {
      axes,
      arrays: Object.fromEntries(
        (['output', ...asked] as const).map((name) => [name, result[name]!]),
      ),
    };
  },
};
