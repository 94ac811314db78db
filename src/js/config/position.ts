/** Reads the position scheme of a model from its configuration. */
import { wrongValue } from '../runtime/errors.js';
import { read } from '../runtime/schema.js';
import { ConfigSection, quoted, type ConfigAccount } from './reader.js';
import { choicesSchema, rotaryScheme, type ConfigChoices, type RotaryScheme } from './rotary.js';
import { textSection } from './section.js';
import {
  learnedScheme,
  mptScheme,
  schemeNameOf,
  unrotatedScheme,
  type UnrotatedScheme,
} from './schemes.js';
import type { DerivedRotaryFrequencies, RotaryFrequencyOptions } from '../rotary/frequencies.js';

/** The position scheme of a model: rotation of queries and keys, or another. */
export type PositionScheme =
  (RotaryScheme & { frequencies: DerivedRotaryFrequencies }) | UnrotatedScheme;

export interface ConfigPosition {
  scheme: PositionScheme;
  /** What was read, assumed and found contradictory. */
  account: ConfigAccount;
}

/** An instance, which computes frequencies. */
export interface FrequencySource {
  rotaryFrequencies(settings: RotaryFrequencyOptions): DerivedRotaryFrequencies;
}

function frequenciesOf(
  rw: FrequencySource,
  config: ConfigSection,
  scheme: RotaryScheme,
): DerivedRotaryFrequencies {
  const { dim, rotaryFraction, base, scaling } = scheme;
  try {
    return rw.rotaryFrequencies({ dim, rotaryFraction, base, scaling });
  } catch (error) {
    const { message } = error as Error;
    throw wrongValue(config.path, `gives no valid frequencies: ${message}`, message, '');
  }
}

const decidingKeys =
  'rope_theta, rope_scaling, rope_parameters, alibi, relative_attention_num_buckets, position_embedding_type';

function schemeOf(
  rw: FrequencySource,
  config: ConfigSection,
  choices: ConfigChoices,
): PositionScheme {
  const modelType = config.text('model_type', 'architecture');
  const { family } = config;
  if (modelType === 'mpt') return mptScheme(config);
  // Baichuan 13B uses ALiBi but no key of its configuration says so; Baichuan 7B uses RoPE.
  if (modelType === 'baichuan' && config.value('hidden_size') === 5120) {
    config.assume('alibi', true, { code: 'baichuan-13b' });
    return unrotatedScheme('alibi', config);
  }
  const name = schemeNameOf(config);
  const key = config.key('model_type');
  const kind = quoted(modelType ?? 'absent');
  if (name === undefined) {
    const rule = `names no position scheme: ${key} ${kind} is not known, and it has none of ${decidingKeys}`;
    throw wrongValue('config', rule, modelType, '');
  }
  if (name === 'image' || name === 'other') {
    const rule =
      name === 'image'
        ? 'must be a model of text: positions of an image have two dimensions'
        : 'must be a model of text whose positions are one scheme that is described here';
    throw wrongValue(key, rule, modelType, kind);
  }
  if (family?.decoder && choices.part !== 'encoder') {
    if (choices.part === 'decoder') return learnedScheme(config, ['max_target_positions']);
    throw wrongValue(
      'choices.part',
      `must be 'encoder' or 'decoder': those of ${kind} have schemes of their own, ${name} and ${family.decoder}`,
      choices.part,
    );
  }
  if (name !== 'rotary') {
    if (!family) config.assume('model_type', modelType ?? null, { code: 'unknown-scheme' });
    return unrotatedScheme(name, config);
  }
  const scheme = rotaryScheme(config, choices);
  return { ...scheme, frequencies: frequenciesOf(rw, config, scheme) };
}

/**
 * Returns the position scheme of a Hugging Face config.json (spellings of transformers 4 and 5),
 * with its parameters and an account of what was read, assumed and found contradictory.
 * @param rw an instance, which computes the frequencies
 * @param config the text of the file, or the object it holds; every value is checked
 * @throws TypeError, RangeError naming the key, the rule and the value
 * @see transformers, modeling_rope_utils.py and the configuration classes of its models
 */
export function positionFromConfig(
  rw: FrequencySource,
  config: string | object,
  choices?: ConfigChoices,
): ConfigPosition {
  const options = read('choices', choices, choicesSchema);
  const section = textSection(ConfigSection.root(config));
  return { scheme: schemeOf(rw, section, options), account: section.account };
}

/**
 * The rotary frequencies of the model that a Hugging Face config.json describes.
 * @param rw an instance, which computes the frequencies
 * @param config the text of the file, or the object it holds
 * @throws RangeError when the model has no rotary positions, and as positionFromConfig
 * @see transformers, modeling_rope_utils.py
 */
export function frequenciesFromConfig(
  rw: FrequencySource,
  config: string | object,
  choices?: ConfigChoices,
): DerivedRotaryFrequencies {
  const { scheme } = positionFromConfig(rw, config, choices);
  if (scheme.type === 'rotary') return scheme.frequencies;
  throw wrongValue(
    'config',
    'must describe a rotary model',
    scheme.type,
    `scheme '${scheme.type}'`,
  );
}
