/** The jobs of the worker that runs trained models. */
import type {
  Continuation,
  EvaluationOptions,
  Tensor,
  Trainer,
  TrainerOptions,
  Training,
} from 'ropewalk/train';
import type { RotaryFrequencies, RotaryScaling } from 'ropewalk';
import { readSafetensors } from 'ropewalk/files';
import { runLab, type LabRequest, type LabResult } from '../toy/forward.ts';
import { trainedLayer } from '../toy/trained_layer.ts';

/** A trained model. */
export interface Model {
  /** Names it: the worker keeps the model that it ran last. */
  id: string;
  options: TrainerOptions;
  /** A .safetensors file with its parameters. */
  checkpoint: Uint8Array;
}

/** An evaluation as a message can hold it. */
export interface ModelEvaluation extends Omit<EvaluationOptions, 'rowScale'> {
  /** One factor on the scores of each place. */
  rowFactors?: ArrayLike<number> | undefined;
}

/** What a model scores at one length. */
export interface ModelScores {
  length: number;
  loss: number;
  accuracy: number;
  /** Each group of targets apart, where the task has more than one. */
  groups: { loss: number; accuracy: number }[];
}

/** The model that was run last. */
let last: { id: string; trainer: Trainer } | undefined;

function trainerOf(training: Training, { id, options, checkpoint }: Model): Trainer {
  if (last?.id === id) return last.trainer;
  last?.trainer.dispose();
  last = undefined;
  const trainer = training.createTrainer(options);
  const { tensors } = readSafetensors(checkpoint);
  const names = Object.keys(trainer.parameters());
  trainer.setParameters(
    Object.fromEntries(names.map((name) => [name, tensors.get(name) as unknown as Tensor])),
  );
  last = { id, trainer };
  return trainer;
}

export function evaluateModel(
  training: Training,
  model: Model,
  { rowFactors, ...options }: ModelEvaluation,
): ModelScores[] {
  const evaluation: EvaluationOptions = {
    ...options,
    ...(rowFactors && { rowScale: (place) => rowFactors[place]! }),
  };
  return trainerOf(training, model)
    .evaluate(evaluation)
    .map(({ length, loss, accuracy, groups }) => ({
      length,
      loss,
      accuracy,
      groups: groups.map((group) => ({ loss: group.loss, accuracy: group.accuracy })),
    }));
}

export function attentionOfModel(training: Training, model: Model, tokens: readonly number[]) {
  const trainer = trainerOf(training, model);
  const layers = model.options.model?.layers ?? 2;
  return Array.from({ length: layers }, (_, layer) => trainer.attentionWeights(tokens, layer));
}

/**
 * What a model writes after the tokens.
 * @param scaling of the rotary frequencies, in place of those of the training
 */
export function continuationOfModel(
  training: Training,
  model: Model,
  tokens: readonly number[],
  count: number,
  scaling: RotaryScaling | undefined,
): Continuation {
  const { width = 64, heads = 4 } = model.options.model ?? {};
  const scaled = scaling && training.rotaryFrequencies({ dim: width / heads, scaling });
  return trainerOf(training, model).generate(
    tokens,
    count,
    scaled && { frequencies: useOf(scaled) },
  );
}

const useOf = ({ inverseFrequencies, attentionFactor }: RotaryFrequencies) => ({
  inverseFrequencies,
  attentionFactor,
});

/** The lab's maps of one layer of a model, with its own scheme or another one in its place. */
export function labOfModel(training: Training, model: Model, request: LabRequest): LabResult {
  const parameters = trainerOf(training, model).parameters();
  const { tokens, layer = 0 } = request;
  const heads = model.options.model?.heads ?? 4;
  return runLab(training, request, trainedLayer(training, { parameters, heads }, tokens, layer));
}
