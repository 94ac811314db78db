/** One valid call of each function for longer contexts and number formats. */

const frequencies = () => ({
  inverseFrequencies: Float64Array.of(1, 0.1),
  attentionFactor: 1.25,
  dim: 4,
});

export const contextCalls = {
  angleCoverage: () => [
    { trained: frequencies(), used: frequencies(), originalLength: 8, length: 100 },
  ],
  positionDigits: () => [{ position: 1234, dim: 6, base: 1000 }],
  relativePositions: () => [
    { type: 'leaky-rerope', queries: 3, keys: [0, 2, 4, 9], window: 2, factor: 4 },
  ],
  logitFactors: () => [
    [0, 3, 900],
    { type: 'log-n', form: 'length', originalLength: 512, length: 1000 },
  ],
  roundTo: () => [[1, 1 / 3, -70000, 1e-9], 'bf16'],
  distinctPositions: () => [300, 'bf16'],
  roundedRotaryTable: () => [
    {
      positions: [0, 5, 300],
      frequencies: frequencies(),
      formats: { position: 'f32', frequency: 'f64', angle: 'bf16', table: 'f16' },
    },
  ],
  roundedRotaryScores: () => [
    {
      query: [1, 2, 3, 4],
      key: [4, 3, 2, 1],
      positions: [1, 100],
      distance: 1,
      frequencies: frequencies(),
      layout: 'half-split',
      formats: { angle: 'f32', vectors: 'bf16' },
    },
  ],
  rotaryAngleErrors: () => [
    { positions: [0, 7, 1000], frequencies: frequencies(), method: 'recurrence' },
  ],
};
