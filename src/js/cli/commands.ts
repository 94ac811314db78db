/** The commands of `npx ropewalk`; attention, which has most options, is in attention.ts. */
import { attention } from './attention.js';
import { diagnose } from './diagnose.js';
import { dump } from './dump.js';
import { frequencies } from './frequencies.js';
import { arrayAt, rotaryOf } from './inputs.js';
import { numberText } from './text.js';
import { configChoices, ruleOf, UsageError, type Command, type Given } from './rules.js';
import { sinusoidalSchema } from '../input/absolute.js';
import type { FileTensor } from '../formats/file_tensor.js';
import type { SinusoidalOptions } from '../ropewalk.js';
import { placeOf, shapeText } from '../runtime/tensor.js';

const ofSinusoidal = ['layout', 'spacing'];
const ofConfig = ['config', ...Object.keys(configChoices)];

const table: Command = {
  says: 'a table of positions: sinusoidal [positions, dim], or the cos and sin of rotary [2, positions, pairs]',
  operands: 'sinusoidal|rotary',
  count: [1, 1],
  options: {
    positions: { kind: 'whole', says: 'how many rows', required: true },
    dim: {
      kind: 'whole',
      says: 'width of a row; of a head for rotary, where --config may set it',
    },
    base: ruleOf(sinusoidalSchema.base),
    layout: ruleOf(
      sinusoidalSchema.layout,
      'of sinusoidal: sin and cos alternating, or all sines first',
    ),
    spacing: ruleOf(
      sinusoidalSchema.spacing,
      'of sinusoidal: exponents by 2i/dim (the paper), or so that the last is 1',
    ),
    config: {
      kind: 'file',
      says: 'of rotary: a config.json of Hugging Face in place of --dim and --base',
    },
    ...configChoices,
  },
  example: 'ropewalk table sinusoidal --positions 50 --dim 128 --out table.svg',
  run(call) {
    const {
      rw,
      operands: [kind],
      given,
    } = call;
    if (kind !== 'sinusoidal' && kind !== 'rotary')
      throw new UsageError(`table must be sinusoidal or rotary, got ${kind}`);
    const stray = (kind === 'rotary' ? ofSinusoidal : ofConfig).find(
      (name) => given[name] !== undefined,
    );
    if (stray) throw new UsageError(`${stray} must come with the other table, got ${kind}`, stray);
    const { config, dim, positions, ...settings } = given as Partial<SinusoidalOptions> &
      Given & { config?: string; positions: number };
    if (config === undefined && dim === undefined)
      throw new UsageError('dim must be given, got nothing', 'dim');
    if (kind === 'sinusoidal') {
      const { base, layout, spacing } = settings;
      const table = rw.sinusoidal({ positions, dim: dim!, base, layout, spacing });
      return { arrays: { table }, axes: { table: ['position', 'dimension'] } };
    }
    const doubled =
      config !== undefined && ['dim', 'base'].find((name) => given[name] !== undefined);
    if (doubled) throw new UsageError(`${doubled} must come without --config, got both`, doubled);
    const rotation =
      config === undefined
        ? rw.rotaryFrequencies({ dim: dim!, base: settings.base })
        : rotaryOf(config, call).scheme.frequencies;
    const { cos, sin, shape } = rw.rotaryTable(rotation, { positions });
    const data = new Float64Array(2 * cos.length);
    data.set(cos);
    data.set(sin, cos.length);
    return {
      arrays: { table: { data, shape: [2, ...shape] } },
      axes: { table: [['cos', 'sin'], 'position', 'pair'] },
    };
  },
};

const compare: Command = {
  says: 'the largest difference of two arrays of one shape; ends with 1 when it is above the tolerance',
  operands: 'OURS THEIRS',
  count: [2, 2],
  options: {
    tolerance: { kind: 'number', says: 'of |ours − theirs|, default 1e-5' },
    return: { kind: 'names', says: 'difference, to write |ours − theirs| itself' },
  },
  example: 'ropewalk compare output.npy attention.npy --tolerance 1e-6',
  run(call) {
    const { tolerance = 1e-5, return: wanted } = call.given as {
      tolerance?: number;
      return?: string;
    };
    const [ours, theirs] = call.operands.map((place) => arrayAt(place, call)) as [
      FileTensor,
      FileTensor,
    ];
    const { shape } = ours;
    if (String(shape) !== String(theirs.shape)) {
      throw new Error(
        `both arrays must have one shape, got ${shapeText(shape)} and ${shapeText(theirs.shape)}`,
      );
    }
    const data = differences(ours, theirs);
    const worst = data.reduce((most, value, i) => (value > data[most]! ? i : most), 0);
    const largest = data[worst] ?? 0;
    const at = data.length ? placeOf(worst, shape) : [];
    const agrees = largest <= tolerance;
    return {
      arrays: { ...(wanted !== undefined && { difference: { data, shape } }) },
      facts: { agrees, largest, at, tolerance, shape },
      text: `${agrees ? 'They agree' : 'They differ'}: the largest difference is ${numberText(largest)}${data.length ? ` at ${shapeText(at)}` : ''} of ${shapeText(shape)}, the tolerance ${tolerance}.\n`,
      ...(!agrees && {
        failure: `both arrays must agree within ${tolerance}, got ${largest} at ${shapeText(at)}`,
      }),
    };
  },
};

/** |ours − theirs|: 0 between two NaN or equal infinities, infinite between NaN and a number. */
function differences({ data: ours }: FileTensor, { data: theirs }: FileTensor): Float64Array {
  return Float64Array.from({ length: ours.length }, (_, i) => {
    const [whole, other] = [ours[i], theirs[i]];
    // As doubles, neighbors beyond 2^53 would be equal.
    if (typeof whole === 'bigint' && typeof other === 'bigint')
      return Number(whole > other ? whole - other : other - whole);
    const [a, b] = [Number(whole), Number(other)];
    if (Object.is(a, b) || a === b) return 0;
    return Number.isNaN(a - b) ? Infinity : Math.abs(a - b);
  });
}

export const commands: Record<string, Command> = {
  table,
  frequencies,
  attention,
  diagnose,
  dump,
  compare,
};
