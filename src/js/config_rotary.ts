/** The rotary part of a configuration: transformers 4's rope_scaling, 5's rope_parameters, older names. */
import { rules, type ConfigSection } from './config_reader.js';
import type { Family } from './config_families.js';
import type { LogitFactorOptions } from './logit_factors.js';
import type { RotaryLayout } from './rotary.js';
import { turningWidth } from './rotary_frequencies.js';
import type { RotaryScaling } from './rotary_scaling.js';

export interface ConfigChoices {
  /** How many positions there are now, for the schemes that follow the length. */
  length?: number;
  /** Which kind of layer, where they differ: 'full_attention', 'sliding_attention', … */
  layerType?: string;
}

export interface RotaryScheme {
  type: 'rotary';
  layout: RotaryLayout;
  /** DeepSeek: the rotation takes interleaved pairs and leaves them in half-split order. */
  deinterleaves: boolean;
  /** What rotaryFrequencies takes. */
  dim: number;
  partial: number;
  base: number;
  scaling: RotaryScaling;
  /** M-RoPE: how many pairs follow time, height and width; interleaved or one after another. */
  sections?: { pairs: number[]; interleaved: boolean };
  /** Layers that have no position at all. */
  withoutPosition?: number[];
  /** A row factor on the logits that comes with it: log-n, Llama 4's. */
  temperature?: LogitFactorOptions;
}

const ropeKeys = [
  'rope_parameters', 'rope_scaling', 'rope_theta', 'rotary_dim', 'rotary_pct', 'rope_pct', 'rotary_emb_base',
  'partial_rotary_factor', 'qk_rope_head_dim', 'rope_interleave', 'global_rope_theta',
];

export function mentionsRotary(config: ConfigSection): boolean {
  return config.spelling(ropeKeys) !== undefined;
}

/** Two places may say the same thing; the first wins, and a disagreement is told. */
function agreeing(
  first: [ConfigSection | undefined, string], second: [ConfigSection, string],
  rule: Parameters<ConfigSection['number']>[1], text: string,
): number | undefined {
  const a = first[0]?.number(first[1], rule, text);
  const b = second[0].number(second[1], rule, text);
  if (a !== undefined && b !== undefined && a !== b) {
    second[0].contradict(second[1], b, `${first[0]!.key(first[1])} says ${a}, and wins`);
  }
  return a ?? b;
}

const isPlain = (value: unknown) => typeof value === 'object' && !Array.isArray(value);

/** The block of rope settings, one level down where every kind of layer has its own. */
function ropeBlock(config: ConfigSection, layerType: string | undefined) {
  const scaling = config.section('rope_scaling'), parameters = config.section('rope_parameters');
  if (scaling && parameters) {
    parameters.contradict('rope_type', null, `${scaling.path} is there too, and wins, as in transformers 5`);
  }
  const block = scaling ?? parameters;
  const names = block?.names() ?? [];
  const nested = names.some((name) => isPlain(block!.value(name)));
  if (!block || !nested) return { block, nested: false, layerType };
  const chosen = layerType ?? (names.includes('full_attention') ? 'full_attention' : names[0]!);
  if (layerType === undefined) {
    config.assume('layer_types', chosen, `every kind of layer has its own settings (${names.join(', ')}); these are for ${chosen}`);
  }
  const own = block.section(chosen);
  if (!own) throw new RangeError(`layerType must be one of ${names.join(', ')}, got ${JSON.stringify(chosen)}`);
  return { block: own, nested: true, layerType: chosen };
}

/** Gemma 3 and ModernBERT spell the base of their local layers apart; those are not scaled. */
const localBases = ['rope_local_base_freq', 'local_rope_theta'] as const;

function baseOf(config: ConfigSection, block: ConfigSection | undefined): number {
  const given = agreeing([block, 'rope_theta'], [config, 'rope_theta'], rules.base, 'base of the frequencies')
    ?? config.anyNumber(['rotary_emb_base', 'global_rope_theta', 'rope_base'], rules.base, 'base of the frequencies');
  return given ?? config.assume('rope_theta', 10000, 'not given: 10000, as in the paper and as transformers assumes');
}

function headWidth(config: ConfigSection, type: string, layerType: string | undefined): number {
  const text = 'width of the part of a head that carries positions';
  const mla = config.number('qk_rope_head_dim', rules.width, text);
  if (mla !== undefined) return mla;
  if (type === 'proportional' && layerType === 'full_attention' && config.has('global_head_dim')) {
    return config.number('global_head_dim', rules.width, text)!;
  }
  const stated = config.anyNumber(['head_dim', 'kv_channels', 'attention_head_size'], rules.width, text);
  if (stated !== undefined) return stated;
  const hidden = config.needed(['hidden_size', 'n_embd', 'd_model'], rules.width, 'width of the model');
  const heads = config.needed(['num_attention_heads', 'n_head', 'n_heads', 'num_heads'], rules.width, 'heads');
  const width = Math.floor(hidden / heads);
  if (hidden % heads !== 0) {
    config.contradict('hidden_size', hidden, `${heads} heads do not divide it; transformers drops the remainder: ${width}`);
  }
  return config.assume('head_dim', width, `not given: ${hidden} / ${heads}`);
}

/** Which part of a head turns: a width of its own, or a share. */
function turningPart(config: ConfigSection, block: ConfigSection | undefined, width: number, family: Family | undefined) {
  const exact = config.number('rotary_dim', rules.width, 'how many values of a head turn');
  if (exact !== undefined) {
    if (exact > width) throw new RangeError(`${config.key('rotary_dim')} must be at most the width of a head, ${width}, got ${exact}`);
    return { dim: exact, partial: 1 };
  }
  const text = 'share of a head that turns';
  const share = agreeing([block, 'partial_rotary_factor'], [config, 'partial_rotary_factor'], rules.fraction, text)
    ?? config.anyNumber(['rotary_pct', 'rope_pct', 'rotary_emb_fraction'], rules.fraction, text);
  const usual = family?.scheme === 'rotary' ? family.partial : undefined;
  if (share === undefined && usual !== undefined && !config.has('qk_rope_head_dim')) {
    return { dim: width, partial: config.assume('partial_rotary_factor', usual, 'not given: what this model type does') };
  }
  return { dim: width, partial: share ?? 1 };
}

function ropeType(block: ConfigSection | undefined, config: ConfigSection): string {
  if (!block) return config.assume('rope_type', 'default', 'no rope_scaling or rope_parameters: nothing is extended');
  const type = block.text('rope_type', 'which extension'), older = block.text('type', 'which extension, older spelling');
  if (type !== undefined && older !== undefined && type !== older) {
    block.contradict('type', older, `rope_type says ${JSON.stringify(type)}, and wins`);
  }
  return type ?? older ?? block.assume('rope_type', 'default', 'not given: default');
}

interface Extension {
  config: ConfigSection;
  block: ConfigSection;
  type: string;
  nested: boolean;
  length?: number;
}

const trainedText = 'how many positions training saw';

/** L₀ stands in the block, beside it (Phi-3), or is the longest length of the model. */
function originalLength({ config, block }: Extension): number {
  const key = 'original_max_position_embeddings';
  return agreeing([config, key], [block, key], rules.trainedLength, trainedText) ?? longest(config, key);
}

function longest(config: ConfigSection, insteadOf?: string): number {
  const length = config.needed(['max_position_embeddings', 'seq_length', 'max_seq_len', 'n_positions'], rules.trainedLength, 'longest length');
  return insteadOf ? config.assume(insteadOf, length, 'not given: the longest length stands in') : length;
}

/** The factor as stated; or what the two lengths say, told when they disagree. */
function factorOf(extension: Extension, original?: number): number {
  const { config, block } = extension;
  const stated = block.number('factor', rules.factor, 'how many times further to reach');
  const most = original === undefined ? undefined : config.number('max_position_embeddings', rules.trainedLength, 'longest length');
  if (most === undefined || original === undefined) {
    if (stated === undefined) throw new RangeError(`${block.key('factor')} is missing; it must be a number greater than 0`);
    return stated;
  }
  if (stated === undefined) return block.assume('factor', most / original, `not given: ${most} / ${original}`);
  if (most !== original && most / original !== stated) {
    config.contradict('max_position_embeddings', most, `over ${original} it is ${most / original} times, but factor says ${stated}, and wins`);
  }
  return stated;
}

function linear(extension: Extension): RotaryScaling {
  return { type: 'linear', factor: factorOf(extension) };
}

function alphaScaling({ block }: Extension): RotaryScaling {
  return { type: 'ntk-alpha', alpha: block.needed(['alpha'], rules.factor, 'base · alpha^(d/(d−2)), whatever the length') };
}

function dynamic(extension: Extension): RotaryScaling {
  const { config, block, length } = extension;
  if (block.has('alpha')) return alphaScaling(extension);
  const factor = factorOf(extension), most = longest(config);
  const stated = block.number('original_max_position_embeddings', rules.trainedLength, trainedText);
  if (stated !== undefined && stated !== most) {
    block.contradict('original_max_position_embeddings', stated, `dynamic counts from max_position_embeddings, ${most}, in transformers`);
  }
  return { type: 'dynamic-ntk', factor, originalLength: most, ...(length && { length }) };
}

function vllmNtk(extension: Extension): RotaryScaling {
  const exponent = extension.block.number('mixed_b', rules.weight, "exponent of Su's mixed form");
  const form = exponent === undefined ? 'su-fixed' : 'su-mixed';
  return { type: 'ntk', factor: factorOf(extension), form, ...(exponent !== undefined && { exponent }) };
}

/** transformers reads 0 as not given. */
const optional = (name: string, value: number | undefined) => (value ? { [name]: value } : {});

function yarn(extension: Extension): RotaryScaling {
  const { block, nested } = extension;
  const original = originalLength(extension), factor = factorOf(extension, original);
  const weight = (name: string, text: string) => block.number(name, rules.weight, text);
  const attentionFactor = weight('attention_factor', 'temperature: multiplies cos and sin');
  const mscale = weight('mscale', 'temperature, numerator'), mscaleAllDim = weight('mscale_all_dim', 'temperature, denominator, and on the softmax scale');
  const truncate = block.truth('truncate', 'are the ends of the ramp whole pairs?') ?? true;
  if (attentionFactor && (mscale || mscaleAllDim)) {
    block.contradict('mscale', mscale ?? null, `attention_factor ${attentionFactor} wins over mscale and mscale_all_dim`);
  }
  if (Boolean(mscale) !== Boolean(mscaleAllDim)) {
    block.contradict(mscale ? 'mscale' : 'mscale_all_dim', mscale || mscaleAllDim || null, 'has no effect on cos and sin unless the other one stands beside it');
  }
  if (nested && !truncate) {
    block.contradict('truncate', truncate, 'transformers looks for it one level up only, and would truncate here');
  }
  return {
    type: 'yarn', factor, originalLength: original, truncate,
    ...optional('betaFast', weight('beta_fast', 'turns from which a pair is kept')),
    ...optional('betaSlow', weight('beta_slow', 'turns up to which a pair is interpolated')),
    ...optional('attentionFactor', attentionFactor),
    ...optional('mscale', mscale), ...optional('mscaleAllDim', mscaleAllDim),
  };
}

function longrope(extension: Extension): RotaryScaling {
  const { config, block, length } = extension;
  const original = originalLength(extension), factor = factorOf(extension, original);
  const list = (name: string, text: string) => {
    const divisors = block.numbers(name, rules.factor, text);
    if (!divisors) throw new RangeError(`${block.key(name)} is missing; it must be a list of one divisor per pair`);
    return divisors;
  };
  const shortFactor = list('short_factor', 'one divisor per pair, up to the trained length');
  const longFactor = list('long_factor', 'one divisor per pair, beyond it');
  if (length === undefined) {
    config.assume('length', original, 'no length asked for: the short list');
  }
  const attentionFactor = block.number('attention_factor', rules.weight, 'temperature: multiplies cos and sin');
  return {
    type: 'longrope', shortFactor, longFactor, originalLength: original, factor,
    ...(length && { length }), ...optional('attentionFactor', attentionFactor),
  };
}

function llama3(extension: Extension): RotaryScaling {
  const { block } = extension;
  return {
    type: 'llama3',
    factor: factorOf(extension),
    originalLength: originalLength(extension),
    lowFreqFactor: block.needed(['low_freq_factor'], rules.factor, 'turns up to which a pair is interpolated'),
    highFreqFactor: block.needed(['high_freq_factor'], rules.factor, 'turns from which a pair is kept'),
  };
}

function proportional({ block }: Extension): RotaryScaling {
  const factor = block.number('factor', rules.factor, 'divides every frequency');
  return { type: 'proportional', ...optional('factor', factor) };
}

function unscaled({ block, type }: Extension): RotaryScaling {
  if (block.has('factor')) {
    const factor = block.number('factor', rules.factor, 'how many times further to reach')!;
    if (factor !== 1) block.contradict('factor', factor, `has no effect with rope_type ${JSON.stringify(type)}`);
  }
  return { type: 'none' };
}

const extensions = new Map<string, (extension: Extension) => RotaryScaling>([
  ['default', unscaled], ['mrope', unscaled], ['linear', linear], ['dynamic', dynamic], ['xdrope', alphaScaling],
  ['ntk', vllmNtk], ['yarn', yarn], ['deepseek_yarn', yarn], ['longrope', longrope], ['su', longrope],
  ['llama3', llama3], ['proportional', proportional],
]);

function sectionsOf(block: ConfigSection | undefined): RotaryScheme['sections'] {
  const pairs = block?.numbers('mrope_section', { least: 0, most: 2 ** 16, whole: true }, 'pairs that follow time, height and width');
  return pairs && { pairs, interleaved: block!.truth('mrope_interleaved', 'are the sections interleaved?') ?? false };
}

/** 0 in no_rope_layers marks a layer without positions (SmolLM3, Llama 4). */
function layersWithout(config: ConfigSection): number[] | undefined {
  const flags = config.numbers('no_rope_layers', { least: 0, most: 1, whole: true }, '1: positions; 0: none in that layer');
  const without = flags?.flatMap((flag, layer) => (flag === 0 ? [layer] : [])) ?? [];
  return without.length > 0 ? without : undefined;
}

function temperatureOf(config: ConfigSection): LogitFactorOptions | undefined {
  if (config.has('attn_temperature_tuning') && config.value('attn_temperature_tuning') !== false) {
    const scale = config.number('attn_scale', rules.weight, "strength of Llama 4's temperature") ?? 0.1;
    const floorLength = config.number('floor_scale', rules.length, 'positions per step of it') ?? 8192;
    return { type: 'llama4', scale, floorLength };
  }
  if (config.value('use_logn_attn') === true) {
    const trainedLength = config.needed(['seq_length'], rules.trainedLength, trainedText);
    return { type: 'log-n', form: 'clipped', trainedLength };
  }
  return undefined;
}

/** Qwen 1: a flag instead of a block. */
function flaggedScaling(config: ConfigSection, length: number | undefined): RotaryScaling {
  if (config.value('use_dynamic_ntk') !== true) return { type: 'none' };
  config.truth('use_dynamic_ntk', 'the base follows the length, in powers of two');
  const original = config.needed(['seq_length'], rules.trainedLength, trainedText);
  return { type: 'dynamic-ntk', form: 'rounded', factor: 1, originalLength: original, ...(length && { length }) };
}

function scalingOf(config: ConfigSection, block: ConfigSection | undefined, type: string, nested: boolean, length?: number) {
  const read = extensions.get(type);
  if (!read) {
    throw new RangeError(`${block!.key('rope_type')} must be one of ${[...extensions.keys()].join(', ')}, got ${JSON.stringify(type.slice(0, 40))}`);
  }
  return block ? read({ config, block, type, nested, length }) : flaggedScaling(config, length);
}

function layoutOf(config: ConfigSection, family: Family | undefined) {
  if (config.has('rope_interleave')) {
    const deinterleaves = config.truth('rope_interleave', 'interleaved pairs in, half-split order out')!;
    return { layout: deinterleaves ? 'interleaved' : 'half-split', deinterleaves } as const;
  }
  if (family?.scheme === 'rotary') return { layout: family.layout, deinterleaves: family.deinterleaves ?? false };
  config.assume('model_type', 'half-split', 'unknown model type: pairs (i, i + dim/2), as nearly all of transformers has them');
  return { layout: 'half-split', deinterleaves: false } as const;
}

export function rotaryScheme(config: ConfigSection, family: Family | undefined, choices: ConfigChoices): RotaryScheme {
  const { block: found, nested, layerType } = ropeBlock(config, choices.layerType);
  const local = layerType === 'sliding_attention' && !nested ? config.spelling(localBases) : undefined;
  const block = local ? undefined : found;
  const type = local ? 'default' : ropeType(block, config);
  const base = local ? config.number(local, rules.base, 'base of the frequencies in sliding layers')! : baseOf(config, block);
  const part = turningPart(config, block, headWidth(config, type, layerType), family);
  const scaling = scalingOf(config, block, type, nested, choices.length);
  try {
    turningWidth(part.dim, part.partial, scaling.type);
  } catch (error) {
    throw new RangeError(`${config.key('partial_rotary_factor')}: ${(error as Error).message}`);
  }
  const sections = sectionsOf(block), withoutPosition = layersWithout(config), temperature = temperatureOf(config);
  return {
    type: 'rotary', ...layoutOf(config, family), ...part, base, scaling,
    ...(sections && { sections }), ...(withoutPosition && { withoutPosition }), ...(temperature && { temperature }),
  };
}
