/** Reads the position scheme of a model from its configuration. */
import { wrongValue } from '../runtime/errors.js';
import { read } from '../runtime/schema.js';
import { ConfigSection, quoted, type ConfigAccount } from './reader.js';
import { choicesSchema, rotaryScheme, type ConfigChoices, type RotaryScheme } from './rotary.js';
import { textSection } from './section.js';
import {
  learnedScheme,
  mptScheme,
  textSchemeOf,
  unrotatedScheme,
  type UnrotatedScheme,
} from './schemes.js';
import type { DerivedRotaryFrequencies, RotaryFrequencyOptions } from '../rotary/frequencies.js';

/** The position scheme of a model: rotation of queries and keys, or another. */
export type PositionScheme =
  (RotaryScheme & { frequencies: DerivedRotaryFrequencies }) | UnrotatedScheme;

export interface ConfigPosition {
  /** The position scheme of the model. */
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

function schemeOf(
  rw: FrequencySource,
  config: ConfigSection,
  choices: ConfigChoices,
): PositionScheme {
  const modelType = config.text('model_type', 'architecture');
  const { family } = config;
  const name = textSchemeOf(config);
  if (modelType === 'mpt') return mptScheme(config);
  if (family?.parts) {
    const { parts, decoder = name } = family;
    if (choices.part === undefined)
      throw wrongValue(
        'choices.part',
        `must be 'encoder' or 'decoder': those of ${quoted(modelType)} have positions of their own, ${name} (${parts.encoder}) and ${decoder} (${parts.decoder})`,
        choices.part,
      );
    const own = choices.part === 'decoder' ? decoder : name;
    if (own === 'learned') return learnedScheme(config, [parts[choices.part]]);
  }
  if (name !== 'rotary') {
    if (!family) config.assume('model_type', modelType ?? null, { code: 'unknown-scheme' });
    return unrotatedScheme(name, config);
  }
  const scheme = rotaryScheme(config, choices);
  const within = config.part.length > 0 ? { within: [...config.part] } : {};
  return { ...scheme, ...within, frequencies: frequenciesOf(rw, config, scheme) };
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
