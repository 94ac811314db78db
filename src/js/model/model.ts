/** A model that was loaded: its logits, its losses and the text that it writes. */
import type { DecoderOptions, ModelDescription } from './description.js';
import { parameterLines } from './load_parameters.js';
import { ModelTrainer, type ModelTrainerOptions } from './model_trainer.js';
import { explained } from './overflow.js';
import {
  changedPositions,
  givePositions,
  lastLengthLike,
  type ModelLayerPosition,
  type ModelPositions,
  type PositionChange,
} from './positions.js';
import type { Weights } from './weights.js';
import { fitting, numbers } from '../runtime/checks.js';
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { Tensor } from '../runtime/tensor.js';
import type { TrainingCore } from '../runtime/train_module.js';

/** Most tokens that are read at once, and most of their logits. @internal */
export const chunkSize = 512;
export const mostLogits = 2 ** 24;

/**
 * How a text is read. Positions that depend on the length, such as those of LongRoPE, are those of
 * the whole text.
 */
export interface ReadOptions {
  /** In place of the model's own positions, in all layers or in each. */
  position?: PositionChange | readonly PositionChange[];
  /** Position of each token, rising. Default 0, 1, 2, … */
  positions?: ArrayLike<number>;
  /**
   * Tokens that are read at once; 1 reads token by token. Default 512, or fewer where the logits
   * would take more than 64 MiB.
   */
  chunk?: number;
}

export const readSchema = {
  position: option.given('position'),
  positions: option.numbers.optional(),
  chunk: option.whole.optional(),
} satisfies Schema<ReadOptions>;

/** How a text is continued. */
export interface GenerateOptions {
  /** Most tokens to write. Default: as many as the model's context has left. */
  maxTokens?: number;
  /** 0 (default): always the token with the largest logit. */
  temperature?: number;
  /** Of the most probable tokens as many as reach this sum. Default 1: all. */
  topP?: number;
  /** Seed of the random numbers. Default 0. */
  seed?: number;
  /** Tokens that end the text; they are not written. */
  stop?: ArrayLike<number>;
  /** Position of the first token. Default 0. */
  firstPosition?: number;
  /** Changed positions, as for reading. */
  position?: ReadOptions['position'];
  /** Ends the generation. */
  signal?: AbortSignal;
}

export const generateSchema = {
  maxTokens: option.wholeFrom(0).optional(),
  temperature: option.nonNegative.default(0),
  topP: option.positive.default(1),
  seed: option.wholeFrom(0).default(0),
  stop: option.numbers.optional(),
  firstPosition: option.wholeFrom(0).default(0),
  position: option.given('position'),
  signal: option.given('signal'),
} satisfies Schema<GenerateOptions>;

/** Bytes of keys and values that each token of a text takes. @internal */
export function cacheBytes({
  layers,
  heads,
  keyHeads = heads,
  width,
  headWidth = width / heads,
}: DecoderOptions): number {
  return 8 * layers * keyHeads * headWidth;
}

/** What a model is made of. @internal */
export interface ModelParts {
  /** As config.json names it. */
  family: string;
  description: ModelDescription;
  weights: Weights;
  contextLength: number | undefined;
  /** Own positions for a text of so many tokens, which some schemes depend on. */
  positionsFor(length: number): readonly ModelLayerPosition[];
  /** What is to be known of its queries and keys. */
  origin: ModelOrigin;
}

/** What `ropewalk diagnose` is to know of a dump. @internal */
export interface ModelOrigin {
  /** The model's config.json, or one that says the same. Absent: none can say it. */
  config?: object;
  /** The program in whose order the rows of queries and keys are. Default: transformers. */
  runtime?: 'llama.cpp';
}

/** Weights with what computes on them. Made by createModel(); it holds memory until dispose(). */
export class Model {
  #at: number | undefined;
  readonly #core: TrainingCore;
  readonly #parts: ModelParts;
  readonly #texts = new Set<number>();
  #trainer: ModelTrainer | undefined;
  /** What the core computes with now, and for texts of how many tokens. */
  #given: { positions: ModelPositions; capacity: number } | undefined;

  /** @internal */
  constructor(core: TrainingCore, at: number, parts: ModelParts) {
    this.#core = core;
    this.#at = at;
    this.#parts = parts;
  }

  get #alive(): number {
    if (this.#at !== undefined) return this.#at;
    throw new Error('the model has been disposed of');
  }

  /** @internal */
  get origin(): ModelOrigin {
    return this.#parts.origin;
  }

  /** The sizes and forms of the model. */
  get options(): Readonly<DecoderOptions> {
    return this.#parts.description.options;
  }

  /** Number of positions that the model was made for, where its file says so. */
  get contextLength(): number | undefined {
    return this.#parts.contextLength;
  }

  /** The model's own position in each layer, for a text of so many tokens. */
  layerPositions(length = 1): readonly ModelLayerPosition[] {
    return this.#parts.positionsFor(length);
  }

  /**
   * Computes the logits after each token of a text.
   * @param tokens one sequence
   * @returns [tokens, vocabulary]
   * @throws TypeError, RangeError on a wrong option or token, naming it; RangeError where a value
   *   exceeds what float32 holds, so that logits are not finite
   */
  logits(tokens: ArrayLike<number>, options?: ReadOptions): Tensor {
    const list = this.#tokens(tokens);
    const vocabulary = this.options.vocabulary;
    fitting('the logits', list.length * vocabulary);
    const data = new Float32Array(list.length * vocabulary);
    this.#read(list, options, (text, first, count, positions) => {
      const returned = this.#core.training.extendText(this.#alive, text, count, positions, count);
      data.set(this.#core.view(returned), first * vocabulary);
    });
    return { data, shape: [list.length, vocabulary] };
  }

  /**
   * Computes the loss at each place of a text: −ln p(next token), in nats.
   * @param tokens one sequence
   * @returns one value per token but the last
   * @throws as logits()
   */
  loss(tokens: ArrayLike<number>, options?: ReadOptions): Float64Array {
    const list = this.#tokens(tokens);
    const losses = new Float64Array(Math.max(0, list.length - 1));
    const targets = (first: number, count: number) => list.subarray(first + 1, first + 1 + count);
    this.#read(
      list.subarray(0, losses.length),
      options,
      (text, first, count, positions) => {
        const returned = this.#core.training.textLosses(this.#alive, text, count, positions);
        losses.set(this.#core.doubles(returned), first);
      },
      targets,
    );
    return losses;
  }

  /**
   * Continues a text, token by token. Each is computed with the positions of the text so far, as
   * logits() reads it. Where they change with the length, what was read is read again: once with
   * LongRoPE, and for every token beyond the original length with dynamic NTK. transformers keeps
   * the keys of its cache as they were rotated, so there its text may become another.
   * rotaryFrequencies() for one length, as `position`, takes no second reading.
   * @param tokens at least one
   * @returns an iterator of tokens; it ends at a token of `stop`, after maxTokens, or on abort
   * @throws as logits(); the signal's reason
   * @see Holtzman et al. 2020, section 3.1 (topP)
   */
  async *generate(
    tokens: ArrayLike<number>,
    options?: GenerateOptions,
  ): AsyncGenerator<number, void, undefined> {
    const given = read('generate options', options, generateSchema);
    const { temperature, topP, seed, signal, position, firstPosition } = given;
    const list = this.#tokens(tokens);
    if (list.length === 0) throw wrongValue('tokens', 'must have at least one value', 0);
    const { positionRows = Infinity } = this.options;
    const context = this.contextLength ?? list.length + 256;
    const room = Math.min(context, positionRows - firstPosition) - list.length;
    const most = given.maxTokens ?? Math.max(0, room);
    const capacity = fitting('maxTokens', list.length + most, cacheBytes(this.options));
    const positionsAt = (count: number) =>
      changedPositions(this.#parts.positionsFor(firstPosition + count), position);
    const lastLike = (count: number) =>
      lastLengthLike((length) => positionsAt(length).layers, count, capacity);
    let until = lastLike(list.length);
    let positions = positionsAt(list.length);
    const stop = new Set(given.stop);
    let text = this.#createText(capacity, seed);
    try {
      const all = Array.from(list);
      let next = list;
      let place = firstPosition;
      // A map needs positions that begin at 0, which none given are.
      const send = (piece: Float64Array): number => {
        signal?.throwIfAborted();
        this.#use(positions, capacity);
        const places = firstPosition === 0 ? new Float64Array(0) : piece.map(() => place++);
        this.#core.sendDoubles([piece, places]);
        return places.length;
      };
      const { training } = this.#core;
      for (let written = 0; written < most; ++written) {
        // What is kept has the positions of a shorter text: it is read again with those of now.
        if (all.length > until) {
          until = lastLike(all.length);
          positions = positionsAt(all.length);
          this.#deleteText(text);
          // Other random numbers than those of before, and than those of the next seeds.
          text = this.#createText(capacity, (seed + 2 ** 32 * written) % 2 ** 52);
          next = Float64Array.from(all);
          place = firstPosition;
        }
        for (; next.length > chunkSize; next = next.subarray(chunkSize)) {
          const places = send(next.subarray(0, chunkSize));
          this.#core.address(training.extendText(this.#alive, text, chunkSize, places, 1));
        }
        const places = send(next);
        const { length } = next;
        const returned = training.continueText(
          this.#alive,
          text,
          length,
          places,
          temperature,
          topP,
        );
        const token = this.#core.doubles(returned)[0]!;
        if (stop.has(token)) return;
        yield token;
        all.push(token);
        next = Float64Array.of(token);
      }
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#deleteText(text);
    }
  }

  /**
   * Computes the attention weights of one layer.
   * @param layer index from 0
   * @returns [heads, tokens, tokens]
   * @throws as logits(); RangeError on a layer that the model does not have
   */
  attentionWeights(tokens: ArrayLike<number>, layer: number, options?: ReadOptions): Tensor {
    const list = this.#tokens(tokens);
    const which = this.#layer(layer);
    const { heads } = this.options;
    const { length } = list;
    fitting('the weights', heads * length * length);
    const data = new Float32Array(heads * length * length);
    this.#read(list, options, (text, first, count, positions) => {
      const returned = this.#core.training.textWeights(this.#alive, text, count, positions, which);
      const part = this.#core.view(returned);
      const keys = first + count;
      for (let row = 0; row < heads * count; ++row) {
        const at = Math.floor(row / count) * length + first + (row % count);
        data.set(part.subarray(row * keys, (row + 1) * keys), at * length);
      }
    });
    return { data, shape: [heads, length, length] };
  }

  /**
   * Computes queries and keys before and after rotation, in the form that diagnose() reads.
   * @param options layers: indices from 0. Default: all
   * @returns q, q_rot [1, heads, tokens, head width] and k, k_rot [1, key heads, …] of each layer,
   *   named as "model.layers.0.self_attn.q", and "position_ids" [1, tokens]. With a map, which
   *   rotates within attention, there are no rotated ones
   * @throws TypeError, RangeError on a wrong option or token, naming it
   */
  dump(
    tokens: ArrayLike<number>,
    { layers, ...options }: ReadOptions & { layers?: ArrayLike<number> } = {},
  ): Record<string, Tensor> {
    const list = this.#tokens(tokens);
    const { length } = list;
    const all = Array.from({ length: this.options.layers }, (_, layer) => layer);
    const positions = options.positions ?? list.map((_, place) => place);
    const result: Record<string, Tensor> = {
      position_ids: { data: Float32Array.from(positions), shape: [1, length] },
    };
    const { heads, keyHeads = heads, width, headWidth = width / heads } = this.options;
    for (const layer of Array.from(layers ?? all, (index) => this.#layer(index)))
      this.#read(list, { ...options, chunk: Math.max(1, length) }, (text, _, count, places) => {
        const { training } = this.#core;
        const returned = training.textOperands(this.#alive, text, count, places, layer);
        const floats = this.#core.floats(returned);
        const hasMap = this.#given!.positions.layers[layer]!.map !== undefined;
        let at = 0;
        for (const [name, own] of [
          ['q', heads],
          ['k', keyHeads],
          ['q_rot', heads],
          ['k_rot', keyHeads],
        ] as const) {
          const data = floats.slice(at, (at += own * count * headWidth));
          if (hasMap && name.endsWith('rot')) continue;
          const shape = [1, own, count, headWidth];
          result[`model.layers.${layer}.self_attn.${name}`] = { data, shape };
        }
      });
    return result;
  }

  /**
   * Makes a trainer that continues the training of this model. It trains all parameters. Of the
   * families that load, llama, mistral, qwen2, smollm3, phi3 and gpt2 can be trained. What has no
   * gradient: norms other than before attention and feed-forward layers, norms of queries and keys,
   * parallel layers, factors on embeddings, residuals or logits, caps, sinks, an embedding that is
   * normalized or projected, ReLU and the exact GELU.
   * @returns the trainer, one at a time, which holds memory until dispose()
   * @throws TypeError, RangeError on a wrong option or token, naming it, and on a model with a form
   *   that has no gradient, naming that; Error while the model has another trainer
   * @see Loshchilov and Hutter 2019 (AdamW)
   */
  trainer(options?: ModelTrainerOptions): ModelTrainer {
    if (this.#trainer) throw new Error('the model has a trainer: dispose of that first');
    let last: { length: number; positions: ModelPositions } | undefined;
    const prepare = (length: number, position: ModelTrainerOptions['position']) => {
      if (last?.length !== length)
        last = { length, positions: changedPositions(this.#parts.positionsFor(length), position) };
      this.#use(last.positions, length);
    };
    return (this.#trainer = new ModelTrainer(
      this.#core,
      {
        at: this.#alive,
        tokens: (list) => this.#tokens(list),
        prepare,
        onDispose: () => (this.#trainer = undefined),
      },
      options,
    ));
  }

  /**
   * Returns the values of all parameters.
   * @returns [rows, columns] each, by their names in the core, such as "E" and "blocks.0.Wq"
   */
  parameters(): Record<string, Tensor> {
    const { training } = this.#core;
    const lines = parameterLines(training.modelParameters(this.#alive));
    const entries = lines.map(({ name, rows, cols }, index): [string, Tensor] => {
      const data = this.#core.floats(training.modelValues(this.#alive, index));
      return [name, { data, shape: [rows, cols] }];
    });
    return Object.fromEntries(entries);
  }

  #layer(layer: number): number {
    const which = option.wholeFrom(0).read('layer', layer);
    const { layers } = this.options;
    if (which >= layers) throw wrongValue('layer', `must be below ${layers}`, which);
    return which;
  }

  #tokens(tokens: ArrayLike<number>): Float64Array {
    const list = numbers('tokens', tokens);
    const { vocabulary } = this.options;
    const wrong = list.findIndex(
      (token) => !(Number.isInteger(token) && token >= 0 && token < vocabulary),
    );
    if (wrong < 0) return list;
    const rule = `must be a whole number from 0 to ${vocabulary - 1}`;
    throw wrongValue(`tokens[${wrong}]`, rule, list[wrong]);
  }

  /** Calls `extend` for each piece of a text, after it sent the tokens and their positions. */
  #read(
    list: Float64Array,
    options: ReadOptions | undefined,
    extend: (text: number, first: number, count: number, positions: number) => void,
    more: (first: number, count: number) => Float64Array = () => new Float64Array(0),
  ): void {
    const given = read('read options', options, readSchema);
    const { position, positions } = given;
    const rows = Math.max(1, Math.floor(mostLogits / this.options.vocabulary));
    const chunk = given.chunk ?? Math.min(chunkSize, rows);
    if (positions && positions.length < list.length)
      throw wrongValue('positions', `must have ${list.length} values`, positions.length);
    if (list.length === 0) return;
    const last = positions ? positions.reduce((a, b) => Math.max(a, b)) + 1 : list.length;
    this.#use(changedPositions(this.#parts.positionsFor(last), position), list.length);
    const text = this.#createText(list.length, 0);
    try {
      for (let first = 0; first < list.length; first += chunk) {
        const count = Math.min(chunk, list.length - first);
        const places = positions?.subarray(first, first + count) ?? new Float64Array(0);
        const piece = list.subarray(first, first + count);
        this.#core.sendDoubles([piece, places, more(first, count)]);
        extend(text, first, count, places.length);
      }
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#deleteText(text);
    }
  }

  #explained(error: unknown): unknown {
    if (this.#at === undefined) return error;
    return explained(error, this.#core, this.#at, this.#parts.description);
  }

  /** Gives the core these positions unless it has them. */
  #use(positions: ModelPositions, capacity: number): void {
    if (this.#given?.positions === positions && this.#given.capacity === capacity) return;
    this.#given = undefined;
    givePositions(this.#core, this.#alive, positions, capacity);
    this.#given = { positions, capacity };
  }

  #createText(capacity: number, seed: number): number {
    const high = Math.floor(seed / 2 ** 32);
    const returned = this.#core.training.createText(this.#alive, capacity, high, seed % 2 ** 32);
    const text = this.#core.address(returned, `the keys and values of ${capacity} tokens`);
    this.#texts.add(text);
    return text;
  }

  #deleteText(text: number): void {
    if (this.#texts.delete(text)) this.#core.training.deleteText(text);
  }

  /** Releases the memory. Later calls throw; a second dispose() does nothing. */
  dispose(): void {
    for (const text of this.#texts) this.#deleteText(text);
    this.#trainer?.dispose();
    if (this.#at !== undefined) this.#core.training.deleteModel(this.#at);
    this.#at = undefined;
  }
}

if (typeof Symbol.dispose === 'symbol')
  Object.defineProperty(Model.prototype, Symbol.dispose, { value: Model.prototype.dispose });
