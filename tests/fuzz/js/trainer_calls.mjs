/** Calls of a trained model, for the fuzzer: its logits, what it generates, and how it scores. */
import { createTraining } from '../../package/installed.mjs';

const training = await createTraining();
const trainer = training.createTrainer({
  task: { type: 'drawers' },
  model: { width: 8, layers: 1, heads: 2 },
  position: { type: 'rope' },
  batchSize: 2,
  length: 8,
});

/** What a call costs grows with these numbers, which have no limit of their own. */
const limited = (value) =>
  typeof value === 'number' && value > 40 && value < 2 ** 31 ? 40 : value;
const eachLimited = (list) => (Array.isArray(list) ? Array.from(list, limited) : list);

/** Functions of the trainer, as if they were those of an instance. */
export const trainerFunctions = {
  trainerLogits: () => (tokens, options) => trainer.logits(tokens, options),
  trainerGenerate: () => (tokens, count, options) =>
    trainer.generate(tokens, limited(count), options),
  trainerEvaluate: () => (options) => {
    if (options?.constructor !== Object) return trainer.evaluate(options);
    const { lengths, sequences } = options;
    // As they are where nothing is limited: what a call reads is found in its arguments.
    if ([lengths, sequences].flat().every((value) => limited(value) === value))
      return trainer.evaluate(options);
    return trainer.evaluate({
      ...options,
      ...('lengths' in options && { lengths: eachLimited(lengths) }),
      ...('sequences' in options && { sequences: limited(sequences) }),
    });
  },
};

const use = (draws) => ({
  ...(draws.chance(1, 3) && {
    frequencies: { inverseFrequencies: Float64Array.of(1, 0.1), attentionFactor: 1.25 },
  }),
  ...(draws.chance(1, 3) && { lookback: draws.below(9) }),
  ...(draws.chance(1, 3) && { rowScale: (place) => 1 + place / 8 }),
});
const map = (draws) =>
  draws.chance(1, 3) && {
    map: draws.pick([
      { type: 'rerope', window: 3 },
      { type: 'leaky-rerope', window: 2, factor: 4 },
      { type: 'self-extend', neighborWindow: 2, groupSize: 3 },
      { type: 'dual-chunk', chunkSize: 4, localWindow: 1 },
    ]),
  };
const tokens = (draws, count) => Array.from({ length: count }, () => draws.below(4));

/** Valid calls of them. */
export const trainerCalls = {
  trainerLogits(draws) {
    const [batch, length] = [1 + draws.below(3), 1 + draws.below(9)];
    const positions = draws.chance(1, 2) && { positions: tokens(draws, length) };
    return [tokens(draws, batch * length), { batch, ...use(draws), ...(positions || map(draws)) }];
  },
  trainerGenerate: (draws) => [
    tokens(draws, 1 + draws.below(9)),
    1 + draws.below(5),
    {
      ...(draws.chance(1, 2) && { temperature: draws.below(3), topP: 0.9, seed: draws.below(9) }),
      ...use(draws),
      ...map(draws),
    },
  ],
  trainerEvaluate: (draws) => [
    {
      lengths: [4 + draws.below(9), 12],
      sequences: 1 + draws.below(3),
      seed: draws.below(100),
      ...use(draws),
      ...map(draws),
    },
  ],
};

/** The same each time, unless something wrote over the model. */
export const keptLogits = () => trainer.logits([0, 1, 2, 3, 1]);
