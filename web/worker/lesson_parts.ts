/** What the page and the worker of a lesson send to each other. */

/** The files of a model of llama2.c. */
export interface HealingFiles {
  weights: Uint8Array;
  tokenizer: Uint8Array;
}

/** The result of a step, or of a measurement. */
export interface LessonPart {
  /** Steps taken so far. */
  step: number;
  /** Of the step, in nats. */
  loss?: number;
  /** Mean losses between the places of the plan; of poems, the share of right places by row. */
  measured?: number[];
  /** The same of the model before its positions were changed. */
  unchanged?: number[];
  /** What the model writes. */
  text?: string;
  isDone: boolean;
}
