/** `npx ropewalk generate`: a model continues a text, which is written while it is made. */
import { modelOperand, openModel, tokenizerRule, type OpenModel } from './models.js';
import { files, read, source } from './node_files.js';
import { progressLine, put } from './node_run.js';
import { positionFromText, positionRule } from './position_text.js';
import { ruleOf, UsageError, type Given, type Io, type Program } from './rules.js';
import { generateSchema, type GenerateOptions } from '../model/model.js';
import { decodeStream } from '../model/tokenizer.js';

/** Opens the model of a program, with its progress on standard error. */
export async function openWithProgress(place: string, given: Given, io: Io): Promise<OpenModel> {
  const show = progressLine(given, io);
  const onProgress = (share: number) => show(`${Math.round(100 * share)}% of the model is loaded`);
  const opened = await openModel(place, given, { files, read, source, onProgress });
  show('');
  return opened;
}

async function promptOf({ tokenizer }: OpenModel, { prompt = '', chat }: Given) {
  const content = String(prompt);
  if (!chat) return tokenizer.encode(content);
  if (tokenizer.encodeChat) return tokenizer.encodeChat([{ role: 'user', content }]);
  throw new UsageError('--chat must come with a model that has a template of chats, got none');
}

export const generate: Program = {
  says: 'continues a text with a language model, up to one of its end tokens',
  operands: modelOperand,
  count: [1, 1],
  options: {
    prompt: { kind: 'text', says: 'the text to continue; default: a new one', mayBeEmpty: true },
    chat: { kind: 'flag', says: "the prompt is a question, in the model's template of chats" },
    position: positionRule,
    maxTokens: ruleOf(
      generateSchema.maxTokens,
      'most tokens to write; default: up to the length that the model was made for',
    ),
    temperature: ruleOf(generateSchema.temperature, '0: always the most probable token'),
    topP: ruleOf(
      generateSchema.topP,
      'of the most probable tokens as many as have this probability together',
    ),
    seed: ruleOf(generateSchema.seed, 'of the random numbers'),
    tokenizer: tokenizerRule,
  },
  example: 'ropewalk generate SmolLM2-135M --prompt "Once upon a time" --position yarn:4',
  async perform([place], given, io) {
    const opened = await openWithProgress(place!, given, io);
    const { rw, model, tokenizer } = opened;
    const { position, ...others } = given;
    const { maxTokens, temperature, topP, seed } = others as GenerateOptions;
    const tokens = await promptOf(opened, given);
    const { contextLength = Infinity } = model;
    if (maxTokens === undefined && tokens.length >= contextLength)
      throw new UsageError(
        `--max-tokens must be given: the model was made for ${contextLength} tokens, and the prompt has ${tokens.length}`,
      );
    const text = decodeStream(tokenizer, tokens);
    const writing = model.generate(tokens, {
      ...{ maxTokens, temperature, topP, seed },
      ...(position !== undefined && { position: positionFromText(rw, model, String(position)) }),
      stop: tokenizer.endTokens,
    });
    for await (const token of writing)
      // The reader of a pipe may close it early, as head does.
      if ((await put(io.stdout, text(token)))?.code === 'EPIPE') return { printed: '' };
    return { printed: '\n' };
  },
};
