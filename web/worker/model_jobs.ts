/** The jobs of a worker that runs one model which somebody else trained. */
import type { Ropewalk } from 'ropewalk';
import {
  createModel,
  estimateModel,
  readModelFolder,
  type Model,
  type ModelFolder,
  type PositionChange,
  type Tokenizer,
} from 'ropewalk/model';
import { createTokenizer } from 'ropewalk/tokenizer';
import { runLab, type LabRequest, type LabResult } from '../toy/forward.ts';
import { joined, tokenLimit } from '../toy/tokens.ts';
import { trainedLayer, withInputsFirst } from '../toy/trained_layer.ts';
import {
  lost,
  type AboutModel,
  type FolderSize,
  type Loading,
  type Reading,
  type SentChange,
  type SentFiles,
  type Story,
  type StoryRequest,
} from './model_requests.ts';

interface Loaded {
  model: Model;
  tokenizer: Tokenizer;
}

/** The model that is loaded, or that will be. */
interface Entry {
  loaded: Promise<Loaded>;
  share: number;
  /** Called after each part of the weights. */
  wake(): void;
  stop: AbortController;
}

let entry: Entry | undefined;

async function loadedModel(): Promise<Loaded> {
  if (!entry) throw new Error(lost);
  return entry.loaded;
}

/** The folder that was read last. */
let folder: ModelFolder | undefined;

/** Reads which files of a folder are a model, and how much memory it will take. */
export async function readFolder(
  _: object,
  files: Readonly<Record<string, Blob>>,
): Promise<FolderSize> {
  folder = undefined;
  const read = await readModelFolder(files);
  if (!read.tokenizer)
    throw new RangeError('tokenizer.json is missing; without it the model reads no text');
  const weights = [read.model.weights].flat() as { size: number }[];
  const fileBytes = weights.reduce((sum, { size }) => sum + size, 0);
  const { family, peakBytes } = await estimateModel(read.model);
  folder = read;
  return { family, fileBytes, peakBytes };
}

/** Begins to load a model, in place of the one before: by default that of the folder. */
export async function startLoading(
  _: object,
  files: SentFiles | undefined = folder as SentFiles | undefined,
): Promise<void> {
  if (!files) throw new Error(lost);
  const before = entry;
  entry = undefined;
  before?.stop.abort(new Error('another model was chosen'));
  await before?.loaded.then(
    ({ model }) => model.dispose(),
    () => {},
  );
  const stop = new AbortController();
  const own: Entry = { share: 0, wake() {}, stop, loaded: load() };
  // loadingOf() reports a failure.
  own.loaded.catch(() => {});
  entry = own;

  async function load(): Promise<Loaded> {
    const tokenizer = await createTokenizer(files!.tokenizer);
    const onProgress = (share: number) => {
      own.share = share;
      own.wake();
    };
    const model = await createModel({ ...files!.model, signal: stop.signal, onProgress });
    const { vocabulary } = model.options;
    // The table of a model may be padded, and a tokenizer's added tokens are not counted.
    if (tokenizer.vocabulary <= vocabulary) return { model, tokenizer };
    model.dispose();
    throw new RangeError(
      `the tokenizer has ${tokenizer.vocabulary} tokens, but the model has ${vocabulary}`,
    );
  }
}

/** Waits for the next part of the weights, or the end. */
export async function loadingOf(_: object): Promise<Loading> {
  const own = entry;
  if (!own) throw new Error(lost);
  const next = new Promise<undefined>((resolve) => (own.wake = () => resolve(undefined)));
  const loaded = await Promise.race([own.loaded, next]);
  return loaded ? { about: aboutOf(loaded.model) } : { share: own.share };
}

function aboutOf(model: Model): AboutModel {
  const { layers, heads, width, headWidth = width / heads } = model.options;
  // Copies: buffers of a reply move to the page.
  const positions = structuredClone(
    model.layerPositions().map(({ rowScale: _, ...position }) => position),
  );
  return { layers, heads, headWidth, contextLength: model.contextLength, positions };
}

const positionOf = ({ rowFactors, ...change }: SentChange): PositionChange => ({
  ...change,
  ...(rowFactors && { rowScale: (place) => rowFactors[place]! }),
});

/** The option `position` of a model's functions. */
function withPosition({ change }: Reading) {
  if (!change) return {};
  return { position: 'length' in change ? change.map(positionOf) : positionOf(change) };
}

/** The loss at each place of a text. */
export async function lossesOf(
  _: object,
  tokens: readonly number[],
  reading: Reading,
): Promise<Float64Array> {
  return readLosses((await loadedModel()).model, tokens, reading);
}

function readLosses(model: Model, tokens: readonly number[], reading: Reading): Float64Array {
  const { firstPosition = 0 } = reading;
  return model.loss(tokens, {
    ...withPosition(reading),
    ...(firstPosition > 0 && { positions: tokens.map((_, place) => firstPosition + place) }),
  });
}

/** A text that is being written. */
interface Writing extends Loaded {
  tokens: number[];
  given: number;
  reading: Reading;
  rest: AsyncGenerator<number, void, undefined>;
}

let writing: Writing | undefined;

/** Begins to continue a text, in place of the one before; moreOfStory() writes it. */
export async function startStory(_: object, request: StoryRequest): Promise<void> {
  const { model, tokenizer } = await loadedModel();
  const { prompt, most, firstPosition = 0 } = request;
  await writing?.rest.return();
  const tokens = tokenizer.encode(prompt);
  if (tokens.length === 0) throw new RangeError('the text must have at least one token');
  const { contextLength = Infinity } = model;
  const rest = model.generate(tokens, {
    maxTokens: Math.max(0, Math.min(most, contextLength - tokens.length)),
    stop: tokenizer.endTokens,
    firstPosition,
    ...withPosition(request),
  });
  writing = { model, tokenizer, tokens, given: tokens.length - 1, reading: request, rest };
}

/** Time until a story is shown as far as it is written, in milliseconds. */
const turn = 100;

/** Writes on for a while. */
export async function moreOfStory(_: object): Promise<Story & { isDone: boolean }> {
  if (!writing) throw new Error(lost);
  const { model, tokenizer, tokens, given, reading, rest } = writing;
  const until = performance.now() + turn;
  let isDone = false;
  while (!isDone && performance.now() < until) {
    const { done, value } = await rest.next();
    if (done) isDone = true;
    else tokens.push(value);
  }
  const surprises = isDone ? model.loss(tokens) : new Float64Array(0);
  const prompt = Array.from(isDone ? readLosses(model, tokens.slice(0, given + 1), reading) : []);
  const promptLoss = prompt.reduce((sum, loss) => sum + loss, 0) / prompt.length;
  return { pieces: piecesOf(tokenizer, tokens, isDone), given, surprises, promptLoss, isDone };
}

/** The token that begins a text, as the lab shows it. */
const beginning = '‹s›';

/**
 * The lab's maps of one layer of a Llama, for the pieces of a text: with its own scheme or another.
 */
export async function labOfText(rw: Ropewalk, wanted: LabRequest): Promise<LabResult> {
  const { model, tokenizer } = await loadedModel();
  const symbols = tokenizer.encode(joined(wanted.tokens)).slice(0, tokenLimit);
  const pieces = piecesOf(tokenizer, symbols, true).map((piece) => piece.trim() || '·');
  const request = { ...wanted, tokens: [beginning, ...pieces] };
  const { heads, keyHeads = heads, normEpsilon: epsilon } = model.options;
  const parameters = withInputsFirst(model.parameters());
  const own = { parameters, heads, keyHeads, layout: 'interleaved', epsilon, symbols } as const;
  return runLab(rw, request, trainedLayer(rw, own, request.tokens, request.layer ?? 0));
}

/**
 * The text of each token but the first: what it adds to the text of those before it. A character
 * of several tokens belongs to the last of them.
 */
function piecesOf(tokenizer: Tokenizer, tokens: readonly number[], isDone: boolean): string[] {
  let shown = 0;
  return tokens.slice(1).map((_, i) => {
    const text = tokenizer.decode(tokens.slice(0, i + 2));
    const isLast = isDone && i + 2 === tokens.length;
    const whole = isLast ? text : text.replace(/\ufffd+$/, '');
    const piece = whole.slice(shown);
    shown = Math.max(shown, whole.length);
    return piece;
  });
}
