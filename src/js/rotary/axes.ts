/** Rotary positions with several axes: images, video, and text between them. */
import { fitting, wholeNumber } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { withParameter, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import {
  checkedFrequencies,
  givenFrequencies,
  requireOneAxis,
  type RotaryFrequencies,
} from './frequencies.js';
import type { RotaryLayout } from './rotary.js';

export interface AxialFrequencyOptions {
  /** Number of rotated values of a head: even, and for 'repeated' a multiple of 2 · axes. */
  dim: number;
  /** Default 2: height and width. */
  axes?: number;
  /** Default 10000. */
  base?: number;
  /**
   * 'repeated' (default): each axis has its own frequencies, base^(−2i/(dim/axes)), as in
   * Qwen2-VL's vision encoder, Llama 4 and DINOv3. 'interleaved': those of the whole head,
   * base^(−2i/dim), pair i belongs to axis i mod axes, as in Pixtral.
   */
  split?: 'repeated' | 'interleaved';
}

const axialSchema = {
  dim: option.even,
  axes: option.whole.default(2),
  base: option.positive.default(10000),
  split: option.oneOf('repeated', 'interleaved').default('repeated'),
} satisfies Schema<AxialFrequencyOptions>;

export interface SectionedFrequencyOptions {
  /** How many pairs each axis rotates, as `mrope_section`: [time, height, width]. */
  sections: ArrayLike<number>;
  /**
   * 'consecutive': axis 0 rotates the first sections[0] pairs, and so on (Qwen2-VL).
   * 'interleaved': axes alternate, and axis 0 rotates the rest (Qwen3-VL).
   */
  order: 'consecutive' | 'interleaved';
}

const sectionedSchema = {
  sections: option.numbers,
  order: option.oneOf('consecutive', 'interleaved'),
} satisfies Schema<SectionedFrequencyOptions>;

export interface PixelFrequencyOptions {
  /** Width of a head; even. */
  dim: number;
  /** The fastest pair rotates by π · maxFrequency/2 radians per unit of position. Default 10. */
  maxFrequency?: number;
}

const pixelSchema = {
  dim: option.even,
  maxFrequency: option.positive.default(10),
} satisfies Schema<PixelFrequencyOptions>;

export interface GridPositionOptions {
  /** Default 1: an image. */
  frames?: number;
  /** Cells from top to bottom. */
  height: number;
  /** Cells from left to right. */
  width: number;
  /**
   * 'index' 0 … n−1 (default), 'number' 1 … n, 'center' of n cells of [−1, 1], 'edge' from −1 to 1.
   */
  coordinate?: 'index' | 'number' | 'center' | 'edge';
  /** Which axis comes first. Default 'row'. */
  first?: 'row' | 'column';
  /** Side of the squares in which cells are ordered (Qwen2-VL's merge size). Default 1: by rows. */
  block?: number;
  /** Number of tokens before the cells; they are not rotated. Default 0. */
  before?: number;
  /** Number of tokens after the cells; they are not rotated. Default 0. */
  after?: number;
}

const gridPositionSchema = {
  frames: option.whole.default(1),
  height: option.whole,
  width: option.whole,
  coordinate: option.oneOf('index', 'number', 'center', 'edge').default('index'),
  first: option.oneOf('row', 'column').default('row'),
  block: option.whole.default(1),
  before: option.wholeFrom(0).default(0),
  after: option.wholeFrom(0).default(0),
} satisfies Schema<GridPositionOptions>;

export interface VisionRotaryOptions {
  /** The encoder whose form is used. */
  model: 'qwen2-vl' | 'pixtral' | 'llama4' | 'dinov3';
  /** Width of a head. */
  dim: number;
  /** Patches from top to bottom. */
  height: number;
  /** Patches from left to right. */
  width: number;
  /** Default 10000; DINOv3 100. */
  base?: number;
  /** Qwen2-VL: frames of a video. Default 1. */
  frames?: number;
  /** Qwen2-VL: side of the squares in which patches are ordered. Default 2. */
  mergeSize?: number;
  /** DINOv3: class and register tokens before the patches. Default 1. */
  prefixTokens?: number;
}

/** Options of single models. */
const modelSchema = {
  frames: option.whole.optional(),
  mergeSize: option.whole.optional(),
  prefixTokens: option.wholeFrom(0).optional(),
} satisfies Schema<Pick<VisionRotaryOptions, 'frames' | 'mergeSize' | 'prefixTokens'>>;

const visionSchema = {
  model: option.oneOf('qwen2-vl', 'pixtral', 'llama4', 'dinov3'),
  dim: option.even,
  height: option.whole,
  width: option.whole,
  base: option.positive.optional(),
  ...modelSchema,
} satisfies Schema<VisionRotaryOptions>;

/** What `rotate` and `rotaryTable` take. */
export interface VisionRotary {
  /** The frequencies of both axes. */
  frequencies: RotaryFrequencies;
  /** [2, tokens] in one list. */
  positions: Float64Array;
  /** Which values of a head are a pair. */
  layout: RotaryLayout;
}

const ownOptions: Record<VisionRotaryOptions['model'], (keyof typeof modelSchema)[]> = {
  'qwen2-vl': ['frames', 'mergeSize'],
  pixtral: [],
  llama4: [],
  dinov3: ['prefixTokens'],
};

export const rotaryAxes = (core: Core) => {
  const axialFrequencies = (settings: AxialFrequencyOptions): RotaryFrequencies => {
    const { dim, axes, base, split } = read('axialFrequencies options', settings, axialSchema);
    fitting('dim', dim, 20);
    const both = core.doubles(core.raw.axialFrequencies(dim, axes, base, split));
    const pairs = both.length / 2;
    const [inverseFrequencies, axisOfPair] = [both.slice(0, pairs), both.slice(pairs)];
    return { inverseFrequencies, attentionFactor: 1, dim, axes, axisOfPair };
  };

  const gridPositions = (settings: GridPositionOptions): Float64Array => {
    const { frames, height, width, coordinate, first, block, before, after } = read(
      'gridPositions options',
      settings,
      gridPositionSchema,
    );
    const isColumnFirst = first === 'column';
    const grid = { frames, height, width, coordinate, isColumnFirst, block, before, after };
    const tokens = grid.frames * grid.height * grid.width + grid.before + grid.after;
    fitting('the positions', 2 * tokens, 8);
    return core.doubles(core.raw.gridPositions(grid));
  };

  return {
    /**
     * Frequencies whose pairs are divided among the axes of a position, for 2-D and 3-D rotary.
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @see Qwen2-VL, Pixtral, Llama 4 and DINOv3 as in Hugging Face transformers
     */
    axialFrequencies,

    /**
     * M-RoPE: assigns an axis to each pair of one-axis frequencies (extended for length or not).
     * Positions are then [axes, length] or [axes, batch, length], as `position_ids`.
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @returns the frequencies with `axes` and `axisOfPair`
     * @see Wang et al. 2024, Qwen2-VL, section 2.1; Qwen3-VL
     */
    sectionedFrequencies<Frequencies extends RotaryFrequencies>(
      frequencies: Frequencies,
      settings: SectionedFrequencyOptions,
    ): Frequencies & { axes: number; axisOfPair: Float64Array } {
      const { sections, order } = read('sectionedFrequencies options', settings, sectionedSchema);
      const copy = givenFrequencies('frequencies', frequencies);
      const checked = checkedFrequencies('frequencies', copy);
      requireOneAxis('frequencies', checked);
      if (sections.length === 0) {
        throw wrongValue('sections', 'must hold at least one number of pairs', sections, '');
      }
      sections.forEach((pairs, axis) => wholeNumber(`sections[${axis}]`, pairs, 0));
      core.sendDoubles([sections]);
      const axisOfPair = core.doubles(
        core.raw.sectionAxes(checked.inverseFrequencies.length, sections.length, order),
      );
      return {
        ...copy,
        inverseFrequencies: checked.inverseFrequencies,
        axes: sections.length,
        axisOfPair,
      };
    },

    /**
     * Frequencies π · (1 … maxFrequency/2 in even steps), for pixels at positions from −1 to 1.
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @see rotary-embedding-torch, freqs_for = 'pixel'
     */
    pixelFrequencies(settings: PixelFrequencyOptions): RotaryFrequencies {
      const { dim, maxFrequency } = read('pixelFrequencies options', settings, pixelSchema);
      fitting('dim', dim, 8);
      const inverseFrequencies = core.doubles(core.raw.pixelFrequencies(dim, maxFrequency));
      return { inverseFrequencies, attentionFactor: 1, dim };
    },

    /**
     * Positions of the tokens of an image or a video: first those along axis 0, then those along
     * axis 1.
     * @returns doubles, [2, before + frames · height · width + after] in one list
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @see the models that visionRotary names, and rotary-embedding-torch for center and edge
     */
    gridPositions,

    /**
     * The 2-D rotary of a vision encoder as its model defines it: frequencies, positions and
     * layout, ready for `rotate` and `rotaryTable`. Llama 4's class token comes last, DINOv3's
     * prefix first.
     * @throws TypeError, RangeError on a wrong kind or value, naming the parameter
     * @see Qwen2-VL, Pixtral, Llama 4 and DINOv3 as in Hugging Face transformers
     */
    visionRotary(settings: VisionRotaryOptions): VisionRotary {
      const given = read('visionRotary options', settings, visionSchema);
      const { model, dim, height, width } = given;
      for (const key of Object.keys(modelSchema) as (keyof typeof modelSchema)[]) {
        if (given[key] !== undefined && !ownOptions[model].includes(key)) {
          const error = new TypeError(`visionRotary has no ${key} for '${model}'`);
          throw withParameter(error, key, `must come without model '${model}'`, given[key]);
        }
      }
      const axial = (base: number, split: 'repeated' | 'interleaved') =>
        axialFrequencies({ dim, base: given.base ?? base, split });
      switch (model) {
        case 'qwen2-vl': {
          const grid = { frames: given.frames, height, width, block: given.mergeSize ?? 2 };
          const positions = gridPositions(grid);
          return { frequencies: axial(10000, 'repeated'), positions, layout: 'half-split' };
        }
        case 'pixtral': {
          const positions = gridPositions({ height, width });
          return { frequencies: axial(10000, 'interleaved'), positions, layout: 'half-split' };
        }
        case 'llama4': {
          const grid = { height, width, coordinate: 'number', first: 'column', after: 1 } as const;
          const positions = gridPositions(grid);
          return { frequencies: axial(10000, 'repeated'), positions, layout: 'interleaved' };
        }
        case 'dinov3': {
          const before = given.prefixTokens ?? 1;
          const positions = gridPositions({ height, width, coordinate: 'center', before });
          // At coordinate 1 the first pair has made a whole turn.
          const unit = axial(100, 'repeated');
          const frequencies = {
            ...unit,
            inverseFrequencies: unit.inverseFrequencies.map((f) => 2 * Math.PI * f),
          };
          return { frequencies, positions, layout: 'half-split' };
        }
      }
    },
  };
};
