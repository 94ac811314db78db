/** Where a scheme of position acts inside attention, and what it sends along. */
import { alibiByOffset, alibiDirections, slopeConventions } from './biases.js';
import type { AlibiDirection, SlopeConvention } from './biases.js';
import type { Sizes } from './attention_operands.js';
import { oneOf, options, positionList } from './checks.js';
import type { Core } from './core.js';
import { checkedFrequencies, requireWidth, rotaryLayouts } from './rotary.js';
import type { RotaryFrequencies, RotaryLayout } from './rotary.js';
import type { Positions } from './tensor.js';

/** A scheme that acts inside attention. Schemes that act at the input are added to the tokens before. */
export type AttentionPosition =
  | { type: 'none' }
  | {
      type: 'rope';
      frequencies: RotaryFrequencies;
      layout: RotaryLayout;
      /** Positions of the queries, and of the keys unless those have their own. Default 0, 1, … */
      positions?: Positions;
      keyPositions?: Positions;
    }
  | { type: 'alibi'; direction?: AlibiDirection; convention?: SlopeConvention };

export interface PositionOperand {
  distanceBias: Float32Array[];
  doubles: Float64Array[];
  rotations: number;
  rotaryPairs: number;
  attentionFactor: number;
  layout: RotaryLayout;
}

const nothing: PositionOperand = {
  distanceBias: [],
  doubles: [],
  rotations: 0,
  rotaryPairs: 0,
  attentionFactor: 1,
  layout: 'interleaved',
};

type Of<Type> = Extract<AttentionPosition, { type: Type }>;

/** One line per scheme: what it demands, and where it acts. */
const schemes: { [Type in AttentionPosition['type']]: (core: Core, position: Of<Type>, sizes: Sizes) => PositionOperand } = {
  none(_core, position) {
    options('position', position, ['type']);
    return nothing;
  },
  alibi(core, position, { heads, queries, keys }) {
    const given = options('position', position, ['type', 'direction', 'convention']);
    const direction = oneOf('position.direction', given.direction ?? 'causal', alibiDirections);
    const convention = oneOf('position.convention', given.convention ?? 'published', slopeConventions);
    return { ...nothing, distanceBias: [alibiByOffset(core, { heads, queries, keys, direction, convention })] };
  },
  rope(_core, position, sizes) {
    const given = options('position', position, ['type', 'frequencies', 'layout', 'positions', 'keyPositions']);
    const frequencies = checkedFrequencies('position.frequencies', given.frequencies);
    requireWidth('position.frequencies', frequencies, sizes.dim);
    const queries = positionList('position.positions', given.positions ?? sizes.queries, sizes.queries);
    const ofKeys = given.keyPositions ?? given.positions ?? sizes.keys;
    return {
      ...nothing,
      doubles: [frequencies.inverse, queries, positionList('position.keyPositions', ofKeys, sizes.keys)],
      rotations: 1,
      rotaryPairs: frequencies.inverse.length,
      attentionFactor: frequencies.attentionFactor,
      layout: oneOf('position.layout', given.layout, rotaryLayouts),
    };
  },
};

export function positionOperand(core: Core, position: AttentionPosition, sizes: Sizes): PositionOperand {
  const names = Object.keys(schemes) as AttentionPosition['type'][];
  const type = oneOf('position.type', position?.type, names);
  const scheme = schemes[type] as (core: Core, position: AttentionPosition, sizes: Sizes) => PositionOperand;
  return scheme(core, position, sizes);
}
