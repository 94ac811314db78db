/** The scheme that `positionFromConfig` returns, as attention takes it. */
import { slopesOf } from '../bias/distance.js';
import type { Sizes } from './operands.js';
import { frequencies as frequencyOption, type RotaryFrequencies } from '../rotary/frequencies.js';
import { logitFactors, type LogitFactorOptions } from '../rotary/logit_factors.js';
import { layoutOrHalves, type RotaryLayout } from '../rotary/rotary.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';

/** What attention reads of a rotary scheme. */
interface RotaryOfConfig {
  type: 'rotary';
  layout?: RotaryLayout;
  frequencies: RotaryFrequencies;
  /** Width of a head of q and k. */
  headDim: number;
  /** The width that frequencies were computed for. */
  dim: number;
  /** Whether the rotated values are the last of a head, as DeepSeek has them. */
  part?: 'trailing';
  /** Angles are negated. */
  direction?: -1;
  temperature?: LogitFactorOptions;
}

interface AlibiOfConfig {
  type: 'alibi';
  heads: number;
  maxBias: number;
  /** Falcon divides its biases by √d. */
  divisor?: number;
}

const rotarySchema = {
  type: option.type,
  layout: layoutOrHalves,
  frequencies: frequencyOption,
  headDim: option.whole,
  dim: option.whole,
  part: option.oneOf('trailing').optional(),
  direction: option.oneOf(-1).optional(),
  temperature: option.given('temperature'),
} satisfies Schema<RotaryOfConfig>;

const alibiSchema = {
  type: option.type,
  heads: option.whole,
  maxBias: option.positive,
  divisor: option.positive.default(1),
} satisfies Schema<AlibiOfConfig>;

/** The options of every scheme. @internal */
export const configuredSchemas = {
  none: { type: option.type },
  rotary: rotarySchema,
  alibi: alibiSchema,
};

/** Reads what attention needs of a scheme, which has more. */
function readScheme<Scheme extends object, Description extends Schema<Scheme>>(
  scheme: Scheme,
  schema: Description,
) {
  const own = Object.entries(scheme).filter(([name]) => Object.hasOwn(schema, name));
  return read('position.scheme', Object.fromEntries(own) as Scheme, schema, 'position.scheme.');
}

type SchemeOfConfig = RotaryOfConfig | AlibiOfConfig | { type: string };

/**
 * What `positionFromConfig` returns: rotary positions, ALiBi or none, for the layers that have them
 * and for text. Its factors on the scores (`softmaxScale`, `temperature`) act as `rowScale` does,
 * which replaces them.
 */
export interface ConfiguredPosition {
  /** The position scheme of the model. */
  scheme: SchemeOfConfig;
  /** How the configuration was understood. */
  account: object;
}

export function isConfigured(value: unknown): value is ConfiguredPosition {
  return typeof value === 'object' && value !== null && 'scheme' in value;
}

const isRotary = (scheme: SchemeOfConfig): scheme is RotaryOfConfig => scheme.type === 'rotary';
const isAlibi = (scheme: SchemeOfConfig): scheme is AlibiOfConfig => scheme.type === 'alibi';

/** What to do instead, for the schemes that are no option of attention. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['learned', 'acts at the input: add learnedRows to the tokens, and leave position out'],
  ['sinusoidal', 'acts at the input: add sinusoidal to the tokens, and leave position out'],
  ['t5', "has its table in the weights: give { type: 't5', table, direction } and scale: 1"],
]);

function mustAgree(what: string, ofConfig: number, given: number): void {
  if (ofConfig === given) return;
  throw wrongValue('position: q', `must have the config's ${what}, ${ofConfig}`, given);
}

/** Throws for a model that rotates the last values of a head: attention rotates the first. */
function requireRotatedFirst(scheme: { part?: 'trailing'; dim: number }): void {
  if (!scheme.part) return;
  const rule =
    `of this config rotates the last ${scheme.dim} values of a head: ` +
    'rotate them by themselves, and leave position out';
  throw wrongKind('position', rule, scheme, '');
}

/** The frequencies, negative ones where angles are negated. */
export const signedFrequencies = <Frequencies extends Pick<RotaryOfConfig, 'frequencies'>>({
  frequencies,
  direction = 1,
}: Frequencies & { direction?: 1 | -1 }) => ({
  ...frequencies,
  inverseFrequencies: frequencies.inverseFrequencies.map((theta) => theta * direction),
});

/** Factors per query: none where all are 1. */
function factorsOf(core: Core, scheme: RotaryOfConfig, { queries }: Sizes, firstQuery: number) {
  const { softmaxScale = 1 } = scheme.frequencies;
  if (!scheme.temperature)
    return softmaxScale === 1 ? [] : [new Float32Array(queries).fill(softmaxScale)];
  const positions = Array.from({ length: queries }, (_, i) => Math.max(0, firstQuery + i));
  const factors = logitFactors(core).logitFactors(positions, scheme.temperature);
  return [Float32Array.from(factors, (factor) => factor * softmaxScale)];
}

/** @param firstQuery the key at which query 0 stands */
export function attendedPosition(
  core: Core,
  scheme: SchemeOfConfig,
  sizes: Sizes,
  firstQuery: number,
) {
  if (typeof scheme !== 'object' || scheme === null)
    throw wrongKind('position.scheme', 'must be what positionFromConfig returns', scheme);
  if (isRotary(scheme)) {
    const given = readScheme(scheme, rotarySchema);
    const { layout, headDim } = given;
    mustAgree('width of a head', headDim, sizes.dim);
    requireRotatedFirst(given);
    const position = { type: 'rope', layout, frequencies: signedFrequencies(given) } as const;
    return { position, rowScale: factorsOf(core, given, sizes, firstQuery) };
  }
  if (isAlibi(scheme)) {
    const { heads, maxBias, divisor } = readScheme(scheme, alibiSchema);
    mustAgree('heads', heads, sizes.heads);
    const own = slopesOf(
      core,
      { convention: 'published', maxBias, headOffset: 0, totalHeads: heads },
      heads,
    );
    const slopes = own.map((slope) => slope / divisor);
    return { position: { type: 'alibi', slopes } as const, rowScale: [] };
  }
  if (scheme.type === 'none') return { position: { type: 'none' } as const, rowScale: [] };
  const what = elsewhere.get(scheme.type) ?? 'is no part of attention: give its scores as bias';
  throw wrongKind('position', `of type '${scheme.type}' ${what}`, scheme, '');
}
