/** A valid call of each of the functions that rotate. */
import { tensor } from './inputs.mjs';

const plain = () => ({
  inverseFrequencies: Float64Array.of(1, 0.1),
  attentionFactor: 1.25,
  dim: 4,
});
const planar = () => ({
  inverseFrequencies: Float64Array.of(1, 0.1),
  attentionFactor: 1,
  dim: 4,
  axes: 2,
  axisOfPair: [0, 1],
});

/** Each function with arguments that it takes. */
export const rotaryCalls = {
  rotaryAngles: () => [planar(), { positions: [0, 1, 2, 5, 6, 7] }],
  rotaryTable: () => [plain(), { positions: [0, 1, 2.5] }],
  xposTable: () => [
    plain(),
    { positions: [0, 1, 2], role: 'key', scaleBase: 64, gamma: 0.5, center: 1 },
  ],
  convertRotaryLayout: () => [
    tensor([2, 8], 1),
    { from: 'interleaved', to: 'half-split', axis: -1, heads: 2, rotaryDim: 4 },
  ],
  axialFrequencies: () => [{ dim: 8, axes: 2, base: 100, split: 'repeated' }],
  sectionedFrequencies: () => [plain(), { sections: [1, 1], order: 'consecutive' }],
  pixelFrequencies: () => [{ dim: 4, maxFrequency: 8 }],
  gridPositions: () => [
    {
      frames: 2,
      height: 2,
      width: 4,
      coordinate: 'edge',
      first: 'column',
      block: 2,
      before: 1,
      after: 2,
    },
  ],
  visionRotary: () => [
    { model: 'qwen2-vl', dim: 8, height: 2, width: 4, base: 100, frames: 2, mergeSize: 2 },
  ],
  rotaryWavelengths: () => [plain()],
  rotaryTurns: () => [plain(), { length: 100 }],
  rotaryDecay: () => [plain(), { offsets: [0, 1, -5] }],
  rotaryScoreBound: () => [
    [1, 2, 3, 4],
    [4, 3, 2, 1],
    plain(),
    { offsets: 3, layout: 'half-split' },
  ],
};
