/** What the page and the worker send to each other about models that somebody else trained. */
import type {
  ModelLayerPosition,
  ModelFiles,
  PositionChange,
  TokenizerFiles,
} from 'ropewalk/model';

/** What replaces the positions of a layer, as a message can hold it. */
export interface SentChange extends Omit<PositionChange, 'rowScale'> {
  /** One factor on the scores of each place. */
  rowFactors?: ArrayLike<number>;
}

/** How a model reads a text. */
export interface Reading {
  /** For all layers, or one for each. */
  change?: SentChange | readonly SentChange[] | undefined;
  /** Position of the first token. Default 0. */
  firstPosition?: number | undefined;
}

/** A model and its tokenizer. */
export interface SentFiles {
  model: Pick<ModelFiles, 'config' | 'weights' | 'precision'>;
  tokenizer: TokenizerFiles;
}

/** What a folder of a model takes. */
export interface FolderSize {
  /** The model_type of its config.json; '' where it has none. */
  family: string;
  /** Of its weights. */
  fileBytes: number;
  /** Of memory, at most. */
  peakBytes: number;
}

/** What the page knows of a loaded model. */
export interface AboutModel {
  layers: number;
  heads: number;
  headWidth: number;
  contextLength: number | undefined;
  /** Of each layer. */
  positions: readonly Omit<ModelLayerPosition, 'rowScale'>[];
}

/** Loading as far as it is: the share of the weights, or what was loaded. */
export type Loading = { share: number } | { about: AboutModel };

/** A text to be continued. */
export interface StoryRequest extends Reading {
  prompt: string;
  /** Most tokens to write. */
  most: number;
}

export interface Story {
  /** The text of each token after the one that begins a text. */
  pieces: string[];
  /** How many of them are the prompt. */
  given: number;
  /** −ln p of each token under the model's own positions, in nats; empty until the end. */
  surprises: ArrayLike<number>;
  /** The mean loss of the prompt under the change, in nats; NaN until the end. */
  promptLoss: number;
}

/** The message of the worker's error where it was started again and has no model. */
export const lost = 'the worker has no model';
