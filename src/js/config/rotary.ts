/** The rotary part of a configuration: rope_scaling, rope_parameters and the older names. */
import { numberOfEither, quoted, rules, type ConfigSection } from './reader.js';
import { layerFamilyOf, type Family } from './families.js';
import { lengthNames, scalingOf } from './scaling.js';
import { headWidth, separateParts, rotatedPart, rotatedValues } from './width.js';
import type { LogitFactorOptions } from '../rotary/logit_factors.js';
import type { RotaryLayout } from '../rotary/rotary.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';
import type { RotaryScaling } from '../rotary/scaling.js';

/** Choices that a configuration leaves open. */
export interface ConfigChoices {
  /** Current number of positions, for schemes that depend on the length. */
  length?: number;
  /** The kind of layer, if they differ: 'full_attention', 'sliding_attention', … */
  layerType?: string;
}

export const choicesSchema = {
  length: option.whole.optional(),
  layerType: new option.Option<string>({
    kind: 'text',
    check(name, value) {
      if (typeof value === 'string') return value;
      throw wrongKind(name, 'must be a string', value, quoted(value));
    },
  }).optional(),
} satisfies Schema<ConfigChoices>;

/** The rotary positions of a model, as its configuration states them. */
export interface RotaryScheme {
  type: 'rotary';
  layout: RotaryLayout;
  /** DeepSeek: the rotation reads interleaved pairs and writes them in half-split order. */
  deinterleaves: boolean;
  /** Multi-head latent attention: the rotated values are the last `dim` of a head. */
  rotatesLast?: boolean;
  /** Width of a head of queries and keys. */
  headDim: number;
  /** Option of rotaryFrequencies, with `rotaryFraction`, `base` and `scaling`. */
  dim: number;
  rotaryFraction: number;
  base: number;
  scaling: RotaryScaling;
  /** The longest context that the model supports. */
  maxLength?: number;
  /** M-RoPE: how many pairs follow time, height and width; interleaved or one after another. */
  sections?: { pairs: number[]; interleaved: boolean };
  /** Layers that have no position at all. */
  withoutPosition?: number[];
  /** A factor on the logits of each row: log-n, or that of Ministral 3. */
  temperature?: LogitFactorOptions;
  /** Llama 4: the same for the layers that do not rotate. */
  unrotatedTemperature?: LogitFactorOptions;
}

const ropeKeys = [
  'rope_parameters',
  'rope_scaling',
  'rope_theta',
  'rotary_dim',
  'rotary_pct',
  'rope_pct',
  'rotary_emb_base',
  'partial_rotary_factor',
  'qk_rope_head_dim',
  'rope_interleave',
  'global_rope_theta',
];

export function mentionsRotary(config: ConfigSection): boolean {
  return config.spelling(ropeKeys) !== undefined;
}

const isPlain = (value: unknown) => typeof value === 'object' && !Array.isArray(value);

/**
 * Gemma 3 and ModernBERT have a separate key for the base of local layers, which are not scaled.
 */
const localBases = ['rope_local_base_freq', 'local_rope_theta'] as const;

/** The block of rope settings; one level deeper if each kind of layer has its own. */
function ropeBlock(config: ConfigSection, layerType: string | undefined) {
  const scaling = config.section('rope_scaling');
  const parameters = config.section('rope_parameters');
  if (scaling && parameters) {
    const values = { winner: scaling.path };
    parameters.contradict('rope_type', null, { code: 'block-wins', values });
  }
  const block = scaling ?? parameters;
  const names = block?.names() ?? [];
  const nested = names.some((name) => isPlain(block!.value(name)));
  if (!block || !nested) return { block, nested: false, layerType };
  const chosen = layerType ?? (names.includes('full_attention') ? 'full_attention' : names[0]!);
  if (layerType === undefined) {
    const values = { types: names.join(', '), chosen };
    config.assume('layer_types', chosen, { code: 'layer-settings', values });
  }
  const own = block.section(chosen);
  if (!own)
    throw wrongValue('layerType', `must be one of ${names.join(', ')}`, chosen, quoted(chosen));
  return { block: own, nested: true, layerType: chosen };
}

function baseOf(
  config: ConfigSection,
  block: ConfigSection | undefined,
  usual: number | undefined,
): number {
  const given =
    numberOfEither([block, 'rope_theta'], [config, 'rope_theta'], rules.base, 'base') ??
    config.anyNumber(['rotary_emb_base', 'global_rope_theta', 'rope_base'], rules.base, 'base');
  if (given !== undefined) return given;
  const code = usual === undefined ? 'default-base' : 'model-default';
  return config.assume('rope_theta', usual ?? 10000, { code });
}

function ropeType(block: ConfigSection | undefined, config: ConfigSection): string {
  if (!block) return config.assume('rope_type', 'default', { code: 'no-extension' });
  const type = block.text('rope_type', 'extension');
  const older = block.text('type', 'older-extension');
  if (type !== undefined && older !== undefined && type !== older) {
    const values = { winner: 'rope_type', value: type };
    block.contradict('type', older, { code: 'other-wins', values });
  }
  return type ?? older ?? block.assume('rope_type', 'default', { code: 'default-extension' });
}

/** The rope settings of one kind of layer. */
interface RopeSettings {
  /** rope_scaling or rope_parameters, or what it has for this kind of layer. */
  block: ConfigSection | undefined;
  /** Whether each kind of layer has its own block. */
  nested: boolean;
  layerType: string | undefined;
  /** The rope_type. */
  type: string;
  base: number;
  /** Whether all kinds of layers have these settings. */
  isShared: boolean;
}

export function ropeSettings(config: ConfigSection, layerType: string | undefined): RopeSettings {
  const found = ropeBlock(config, layerType);
  const usual = layerFamilyOf(config.text('model_type', 'architecture'));
  const name = found.nested ? undefined : config.spelling(localBases);
  const usualLocal = found.nested ? undefined : usual?.localBase;
  const hasLocal = name !== undefined || usualLocal !== undefined;
  if (hasLocal && found.layerType === 'sliding_attention') {
    config.assume('rope_type', 'default', { code: 'sliding-unscaled' });
    const base =
      name === undefined
        ? config.assume(localBases[0], usualLocal!, { code: 'model-default' })
        : config.number(name, rules.base, 'sliding-base')!;
    return { ...found, block: undefined, type: 'default', base, isShared: false };
  }
  const { block } = found;
  const type = ropeType(block, config);
  const base = baseOf(config, block, usual?.base);
  return { ...found, type, base, isShared: !found.nested && !hasLocal };
}

function sectionsOf(block: ConfigSection | undefined): RotaryScheme['sections'] {
  const pairs = block?.numbers(
    'mrope_section',
    { least: 0, most: 2 ** 16, whole: true },
    'sections',
  );
  return (
    pairs && {
      pairs,
      interleaved: block!.boolean('mrope_interleaved', 'interleaved-sections') ?? false,
    }
  );
}

/** 0 in no_rope_layers marks a layer without positions (SmolLM3, Llama 4). */
function layersWithout(config: ConfigSection): number[] | undefined {
  const flags = config.numbers(
    'no_rope_layers',
    { least: 0, most: 1, whole: true },
    'layers-with-position',
  );
  const without = flags?.flatMap((flag, layer) => (flag === 0 ? [layer] : [])) ?? [];
  return without.length > 0 ? without : undefined;
}

function temperatureOf(
  config: ConfigSection,
  block: ConfigSection | undefined,
): LogitFactorOptions | undefined {
  const strength = block?.number('llama_4_scaling_beta', rules.weight, 'llama4-scale');
  if (block && strength) {
    const names = ['original_max_position_embeddings'];
    const floorLength = block.needed(names, rules.originalLength, 'llama4-step');
    return { type: 'llama4', scale: strength, floorLength, offset: 0 };
  }
  if (config.value('use_logn_attn') === true) {
    const originalLength = config.needed(['seq_length'], rules.originalLength, 'original-length');
    return { type: 'log-n', form: 'clipped', originalLength };
  }
  return undefined;
}

/** Llama 4 has a temperature where it does not rotate; 0 and false switch it off. */
function unrotatedTemperatureOf(config: ConfigSection): LogitFactorOptions | undefined {
  const given = config.value('attn_temperature_tuning');
  if (!given) return undefined;
  config.noted('attn_temperature_tuning', true, 'temperature-on');
  const scale = config.number('attn_scale', rules.weight, 'llama4-scale') ?? 0.1;
  const floorLength = config.number('floor_scale', rules.length, 'llama4-step') ?? 8192;
  return { type: 'llama4', scale, floorLength };
}

function layoutOf(config: ConfigSection, family: Family | undefined) {
  if (config.has('rope_interleave')) {
    const deinterleaves = config.boolean('rope_interleave', 'deinterleaves')!;
    return { layout: deinterleaves ? 'interleaved' : 'half-split', deinterleaves } as const;
  }
  if (family?.scheme === 'rotary')
    return { layout: family.layout, deinterleaves: family.deinterleaves ?? false };
  config.assume('model_type', 'half-split', { code: 'unknown-model' });
  return { layout: 'half-split', deinterleaves: false } as const;
}

export function rotaryScheme(
  config: ConfigSection,
  family: Family | undefined,
  choices: ConfigChoices,
): RotaryScheme {
  const settings = ropeSettings(config, choices.layerType);
  const { block, nested, layerType, type, base } = settings;
  if (choices.layerType !== undefined && settings.isShared)
    config.assume('layer_types', choices.layerType, { code: 'one-rope' });
  const part =
    separateParts(config) ?? rotatedPart(config, block, headWidth(config, type, layerType), family);
  const pairs = rotatedValues(config, part, type) / 2;
  const scaling = scalingOf({ config, block, type, nested, pairs, length: choices.length });
  const maxLength = config.anyNumber(lengthNames, rules.originalLength, 'longest-length');
  const sections = sectionsOf(block);
  const withoutPosition = layersWithout(config);
  const temperature = temperatureOf(config, block);
  const unrotatedTemperature = unrotatedTemperatureOf(config);
  return {
    type: 'rotary',
    ...layoutOf(config, family),
    ...part,
    base,
    scaling,
    ...(maxLength && { maxLength }),
    ...(sections && { sections }),
    ...(withoutPosition && { withoutPosition }),
    ...(temperature && { temperature }),
    ...(unrotatedTemperature && { unrotatedTemperature }),
  };
}
