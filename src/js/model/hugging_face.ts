/** A model from a Hugging Face folder: config.json and the weights of .safetensors files. */
import { layerPlanFromConfig } from '../config/layers.js';
import { positionFromConfig, type FrequencySource } from '../config/position.js';
import { ConfigSection } from '../config/reader.js';
import { lengthNames } from '../config/scaling.js';
import { textSection } from '../config/section.js';
import type { RotaryLayout } from '../rotary/rotary.js';
import { wrongValue } from '../runtime/errors.js';
import type { DecoderOptions, ModelDescription, Place } from './description.js';
import { modelFamilies, type ModelFamily } from './families.js';
import type { ModelParts } from './model.js';
import type { ModelLayerPosition } from './positions.js';
import { Settings } from './settings.js';
import type { Weights } from './weights.js';

/** An instance, which computes frequencies and slopes. */
export interface PositionSource extends FrequencySource {
  alibiSlopes(settings: { heads: number; maxBias: number }): Float64Array;
}

/** What a file has in another way than the folders of its family. */
export interface FileChanges {
  names: ModelFamily['names'];
  layers: string;
  layout: RotaryLayout;
  /** Options that the file's tensors decide. */
  decoder: Partial<DecoderOptions>;
  /** A bias that the file lacks is 0. */
  lacksBiases: true;
  /** Whether gains are stored as what they exceed 1 by. */
  gainOffset: 0 | 1;
  /** Divisors of the frequencies, one per pair. */
  divisors?: Float32Array;
  /** Multiplies the factor on cos and sin. */
  attentionFactor: number;
}

/** Rows or columns of queries, keys or values, 0 to 2, in a tensor that joins them. */
function joinedRuns(
  { heads, keyHeads = heads, width, headWidth = width / heads }: DecoderOptions,
  order: 'one-after-another' | 'by-head',
  part: number,
): [number, number][] {
  if (order === 'by-head')
    return Array.from({ length: heads }, (_, head) => [(3 * head + part) * headWidth, headWidth]);
  const counts = [heads, keyHeads, keyHeads].map((count) => count * headWidth);
  return [[counts.slice(0, part).reduce((sum, count) => sum + count, 0), counts[part]!]];
}

/**
 * The names of tensors in a file, by those of the family. Files of the model without its head leave
 * out the first part of all names; files of a larger model, or of a compiled one, have more before.
 */
function namesIn(weights: Weights, embedding: string): (name: string) => string {
  const ownPrefix = embedding.slice(0, embedding.indexOf('.') + 1);
  const table = `${embedding.slice(ownPrefix.length)}.weight`;
  const tables = weights.names().filter((name) => name === table || name.endsWith(`.${table}`));
  const own = `${embedding}.weight`;
  const found = tables.includes(own) || tables.length !== 1 ? own : tables[0]!;
  const prefix = found.slice(0, found.length - table.length);
  if (ownPrefix === '' || prefix === ownPrefix) return (name) => name;
  const isWhole = `.${prefix}`.endsWith(`.${ownPrefix}`);
  const around = isWhole ? prefix.slice(0, -ownPrefix.length) : prefix;
  return (name) => {
    if (name.startsWith(ownPrefix)) return prefix + name.slice(ownPrefix.length);
    return weights.stored(around + name) ? around + name : name;
  };
}

/** Where a file has each parameter of a model. */
function placesOf(
  family: ModelFamily & Partial<FileChanges>,
  options: DecoderOptions,
  weights: Weights,
  hasPlainNorms: boolean,
) {
  const { hidden, weightOrder, positionRows = 0 } = options;
  const along = weightOrder === 'in-by-out' ? 'columns' : 'rows';
  const nameOf = namesIn(weights, family.names.E!);
  return (parameter: string): Place => {
    const [, layer, name = parameter] = /^blocks\.(\d+)\.(.+)$/.exec(parameter) ?? [];
    // Such as "Wq.b", "gq.3" and "gq.3.b".
    const [, own = name, head = '', bias] = /^(\w+)((?:\.\d+)?)(\.b)?$/.exec(name) ?? [];
    const before = layer === undefined ? '' : `${family.layers}${layer}.`;
    const tensorOf = (given: string) =>
      nameOf(`${before}${given}${head}.${bias ? 'bias' : 'weight'}`);
    const part = ['Wq', 'Wk', 'Wv'].indexOf(own);
    const { joined, joinedGate, gainOffset } = family;
    if (joined && part >= 0)
      return {
        tensor: tensorOf(joined.name),
        runs: joinedRuns(options, joined.order, part),
        along,
      };
    if (joinedGate && (own === 'Wg' || own === 'W1'))
      return { tensor: tensorOf(joinedGate), runs: [[own === 'Wg' ? 0 : hidden, hidden]] };
    const given = family.names[own];
    if (given === undefined)
      throw wrongValue('config.model_type', `must be a family that has ${parameter}`, own, '');
    const tensor = tensorOf(given);
    // Layer norms without a bias add 0; a table may have rows before that of position 0.
    if (bias && (own.startsWith('g') || family.lacksBiases)) return { tensor, absent: 0 };
    const absent = hasPlainNorms ? { absent: 1 } : {};
    if (own.startsWith('g')) return { tensor, offset: gainOffset ?? 0, ...absent };
    if (own === 'Wout' && family.transposesHead) return { tensor, isTransposed: true };
    if (own !== 'pos') return { tensor };
    const rows = weights.stored(tensor)?.shape[0] ?? positionRows;
    return { tensor, runs: [[Math.max(0, rows - positionRows), positionRows]] };
  };
}

/** The position of each layer of a rotary model or of one with ALiBi, for a text so long. */
function positionsOf(
  rw: PositionSource,
  config: object,
  { heads, layers }: DecoderOptions,
  changes: FileChanges | undefined,
): (length: number) => ModelLayerPosition[] {
  const plan = layerPlanFromConfig(config).layers;
  if (plan.length !== layers)
    throw wrongValue('config: the layers', `must be ${layers}`, plan.length);
  const schemeOf = (length: number, layerType?: string) =>
    positionFromConfig(rw, config, { length, ...(layerType && { layerType }) }).scheme;
  const rotary = (length: number, layerType: string): ModelLayerPosition => {
    const scheme = schemeOf(length, layerType);
    if (scheme.type !== 'rotary') return {};
    const { layout, direction = 1, frequencies, base } = scheme;
    for (const name of ['part', 'sections', 'temperature', 'unrotatedTemperature'] as const)
      if (scheme[name] !== undefined)
        throw wrongValue(`config: ${name}`, 'must be absent: models cannot have it yet', name, '');
    if (frequencies.softmaxScale !== 1)
      throw wrongValue('config: softmaxScale', 'must be 1', frequencies.softmaxScale);
    const { divisors } = changes ?? {};
    const pairs = frequencies.inverseFrequencies.length;
    if (divisors && divisors.length !== pairs)
      throw wrongValue('weights: rope_freqs.weight', `must have ${pairs} values`, divisors.length);
    return {
      frequencies: frequencies.inverseFrequencies.map(
        (frequency, i) => (direction * frequency) / (divisors?.[i] ?? 1),
      ),
      base,
      attentionFactor: frequencies.attentionFactor * (changes?.attentionFactor ?? 1),
      layout: changes?.layout ?? layout,
    };
  };
  const own = schemeOf(1);
  if (!['rotary', 'alibi', 'learned', 'none'].includes(own.type))
    throw wrongValue('config: the positions', 'must be rotary, alibi, learned or none', own.type);
  const slopes =
    own.type === 'alibi'
      ? rw.alibiSlopes({ heads, maxBias: own.maxBias }).map((slope) => slope / (own.divisor ?? 1))
      : undefined;
  const kinds = new Set(plan.map(({ kind }) => kind));
  return (length) => {
    const byKind = new Map([...kinds].map((kind) => [kind, rotary(length, kind)]));
    return plan.map(({ kind, rotates, window, chunk, temperature }) => {
      if (chunk !== undefined || temperature !== undefined)
        throw wrongValue('config: the layers', 'must have no chunks and no temperature', kind);
      return {
        ...(rotates && byKind.get(kind)),
        ...(slopes && { slopes }),
        ...(window !== undefined && { lookback: window - 1 }),
      };
    });
  };
}

/**
 * Reads what a model is from its configuration.
 * @param changes of a file that is no folder of Hugging Face
 * @throws RangeError on a family that is not known, or a setting that the decoder does not have
 */
export function modelFromConfig(
  rw: PositionSource,
  config: string | object,
  weights: Weights,
  changes?: FileChanges,
): ModelParts {
  const section = textSection(ConfigSection.root(config));
  const type = section.value('model_type');
  const family =
    typeof type === 'string' && Object.hasOwn(modelFamilies, type)
      ? modelFamilies[type]
      : undefined;
  if (!family) {
    const known = Object.keys(modelFamilies).join(', ');
    throw wrongValue('config.model_type', `must be one of ${known}`, type);
  }
  const settings = new Settings(section);
  settings.expect('is_causal', true);
  for (const key of ['quantization_config', 'compression_config'])
    if (settings.has(key))
      throw wrongValue(section.key(key), 'must be absent: weights must be floats', key, '');
  const options = { ...family.options(settings), ...changes?.decoder };
  const contextLength = lengthNames.find((name) => settings.has(name));
  const object = typeof config === 'string' ? (JSON.parse(config) as object) : config;
  const description: ModelDescription = {
    options,
    placeOf: placesOf(
      { ...family, ...changes },
      options,
      weights,
      family.hasPlainNorms?.(settings) ?? false,
    ),
  };
  return {
    family: String(type),
    description,
    weights,
    contextLength: contextLength === undefined ? undefined : settings.size(contextLength),
    positionsFor: positionsOf(rw, object, options, changes),
    origin: { config: object },
  };
}
