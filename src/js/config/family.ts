/** What a model type does with positions where its configuration does not say. */
import type { RotaryLayout } from '../rotary/rotary.js';

/** How the layers of a model type differ. */
export interface LayerRule {
  /** Kind of every layer, where no key says it. */
  kind?: string;
  /**
   * The key that lists the kind of each layer, or section.key. Default: layer_types. `pattern` is a
   * key with a text of one letter per layer, or with groups: [[names, how often], …].
   */
  list?: string;
  pattern?: string;
  /** What the names of that list mean, where they are other than those of layer_types. */
  names?: Readonly<Record<string, string>>;
  /** A key with the indices of layers of kind `listed`, and the index of the first if not 0. */
  indices?: string;
  listed?: string;
  first?: number;
  /** The section that has this key. */
  section?: string;
  /** A key that counts layers of two attentions each, which are two layers here. */
  doubled?: string;
  /** The key that says that one layer in so many is a full one. Default: sliding_window_pattern. */
  every?: string;
  /** Place of the full layer in its group, or the key that has it. Default: the last. */
  at?: number | string;
  /**
   * The same for the first layers of a mixture of experts, which are dense. Where all of these
   * are full ones, they rotate.
   */
  denseEvery?: string;
  /** The key that has the window, and whether it counts both sides. Default: sliding_window. */
  window?: string;
  halves?: true;
  /** The class has no sliding window, or no use_sliding_window, whatever the file says. */
  hasNoWindow?: true;
  hasNoSwitch?: true;
  /** The class reads no list of kinds and no pattern: its layers are alike. */
  hasOneKind?: true;
  /** One layer in so many is a full one, whatever the file says. */
  group?: number;
  /** Layers that layer_types lists as sliding have a window whatever use_sliding_window says. */
  listsWin?: true;
  /** A model that attends both ways has half the window on each side, and the query's own key. */
  halvesBothWays?: true;
  /** Kind of the one layer in so many. Default: full_attention. */
  full?: string;
  /** Kind of the layers that are not full, or not `listed`. Default: sliding_attention. */
  local?: string;
  /**
   * Which layers rotate: all that attend (default), the sliding ones, those that have a window, the
   * sliding ones or all where there is no window, by no_rope_layers, where 1 says that a layer
   * rotates, or those of a kind whose rope_parameters are not null.
   */
  rotates?: 'sliding' | 'sliding-or-all' | 'windowed' | 'flagged' | 'configured';
}

/** The key that has the base of one kind of layers, and whether the extension applies to them. */
export interface LayerBase {
  key: string;
  isScaled: boolean;
}

export interface Family {
  /**
   * 'two-parts': encoder and decoder have schemes of their own. 'image': positions in two
   * dimensions. 'other': none that is described here.
   */
  scheme:
    | 'rotary'
    | 'learned'
    | 'sinusoidal'
    | 'alibi'
    | 't5'
    | 'deberta'
    | 'transformer-xl'
    | 'none'
    | 'image'
    | 'other';
  /** Of a rotary scheme. */
  layout?: RotaryLayout;
  /** Rotates interleaved pairs and returns them half-split. */
  deinterleaves?: true;
  /** The rotated values are the last of a head. */
  end?: 'trailing';
  /** Angles are negated. */
  direction?: -1;
  /** M-RoPE: the pairs of time, height and width where mrope_section is absent. */
  sections?: { pairs: readonly number[]; interleaved: boolean };
  /** M-RoPE of ERNIE: pairs of height and width alternate, those of time come last. */
  alternatesAxes?: true;
  /** Bases by kind of layer. */
  bases?: Readonly<Record<string, LayerBase>>;
  /** The kind of settings that each kind of layer uses, where they have other names. */
  settings?: Readonly<Record<string, string>>;
  /** A key that lists the kinds that are scaled. Absent from the file or empty: all. */
  scaledKinds?: string;
  /** A base of null switches rotation off. */
  nullUnrotated?: true;
  /** The heads together are this many times as wide as the model. */
  headFactor?: number;
  /** ALiBi's biases are divided by √d, as q · k is. */
  dividesBias?: true;
  /** Of a learned table: rows before that of position 0. */
  offset?: number;
  /** The configured number of positions includes these rows, which pad_token_id counts. */
  includesOffset?: true;
  /** The key that has the width of the table, where it is not that of the model. */
  width?: string;
  /** Of sinusoidal positions. */
  sinusoid?: 'interleaved' | 'half-split' | 'half-split-cos-first';
  spacing?: 'dim/2' | 'dim/2-1';
  /** Encoder and decoder have positions of their own, as many as these keys say. */
  parts?: { encoder: string; decoder: string };
  /** The scheme of the decoder, where it is not that of the encoder. */
  decoder?: 'learned';
  layers?: LayerRule;
  /** Values of keys that are absent; of a model with a section about text, where that is absent. */
  defaults?: Readonly<Record<string, unknown>>;
  /** The key of the section that is about text, and its model type where that is absent. */
  part?: string;
  partType?: string;
  /** The section has this type, whatever its model_type says. */
  fixesPart?: true;
  /** The defaults are also those of keys that this section leaves out. */
  fillsPart?: true;
  /** YaRN without a factor on cos and sin. */
  unfactored?: true;
  /** File and line of transformers' models folder where this was read. */
  source?: string;
}
