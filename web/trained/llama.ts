/**
 * A Llama of 260,032 parameters that Andrej Karpathy trained on TinyStories in 2023 (llama2.c),
 * most of it in float16: `tests/models/ship.mjs` makes the file.
 */
import { WorkerModel, type Story } from '../worker/models.ts';
import { fetchedBytes } from './models.ts';
import { recorded } from './recordings.ts';
import license from './stories260k/stories260k_license.txt?url';
import tokenizer from './stories260k/tok512.bin?url';
import weights from './stories260k/stories260k.gguf?url';

export const licenseAddress = license;

/** The files of the model: those of its weights and of its tokenizer. */
export async function llamaFiles() {
  const files = await Promise.all([fetchedBytes(weights), fetchedBytes(tokenizer)]);
  return { weights: files[0], tokenizer: files[1] };
}

/** The same as a folder of the reader's would have them. */
export async function llamaFolder(): Promise<Record<string, Blob>> {
  const { weights: model, tokenizer: tokens } = await llamaFiles();
  return { 'stories260k.gguf': new Blob([model]), 'tok512.bin': new Blob([tokens]) };
}

/** The model, loaded when it is first used. */
export const llama = new WorkerModel(async (engine) => {
  const { weights: model, tokenizer: tokens } = await llamaFiles();
  await engine.startLoading({
    model: { weights: model, precision: 'float32' },
    tokenizer: { tokenizer: tokens },
  });
});

/** What the model writes and how well it predicts a text, before it is loaded. */
export interface RecordedLlama<Methods> {
  /** A text of 1,100 tokens that the model wrote. */
  tokens: number[];
  /** The mean loss of its first 512 places under the model's own positions, in nats. */
  loss: number;
  /** By method: its losses by place, and of sections of the text. */
  methods: Methods;
  /** The mean loss of its first 128 places with ALiBi in place of the rotation. */
  alibi: number;
  /** By their beginnings. */
  stories: Record<string, Story>;
  /** The same after a change, and the mean loss of those 512 places. */
  broken: { change: string; loss: number; stories: Record<string, Story> };
}

export const recordedLlama = <Methods = unknown>() =>
  recorded<RecordedLlama<Methods>>('stories260k');
