/** Biases between the patches of a window: Swin, Swin v2, BEiT. */
import { fitting, numbers, tensor, wholeNumber } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { checkedNetwork, network, type BiasNetwork } from './network.js';
import { type IndexTensor, type Tensor } from '../runtime/tensor.js';

/** Height and width in patches; patches are numbered row by row. */
export type WindowSize = readonly [height: number, width: number];

/** The size of a window. */
export interface WindowOptions {
  /** Height and width in patches. */
  window: WindowSize;
}

/** The size of a window, and of the window that the network was trained on. */
export interface SwinV2Options extends WindowOptions {
  /** The window that the network was trained on. Default [0, 0]: this one. */
  pretrainedWindow?: WindowSize;
}

export interface SwinV2BiasOptions extends SwinV2Options {
  /** Two inputs (y, x), one output per head; Swin v2 has 512 hidden units and no head bias. */
  network: BiasNetwork;
}

const windowSize = (least: number) =>
  new option.Option<WindowSize, WindowSize>({
    kind: 'sizes',
    least,
    check(name, value) {
      const sides = numbers(name, value);
      if (sides.length !== 2)
        throw wrongValue(name, 'must be [height, width]', sides.length, `${sides.length} numbers`);
      const [height, width] = sides;
      return [wholeNumber(`${name}[0]`, height, least), wholeNumber(`${name}[1]`, width, least)];
    },
  });

const windowSchema = { window: windowSize(1) } satisfies Schema<WindowOptions>;
const swinV2Schema = {
  ...windowSchema,
  pretrainedWindow: windowSize(0).default([0, 0]),
} satisfies Schema<SwinV2Options>;
const swinV2BiasSchema = {
  ...swinV2Schema,
  network,
} satisfies Schema<SwinV2BiasOptions>;

function tokensOf([height, width]: WindowSize, classToken: boolean, heads: number): number {
  const tokens = height * width + (classToken ? 1 : 0);
  fitting('a bias of heads × tokens × tokens', heads * tokens * tokens);
  return tokens;
}

function indices(
  core: Core,
  what: string,
  settings: WindowOptions,
  classToken: boolean,
): IndexTensor {
  const { window } = read(what, settings, windowSchema);
  const tokens = tokensOf(window, classToken, 1);
  return {
    data: core.integers(core.raw.windowIndices(...window, classToken)),
    shape: [tokens, tokens],
  };
}

function gathered(
  core: Core,
  what: string,
  table: Tensor,
  settings: WindowOptions,
  classToken: boolean,
): Tensor {
  const { window } = read(what, settings, windowSchema);
  const { data, shape } = tensor('table', table);
  const rows = (2 * window[0] - 1) * (2 * window[1] - 1) + (classToken ? 3 : 0);
  if (shape.length !== 2 || shape[0] !== rows) {
    throw wrongShape('table', `must be [${rows}, heads]`, shape);
  }
  const heads = shape[1]!;
  const tokens = tokensOf(window, classToken, heads);
  core.send([data]);
  return {
    data: core.floats(core.raw.windowBias(...window, classToken, heads)),
    shape: [heads, tokens, tokens],
  };
}

export const windows = (core: Core) => ({
  /**
   * The row of Swin's table that each pair of patches reads:
   * (dy + height − 1)(2 width − 1) + dx + width − 1, with (dy, dx) = query − key. The table has
   * (2 height − 1)(2 width − 1) rows.
   * @returns whole numbers [patches, patches]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Liu et al. 2021, Swin Transformer, equation 4
   */
  swinIndices(settings: WindowOptions): IndexTensor {
    return indices(core, 'swinIndices options', settings, false);
  },

  /**
   * Swin's bias, read from its table [rows, heads].
   * @param table one learned scalar per displacement and head, [rows, heads]
   * @returns a tensor [heads, patches, patches]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Liu et al. 2021, equation 4
   */
  swinBias(table: Tensor, settings: WindowOptions): Tensor {
    return gathered(core, 'swinBias options', table, settings, false);
  },

  /**
   * The input of Swin v2's network for each displacement: (y, x) as
   * sign(c) log2(|c| + 1) / log2(8), c = 8 at the far end of the pretrained window, or of this one.
   * As in transformers 5, a window of height 1 without a pretrained size is not normalized.
   * @returns doubles, (2 height − 1) × (2 width − 1) × 2
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Liu et al. 2022, Swin Transformer V2, equation 4
   */
  swinV2Coordinates(settings: SwinV2Options): Float64Array {
    const given = read('swinV2Coordinates options', settings, swinV2Schema);
    const { window, pretrainedWindow } = given;
    fitting('the coordinates', 8 * window[0] * window[1], 8);
    return core.doubles(core.raw.swinV2Coordinates(...window, ...pretrainedWindow));
  },

  /**
   * Swin v2's bias, 16 · sigmoid(network(coordinates)). Swin v2 uses cosine attention: normalize q
   * and k, and scale by exp(min(logit scale, ln 100)).
   * @returns a tensor [heads, patches, patches]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Liu et al. 2022, equations 3 and 4
   */
  swinV2Bias(settings: SwinV2BiasOptions): Tensor {
    const given = read('swinV2Bias options', settings, swinV2BiasSchema);
    const { window, pretrainedWindow } = given;
    const own = checkedNetwork('network', given.network, 2);
    const { heads, hidden, hasHeadBias } = own;
    const patches = tokensOf(window, false, heads);
    core.send(own.data);
    const bias = core.raw.swinV2Bias(...window, ...pretrainedWindow, heads, hidden, hasHeadBias);
    const data = core.floats(bias);
    return { data, shape: [heads, patches, patches] };
  },

  /**
   * The row of BEiT's table that each pair of tokens reads: that of Swin, with a class token in
   * front and three more rows at the end: class to patch, patch to class, class to class.
   * @returns whole numbers [patches + 1, patches + 1]
   * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
   * @see Bao et al. 2022, BEiT, and transformers' BeitRelativePositionBias
   */
  beitIndices(settings: WindowOptions): IndexTensor {
    return indices(core, 'beitIndices options', settings, true);
  },

  /**
   * BEiT's bias, read from its table [rows, heads].
   * @param table like Swin's with three more rows, [rows, heads]
   * @returns a tensor [heads, patches + 1, patches + 1]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Bao et al. 2022, BEiT
   */
  beitBias(table: Tensor, settings: WindowOptions): Tensor {
    return gathered(core, 'beitBias options', table, settings, true);
  },
});
