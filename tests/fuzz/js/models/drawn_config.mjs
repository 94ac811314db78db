/**
 * Draws the config.json of a model of any family. A family reads its settings from an object that draws
 * each of them as it is read, so a new family or setting needs no line here.
 */
import { inside } from '../../../package/installed.mjs';

const { modelFamilies } = await inside('model/families');
const { activations } = await inside('model/settings');

/** Sizes by the first name that a family has for them; others are from 1 to 40. */
const sizes = {
  hidden_size: ({ width }) => width,
  n_embed: ({ width }) => width,
  num_hidden_layers: ({ draws }) => 1 + draws.below(3),
  num_attention_heads: ({ heads }) => heads,
  num_key_value_heads: ({ keyHeads }) => keyHeads,
  kv_n_heads: ({ keyHeads }) => keyHeads,
  head_dim: ({ draws }) => 2 * (1 + draws.below(8)),
  vocab_size: ({ draws }) => 3 + draws.below(70),
  n_positions: ({ length }) => length,
  max_position_embeddings: ({ length }) => length,
};

/** Numbers by their names; others are from half to twice their default. */
const numbers = {
  query_pre_attn_scalar: (draws) => 1 + draws.below(64),
  attn_logit_softcapping: (draws) => 1 + 10 * Math.abs(draws.float()),
  final_logit_softcapping: (draws) => 1 + 10 * Math.abs(draws.float()),
  expansion_ratio: (draws) => 1 + draws.below(4),
};

const isEpsilon = (key) => /eps/.test(key);

/** Settings that are drawn when they are read, with the interface of the package's own. */
class DrawnSettings {
  /** What was drawn; null stands for a setting that is left out. */
  drawn = {};
  /** Settings that are null in the file. */
  nulls = new Set();

  /** @param {{ draws: any, width: number, heads: number, keyHeads: number, length: number }} shared */
  constructor(shared) {
    this.shared = shared;
    this.draws = shared.draws;
  }

  /** The value of the first name, else of an alias in one of eight models. */
  #of(keys, fallback, draw) {
    const list = [keys].flat();
    const known = list.find((key) => key in this.drawn);
    const key = known ?? (this.draws.chance(1, 8) ? this.draws.pick(list) : list[0]);
    const isLeftOut = fallback !== undefined && this.draws.chance(1, 4);
    if (known === undefined) this.drawn[key] = isLeftOut ? null : draw(list[0]);
    return this.drawn[key] ?? fallback;
  }

  size(keys, fallback) {
    // Heads of keys that a class has by default may not divide those that were drawn.
    const fits = keys !== 'num_key_value_heads' || this.shared.heads % fallback === 0;
    return this.#of(keys, fits ? fallback : undefined, (key) =>
      key in sizes ? sizes[key](this.shared) : 1 + this.draws.below(40),
    );
  }

  number(keys, fallback) {
    return this.#of(keys, fallback, (key) => {
      if (key in numbers) return numbers[key](this.draws);
      if (isEpsilon(key)) return this.draws.pick([1e-6, 1e-5, 1e-3]);
      return (fallback || 1) * 2 ** (this.draws.float() / 2);
    });
  }

  truth(key, fallback) {
    return this.#of(key, fallback, () => this.draws.chance(1, 2));
  }

  activation(keys, fallback) {
    const name = this.#of(keys, fallback, () => this.draws.pick(Object.keys(activations)));
    return activations[name];
  }

  has(key) {
    if (!(key in this.drawn) && this.draws.chance(1, 2)) this.drawn[key] = null;
    else if (key in sizes) this.size(key);
    else this.number(key);
    return this.drawn[key] !== null;
  }

  isNull(key) {
    if (!(key in this.drawn) && this.draws.chance(1, 8)) {
      this.drawn[key] = null;
      this.nulls.add(key);
    }
    return this.nulls.has(key);
  }

  expect(key, wanted) {
    this.drawn[key] = wanted;
  }

  expectOneOf(key, wanted) {
    this.drawn[key] = this.draws.pick(wanted);
  }

  inner(key) {
    if (!(key in this.drawn)) this.drawn[key] = new DrawnSettings(this.shared);
    return this.drawn[key];
  }

  get config() {
    const isThere = ([key, value]) => value !== null || this.nulls.has(key);
    const entries = Object.entries(this.drawn).filter(isThere);
    return Object.fromEntries(
      entries.map(([key, value]) => [key, value instanceof DrawnSettings ? value.config : value]),
    );
  }
}

const isOfLearnedRows = (options) => options.positionRows !== undefined;

/** Scalings of config.json; the lists of longrope have one factor per pair. */
const scalings = {
  linear: (draws) => ({ factor: 1 + draws.below(8) }),
  dynamic: (draws) => ({ factor: 1 + draws.below(8) }),
  yarn: (draws, length) => ({
    factor: 2 ** (1 + draws.below(4)),
    original_max_position_embeddings: length,
  }),
  llama3: (draws, length) => ({
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 1 + draws.below(4),
    original_max_position_embeddings: length,
  }),
};

/** Keys about positions, besides those that a family reads. */
function positionKeys(draws, { layers, heads, width, headWidth = width / heads }, length) {
  // Pairs rotate: half of a head must be an even number of values.
  const isHalf = headWidth % 4 === 0 && draws.chance(1, 4);
  const keys = {
    rope_theta: draws.pick([100, 10_000, 500_000]),
    partial_rotary_factor: isHalf ? 0.5 : 1,
  };
  const rotated = headWidth * keys.partial_rotary_factor;
  if (rotated >= 4 && draws.chance(1, 3)) {
    const type = draws.pick(Object.keys(scalings));
    keys.rope_scaling = { rope_type: type, ...scalings[type](draws, length) };
  }
  if (draws.chance(1, 3)) {
    keys.sliding_window = 1 + draws.below(12);
    const kinds = ['full_attention', 'sliding_attention'];
    if (draws.chance(1, 2))
      keys.layer_types = Array.from({ length: layers }, () => draws.pick(kinds));
  }
  return keys;
}

/**
 * Draws a family and its config.json.
 * @returns {{ type: string, config: any, options: any }} with the options as the family says them
 */
export function drawnConfig(draws) {
  const type = draws.pick(Object.keys(modelFamilies));
  const heads = draws.pick([1, 2, 3, 4, 6]);
  const dividers = [1, 2, 3, 4, 6].filter((count) => heads % count === 0);
  const isWide = draws.chance(1, 8);
  const width = heads * 2 * (1 + draws.below(isWide ? 40 : 8));
  const length = 64 + draws.below(64);
  const settings = new DrawnSettings({
    ...{ draws, width, heads, length },
    keyHeads: draws.pick(dividers),
  });
  const options = modelFamilies[type].options(settings);
  modelFamilies[type].hasPlainNorms?.(settings);
  const { max_position_embeddings = length, ...own } = settings.config;
  const config = {
    model_type: type,
    ...own,
    ...(isOfLearnedRows(options)
      ? settings.config
      : { max_position_embeddings, ...positionKeys(draws, options, length) }),
  };
  return { type, config, options };
}
