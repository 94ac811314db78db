/**
 * The options of a trainer as numbers, which is how they cross into the core. An option that was
 * not given crosses as NaN: the core has the defaults.
 */
import { pathGates, slopeGates } from './content_positions.js';
import {
  modelSchema,
  positionSchemas,
  scheduleSchema,
  taskSchemas,
  trainerSchema,
  type TrainerOptions,
} from './options.js';
import { oneOf } from '../runtime/checks.js';
import { read, type Schema } from '../runtime/schema.js';

/** Booleans become 0 and 1, undefined becomes NaN. */
export const recordOf = (values: readonly (number | boolean | undefined)[]): Float64Array =>
  Float64Array.from(values, Number);

/** A text as the core takes it: each character as a number. */
export interface EncodedText {
  training: number[];
  heldOut: number[];
  /** The character of each number. */
  characters: string[];
}

/** The core counts the names. */
const indexOf = (names: readonly string[], name: string | undefined) =>
  name === undefined ? undefined : names.indexOf(name);

/**
 * The options of one of several kinds after their checks; those of other kinds are absent.
 * @param kinds the names of the kinds in the order of the core
 */
function readKind(
  what: string,
  value: { type: string },
  schemas: Readonly<Record<string, object>>,
  kinds = Object.keys(schemas),
): Record<string, any> {
  const type = oneOf(`${what}.type`, value?.type, Object.keys(schemas));
  const options = read(what, value, schemas[type] as Schema<{ type: string }>, `${what}.`);
  return Object.assign(options, { kind: kinds.indexOf(type) });
}

/** Characters are numbered by first appearance. */
function encoded(text: string | undefined, heldOut: number): EncodedText {
  const all = [...(text ?? '')];
  const characters = [...new Set(all)];
  const numbers = new Map(characters.map((character, id) => [character, id]));
  const ids = all.map((character) => numbers.get(character)!);
  const end = Math.floor(ids.length * (1 - heldOut));
  return { training: ids.slice(0, end), heldOut: ids.slice(end), characters };
}

/**
 * @param positionKinds names, in the order of the core
 * @throws TypeError, RangeError on a wrong option, naming it
 */
export function trainerRecord(
  options: TrainerOptions,
  positionKinds: string[],
): {
  record: Float64Array;
  text: EncodedText;
} {
  const trainer = read('trainer options', options, trainerSchema);
  const task = readKind('task', trainer.task, taskSchemas);
  const given = trainer.position ?? { type: 'none' };
  const position = readKind('position', given, positionSchemas, positionKinds);
  Object.assign(position, {
    pathGate: indexOf(pathGates, position.gate),
    slopeGates: indexOf(slopeGates, position.slopeGates),
  });
  const model = read('model', trainer.model, modelSchema, 'model.');
  const schedule = read('schedule', trainer.schedule, scheduleSchema, 'schedule.');
  // As trainer_options() in the bindings reads it; a comment has the core's name where it differs.
  const record = recordOf([
    task.kind,
    task.drawers,
    task.things,
    task.askProbability,
    task.symbols,
    task.repeatProbability,
    task.minPeriod,
    task.maxPeriod,
    task.favouriteProbability,
    task.ignoreProbability,
    task.maxItems,
    task.maxDigits,
    model.vocabulary,
    model.width,
    model.layers,
    model.heads,
    model.hidden,
    model.normEpsilon,
    position.kind,
    position.base,
    position.layout && position.layout === 'half-split', // is_half_split
    position.rows,
    position.perLayer, // is_per_layer
    position.buckets,
    position.maxDistance,
    position.tableScale,
    position.softplus, // is_softplus
    position.hidden,
    position.c,
    position.threshold,
    position.epsilon,
    position.scaleBase,
    position.gamma,
    position.rowFactor,
    position.gateBias,
    position.scalarGate, // has_scalar_gate
    position.pathGate,
    position.slopeGates,
    position.rank,
    position.attendCurrent,
    position.gateWidth,
    schedule.steps,
    schedule.warmupSteps,
    schedule.learningRate,
    schedule.finalShare,
    schedule.weightDecay,
    schedule.maxGradNorm,
    trainer.batchSize,
    trainer.length,
    trainer.randomPositions,
    trainer.seed,
  ]);
  return { record, text: encoded(task.text, task.heldOut) };
}
