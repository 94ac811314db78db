/**
 * `npx ropewalk attention`: the kinds, choices and defaults of its options are those of the API's
 * schemas; this file adds the texts of the help.
 */
import { attentionSchema } from '../attention/attention.js';
import { intermediates, type AttentionIntermediate } from '../attention/call.js';
import { signedFrequencies } from '../attention/configured.js';
import { maskSchema, windowSchema, type BooleanMask } from '../attention/operands.js';
import { arrayAt, numbersOf, positionOf as configOf } from './inputs.js';
import {
  configChoices,
  ruleOf,
  UsageError,
  type Call,
  type Command,
  type Given,
  type OptionRule,
} from './rules.js';
import { distanceTypes, schemes as distanceSchemes } from '../bias/distance.js';
import { toFloats } from '../formats/file_tensor.js';
import type { AttentionPosition } from '../ropewalk.js';
import { rotaryFrequencySchema } from '../rotary/frequencies.js';
import { rotaryLayout } from '../rotary/rotary.js';
import type { Tensor } from '../runtime/tensor.js';

const leading = ['batch', 'head'];
const perRow = [...leading, 'query'];
/** The axes of the output and of each intermediate result. */
const axes: Record<string, string[]> = {
  output: [...perRow, 'dimension'],
  entropy: perRow,
  logSumExp: perRow,
  ...Object.fromEntries(
    ['scores', 'capped', 'biased', 'weights'].map((step) => [step, [...perRow, 'key']]),
  ),
};

const settings: Record<string, OptionRule> = {
  causal: ruleOf(
    attentionSchema.causal,
    'hide later keys. top-left is is_causal of PyTorch, bottom-right decodes with a cache; default: every key is seen',
  ),
  window: {
    ...ruleOf(
      windowSchema.size,
      'only this many keys up to the query, its own included (Hugging Face)',
    ),
    at: 'window.size',
  },
  lookback: {
    ...ruleOf(windowSchema.lookback, 'only this many keys before the query (FlashAttention)'),
    at: 'window.lookback',
  },
  lookahead: {
    ...ruleOf(windowSchema.lookahead, 'and only this many after it'),
    at: 'window.lookahead',
  },
  mask: { kind: 'file', says: 'booleans that broadcast to [batch, heads, queries, keys]' },
  maskWhenTrue: ruleOf(
    maskSchema.whenTrue,
    'what true means there; default attend, as attn_mask of PyTorch',
  ),
  bias: {
    kind: 'array',
    says: 'numbers that are added to the scaled scores, as a float attn_mask; broadcasts as mask does',
  },
  keyLengths: ruleOf(attentionSchema.keyLengths, 'how many keys are real, per batch'),
  sinks: ruleOf(attentionSchema.sinks, 'one score per head that belongs to no key'),
  scale: ruleOf(attentionSchema.scale, 'multiplies q · k; default 1/√dim'),
  rowScale: ruleOf(attentionSchema.rowScale, 'one more factor per query'),
  softcap: ruleOf(attentionSchema.softcap, 'scores become softcap · tanh(score / softcap)'),
  fullyMasked: ruleOf(attentionSchema.fullyMasked, 'what a query that sees no key gets'),
};

const types = ['none', 'rope', ...distanceTypes];

/** What the help says of options of biases by distance, beside kind, choices and default. */
const distanceTexts: Record<string, string> = {
  maxBias: 'the 8 of 2^(−8h/H)',
  headOffset: 'place of the first head among all',
  totalHeads: 'how many heads there are; default: up to the last one given',
  slopes: 'one per head; default: the published ones',
  table: 'the learned [buckets, heads]',
  maxDistance: 'distances beyond share a bucket',
  kind: 'of the distance',
  r1: 'greater than 0, one per head',
  r2: 'greater than 0, one per head',
  clamp: 'raises smaller r1 and r2 to it',
  dim: 'width of the sinusoid',
  firstPair: 'of the sum; 1 is that of the paper',
  zeroAtOrigin: 'whether distance 0 gets 0',
  direction:
    'what later keys get; t5 has causal and bidirectional, the others causal and symmetric',
};

/** An option of biases by distance: their schemas say which types have it, and what it may be. */
function distanceRule(name: string): OptionRule {
  const says = distanceTexts[name] ?? '';
  const found = distanceTypes.flatMap((type) => {
    const option = distanceSchemes[type].schema[name];
    return option ? [{ type, rule: ruleOf(option, says) }] : [];
  });
  const kinds = found.map(({ rule }) => rule.kind);
  const choices = kinds.flatMap((kind) => (typeof kind === 'string' ? [] : kind));
  return {
    ...(found.length === 1 ? found[0]!.rule : { kind: kinds[0]!, says }),
    ...(choices.length > 0 && { kind: [...new Set(choices)] }),
    at: `position.${name}`,
    of: found.map(({ type }) => type),
  };
}

const distanceNames = distanceTypes.flatMap((type) => Object.keys(distanceSchemes[type].schema));
const ofDistance = Object.fromEntries(distanceNames.map((name) => [name, distanceRule(name)]));

/** What makes up the scheme of position, by the types it belongs to. */
const scheme: Record<string, OptionRule> = {
  ...ofDistance,
  base: {
    ...ruleOf(rotaryFrequencySchema.base),
    at: 'position.base',
    of: ['rope', ...ofDistance['base']!.of!],
  },
  rotaryFraction: {
    ...ruleOf(rotaryFrequencySchema.rotaryFraction, 'which share of dim is rotated'),
    of: ['rope'],
  },
  layout: {
    ...ruleOf(rotaryLayout, 'which values are a pair; default half-split, or what --config says'),
    at: 'position.layout',
    of: ['rope'],
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
  throw new UsageError(`${name} must hold numbers, got bool: what hides keys is --mask`, name);
}

/** The given options, at their places in the options of the API. */
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

/** The scheme of a config, if it acts inside attention. */
function ofConfig(call: Call) {
  const path = call.given['config'];
  if (path === undefined) return undefined;
  const { scheme: found } = configOf(String(path), call);
  if (found.type === 'rotary') {
    const { layout, temperature } = found;
    const frequencies = signedFrequencies(found);
    if (found.part) {
      const last = `the last ${found.dim}: rotate them by themselves`;
      throw new Error(`${path}: config must rotate the first values of a head, got ${last}`);
    }
    if (!temperature || call.given['rowScale'] !== undefined)
      return { type: 'rope', frequencies, layout };
    throw new UsageError(
      `--row-scale must be given, since this --config has one factor per query (${temperature.type})`,
    );
  }
  if (found.type === 'alibi') {
    const { heads, maxBias, divisor = 1 } = found;
    const slopes = call.rw.alibiSlopes({ heads, maxBias }).map((slope) => slope / divisor);
    return { type: 'alibi', slopes };
  }
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
      stray,
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
  if (doubled) throw new UsageError(`${doubled} must come without --config, got both`, doubled);
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
    const kept = intermediatesOf(call.given['return']);
    const result = call.rw.attention(q, k, v, {
      ...placed(settings, call),
      mask: maskOf(call.given, call),
      position: positionOf(call, q.shape.at(-1)!),
      intermediates: kept,
      onProgress: call.progress,
    });
    return {
      axes,
      arrays: Object.fromEntries(
        (['output', ...kept] as const).map((name) => [name, result[name]!]),
      ),
    };
  },
};
