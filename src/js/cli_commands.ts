/** The commands of `npx ropewalk` as data: parsing and help are both made from this table. */
import { attentionInParts } from './cli_parts.js';
import { readNpy, readSafetensors, toFloats, type FileTensor, type WritableTensor } from './files.js';
import type { AttentionPosition, AttentionStep, Ropewalk, RotaryLayout, Tensor } from './ropewalk.js';
import { placeOf, shapeText } from './tensor.js';

/** What was typed wrong: the process ends with 2, and with 1 for everything else. */
export class UsageError extends Error {}

export interface OptionRule {
  /** The list of what it may be, or what it is; 'file', 'names' and 'text' differ in the help only. */
  kind: 'number' | 'whole' | 'file' | 'names' | 'text' | readonly string[];
  /** What it is, for the help. */
  says: string;
  short?: string;
  required?: boolean;
}

/** Options by their names in the API: `layerType` is typed --layer-type. */
export type Given = Record<string, string | number | undefined>;

export interface Call {
  rw: Ropewalk;
  operands: string[];
  given: Given;
  /** The bytes of a file. */
  read(path: string): Uint8Array;
  /** Told after each part of long work. */
  progress(done: number, of: number): void;
}

export interface Outcome {
  /** The first is what formats of one array hold. */
  arrays: Record<string, WritableTensor>;
  /** What only JSON tells beside them. */
  facts?: object;
  /** Why the process ends with 1 although there is something to write. */
  failure?: string;
}

export interface Command {
  says: string;
  /** The operands, as the help writes them, and how many there may be. */
  operands: string;
  count: readonly [least: number, most: number];
  options: Record<string, OptionRule>;
  example: string;
  run(call: Call): Outcome;
}

const fileOf = (path: string, call: Call): Map<string, FileTensor> => {
  const bytes = call.read(path);
  try {
    if (path.endsWith('.npy')) return new Map([['', readNpy(bytes)]]);
    if (path.endsWith('.safetensors')) return readSafetensors(bytes).tensors;
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
  throw new UsageError(`a file of arrays must end in .npy or .safetensors, got ${path}`);
};

/** The array of a .npy file, or what `file.safetensors#name` names. */
export function arrayAt(place: string, call: Call, preferred?: string): FileTensor {
  const [, path, name = preferred] = /^(.*?\.safetensors)(?:#(.+))?$/.exec(place) ?? [place, place];
  const tensors = fileOf(path!, call);
  const found = tensors.size === 1 && !place.includes('#') ? [...tensors.values()][0] : tensors.get(name ?? '');
  if (found) return found;
  const wanted = name ? `a tensor ${name}` : 'one tensor, or be followed by #NAME';
  throw new UsageError(`${path} must hold ${wanted}, got ${[...tensors.keys()].join(', ')}`);
}

const modelOf = (path: string, { rw, read, given }: Call) => {
  const text = new TextDecoder().decode(read(path));
  const { length, layerType } = given as { length?: number; layerType?: string };
  try {
    return rw.rotaryFrequencies.fromConfig(text, {
      ...(length !== undefined && { length }),
      ...(layerType !== undefined && { layerType }),
    });
  } catch (error) {
    const { message } = error as Error;
    throw message.startsWith('config') ? new Error(`${path}: ${message}`) : error;
  }
};

const table: Command = {
  says: 'a table of positions: sinusoidal [positions, dim], or the cos and sin of rotary [2, positions, pairs]',
  operands: 'sinusoidal|rotary',
  count: [1, 1],
  options: {
    positions: { kind: 'whole', says: 'how many rows', required: true },
    dim: { kind: 'whole', says: 'width of a row; of a head for rotary', required: true },
    base: { kind: 'number', says: 'default 10000' },
  },
  example: 'ropewalk table sinusoidal --positions 50 --dim 128 --out table.svg',
  run({ rw, operands: [kind], given }) {
    const { positions, dim, base = 10000 } = given as { positions: number; dim: number; base?: number };
    if (kind === 'sinusoidal') return { arrays: { table: rw.sinusoidal({ positions, dim, base }) } };
    if (kind !== 'rotary') throw new UsageError(`table must be sinusoidal or rotary, got ${kind}`);
    const { cos, sin, shape } = rw.rotaryTable({ dim, base }, { positions });
    const data = new Float64Array(2 * cos.length);
    data.set(cos);
    data.set(sin, cos.length);
    return { arrays: { table: { data, shape: [2, ...shape] } } };
  },
};

const frequencies: Command = {
  says: 'how fast each pair turns in the model of a Hugging Face config.json, and how that came about',
  operands: 'CONFIG.json',
  count: [1, 1],
  options: {
    length: { kind: 'whole', says: 'the length in use, where the scheme depends on it' },
    layerType: { kind: 'text', says: 'which kind of layer, where a model has several' },
  },
  example: 'ropewalk frequencies config.json --format csv',
  run(call) {
    const { inverse, derivation, ...facts } = modelOf(call.operands[0]!, call);
    const shape = [inverse.length];
    const wavelength = inverse.map((frequency) => (2 * Math.PI) / frequency);
    const { trained, kept, ...story } = derivation;
    return {
      arrays: {
        inverse: { data: inverse, shape },
        trained: { data: trained, shape },
        wavelength: { data: wavelength, shape },
        ...(kept && { kept: { data: Float64Array.from(kept), shape: [kept.length] } }),
      },
      facts: { ...facts, ...story },
    };
  },
};

const steps = ['scores', 'capped', 'biased', 'weights', 'entropy', 'logSumExp'];
const layouts = ['half-split', 'interleaved'];

function positionOf(call: Call, dim: number): AttentionPosition | undefined {
  const { position, base, config, layout = 'half-split' } = call.given;
  const rotary = position === 'rope' || config !== undefined;
  if (rotary && position !== undefined && position !== 'rope') {
    throw new UsageError(`--position must be rope with --config, got ${position}`);
  }
  if (base !== undefined && (!rotary || config !== undefined)) {
    throw new UsageError(`--base must come with --position rope and without --config, got ${base}`);
  }
  if (!rotary) return position === 'alibi' ? { type: 'alibi' } : undefined;
  const frequencies = config === undefined
    ? call.rw.rotaryFrequencies({ dim, ...(base !== undefined && { base: base as number }) })
    : modelOf(config as string, call);
  return { type: 'rope', frequencies, layout: layout as RotaryLayout };
}

/** q, k and v: three places, or one file that holds them by these names. */
function operandsOf(call: Call): [Tensor, Tensor, Tensor] {
  const { operands } = call;
  if (operands.length === 2) throw new UsageError('attention must have 1 or 3 files, got 2');
  const places = operands.length === 1 ? Array<string>(3).fill(operands[0]!) : operands;
  const [q, k, v] = ['q', 'k', 'v'].map((name, i) => toFloats(arrayAt(places[i]!, call, name)));
  return [q!, k!, v!];
}

const attention: Command = {
  says: 'exact attention over q, k and v of [heads, length, dim]: three .npy files, or one .safetensors',
  operands: 'Q K V',
  count: [1, 3],
  options: {
    position: { kind: ['none', 'rope', 'alibi'], says: 'how it is told about order; default none' },
    base: { kind: 'number', says: 'of rope, default 10000' },
    layout: { kind: layouts, says: 'which values rope turns together; default half-split' },
    config: { kind: 'file', says: 'a config.json whose rotary frequencies turn q and k' },
    length: { kind: 'whole', says: 'the length in use, where the scheme of --config depends on it' },
    layerType: { kind: 'text', says: 'which kind of layer, where --config has several' },
    causal: { kind: ['top-left', 'bottom-right'], says: 'hide later keys; default: every key is seen' },
    scale: { kind: 'number', says: 'multiplies q · k; default 1/√dim' },
    softcap: { kind: 'number', says: 'bounds the scores by a tanh' },
    return: { kind: 'names', says: `of output, ${steps.join(', ')}, with commas; default output` },
  },
  example: 'ropewalk attention q.npy k.npy v.npy --position rope --causal top-left --out output.npy',
  run(call) {
    const [q, k, v] = operandsOf(call);
    const { causal, scale, softcap, return: wanted } = call.given;
    const kept = String(wanted ?? 'output').split(',').filter((name) => name !== 'output');
    const unknown = kept.find((name) => !steps.includes(name));
    if (unknown !== undefined) {
      throw new UsageError(`--return must be of output, ${steps.join(', ')}, got ${unknown}`);
    }
    const position = positionOf(call, q.shape.at(-1)!);
    const arrays = attentionInParts(call.rw, [q, k, v], {
      ...(position && { position }),
      ...(causal !== undefined && { causal: causal as 'top-left' }),
      ...(scale !== undefined && { scale: scale as number }),
      ...(softcap !== undefined && { softcap: softcap as number }),
      return: kept as AttentionStep[],
    }, call.progress);
    return { arrays };
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
    const { tolerance = 1e-5, return: wanted } = call.given as { tolerance?: number; return?: string };
    const [ours, theirs] = call.operands.map((place) => arrayAt(place, call)) as [FileTensor, FileTensor];
    const { shape } = ours;
    if (String(shape) !== String(theirs.shape)) {
      throw new Error(`both arrays must have one shape, got ${shapeText(shape)} and ${shapeText(theirs.shape)}`);
    }
    const data = differences(ours, theirs);
    const worst = data.reduce((most, value, i) => (value > data[most]! ? i : most), 0);
    const largest = data[worst] ?? 0;
    const at = placeOf(worst, shape);
    const agrees = largest <= tolerance;
    return {
      arrays: { ...(wanted !== undefined && { difference: { data, shape } }) },
      facts: { agrees, largest, at, tolerance, shape },
      ...(!agrees && { failure: `both arrays must agree within ${tolerance}, got ${largest} at ${shapeText(at)}` }),
    };
  },
};

/** |ours − theirs|: 0 between two NaN or equal infinities, infinite between NaN and a number. */
function differences({ data: ours }: FileTensor, { data: theirs }: FileTensor): Float64Array {
  return Float64Array.from({ length: ours.length }, (_, i) => {
    const [a, b] = [Number(ours[i]), Number(theirs[i])];
    if (Object.is(a, b) || a === b) return 0;
    return Number.isNaN(a - b) ? Infinity : Math.abs(a - b);
  });
}

export const commands: Record<string, Command> = { table, frequencies, attention, compare };

/** What every command takes; it may say more about an option by one of the same name. */
export const shared: Record<string, OptionRule> = {
  out: { kind: 'file', short: 'o', says: 'where to write; its ending tells the format. Default: standard output' },
  format: { kind: ['json', 'csv', 'npy', 'safetensors', 'svg', 'png'], says: 'default: by --out, else json' },
  progress: { kind: ['auto', 'always', 'never'], says: 'of long work, on standard error; default: on a terminal' },
  return: { kind: 'names', says: 'arrays to write, with commas. Default: all; of formats of one, the first' },
};
