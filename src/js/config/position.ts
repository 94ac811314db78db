/** From a model's configuration to its scheme of position. */
import { read } from '../runtime/schema.js';
import { familyOf } from './families.js';
import { ConfigSection, quoted, type ConfigAccount } from './reader.js';
import {
  choicesSchema,
  mentionsRotary,
  rotaryScheme,
  type ConfigChoices,
  type RotaryScheme,
} from './rotary.js';
import { mptScheme, statedScheme, unturnedScheme, type UnrotatedScheme } from './schemes.js';
import type { Core } from '../runtime/core.js';
import {
  derivedFrequencies,
  type DerivedRotaryFrequencies,
  type RotaryFrequencyOptions,
} from '../rotary/frequencies.js';

/** What a model does about order: turns its queries and keys, or something else. */
export type PositionScheme =
  (RotaryScheme & { frequencies: DerivedRotaryFrequencies }) | UnrotatedScheme;

export interface ConfigPosition {
  scheme: PositionScheme;
  /** What was read, assumed and found contradictory on the way. */
  account: ConfigAccount;
}

function frequenciesOf(
  core: Core,
  config: ConfigSection,
  scheme: RotaryScheme,
): DerivedRotaryFrequencies {
  const { dim, rotaryFraction, base, scaling } = scheme;
  try {
    return derivedFrequencies(core, { dim, rotaryFraction, base, scaling });
  } catch (error) {
    throw new RangeError(
      `${config.path} asks for frequencies that cannot be: ${(error as Error).message}`,
    );
  }
}

const decidingKeys =
  'rope_theta, rope_scaling, rope_parameters, alibi, relative_attention_num_buckets, position_embedding_type';

function schemeOf(core: Core, config: ConfigSection, choices: ConfigChoices): PositionScheme {
  const modelType = config.text('model_type', 'which architecture');
  const family = familyOf(modelType);
  if (modelType === 'mpt') return mptScheme(config);
  // Baichuan's 13B has ALiBi and no key that says so; its 7B turns.
  if (modelType === 'baichuan' && config.value('hidden_size') === 5120) {
    config.assume('alibi', true, 'Baichuan with 5120 values is the 13B model, which has ALiBi');
    return unturnedScheme('alibi', config, family);
  }
  const name = statedScheme(config) ?? (mentionsRotary(config) ? 'rotary' : family?.scheme);
  if (name === undefined) {
    const type = `${config.key('model_type')} ${quoted(modelType ?? 'absent')} is not known`;
    throw new RangeError(
      `config names no scheme of position: ${type}, and none of ${decidingKeys} is there`,
    );
  }
  if (name !== 'rotary') return unturnedScheme(name, config, family);
  const scheme = rotaryScheme(config, family, choices);
  return { ...scheme, frequencies: frequenciesOf(core, config, scheme) };
}

/** Models of several kinds of input keep the text part in a section of its own. */
function textPart(config: ConfigSection): ConfigSection {
  const outer = config.section('thinker_config') ?? config;
  const name = outer.spelling(['text_config', 'llm_config', 'language_config']);
  return name === undefined ? outer : outer.section(name)!;
}

function positionOf(
  core: Core,
  config: unknown,
  choices: ConfigChoices | undefined,
): ConfigPosition {
  const given = read('choices', choices, choicesSchema);
  const section = textPart(ConfigSection.root(config));
  return { scheme: schemeOf(core, section, given), account: section.account };
}

/** A function with a second one, `fromConfig`. */
export interface RotaryFrequenciesFunction {
  /**
   * How fast each pair turns: base^(−2i/dim) for i = 0 … dim/2 − 1, or what an extension for longer
   * contexts makes of it, with the derivation as data.
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Su et al. 2021, RoFormer, section 3.2.2; RotaryScaling for the extensions and their papers
   */
  (settings: RotaryFrequencyOptions): DerivedRotaryFrequencies;
  /**
   * The same for the model that a Hugging Face config.json describes.
   * @param config the text of the file, or the object it holds
   * @throws RangeError when the model has no rotary positions, and as positionFromConfig
   * @see transformers, modeling_rope_utils.py
   */
  fromConfig(config: string | object, choices?: ConfigChoices): DerivedRotaryFrequencies;
}

export const positionConfig = (core: Core) => ({
  rotaryFrequencies: Object.assign(
    (settings: RotaryFrequencyOptions) => derivedFrequencies(core, settings),
    {
      fromConfig(config: string | object, choices?: ConfigChoices) {
        const { scheme } = positionOf(core, config, choices);
        if (scheme.type === 'rotary') return scheme.frequencies;
        throw new RangeError(`config must describe a rotary model, got scheme '${scheme.type}'`);
      },
    },
  ) as RotaryFrequenciesFunction,

  /**
   * The scheme of position of a Hugging Face config.json (spellings of transformers 4 and 5), with
   * its parameters and an account of what was read, what was assumed and what contradicts.
   * @param config the text of the file, or the object it holds; nothing in it is trusted
   * @throws TypeError, RangeError naming the key, the rule and the value
   * @see transformers, modeling_rope_utils.py and the configuration classes of its models
   */
  positionFromConfig(config: string | object, choices?: ConfigChoices): ConfigPosition {
    return positionOf(core, config, choices);
  },
});
