/** The options of a trainer as numbers, which is how they cross into the core. */
import {
  modelSchema,
  positionSchemas,
  taskSchemas,
  trainerSchema,
  type TrainerOptions,
} from './options.js';
import { scheduleSchema } from '../model/schedule.js';
import { oneOf } from '../runtime/checks.js';
import { read, type Schema } from '../runtime/schema.js';
import type { TrainingCore } from '../runtime/train_module.js';

/** A text as the core takes it: each character as a number. */
export interface EncodedText {
  training: number[];
  heldOut: number[];
  /** The character of each number. */
  characters: string[];
}

type Options = Readonly<Record<string, unknown>>;

/** Options as the core takes them, by field: a choice is its index. */
const fieldsOf = (group: string, schema: object, options: Options): Options =>
  Object.fromEntries(
    Object.entries(schema).map(([name, option]) => {
      const choices: unknown[] = option.rule?.choices ?? [];
      const index = choices.indexOf(options[name]);
      return [`${group}.${name}`, index < 0 ? options[name] : index];
    }),
  );

/**
 * The options of one of several kinds after their checks, by field.
 * @param kinds the names of the kinds in the order of the core, each followed by a space
 */
function kindFields(
  group: string,
  value: { type: string },
  schemas: Readonly<Record<string, object>>,
  kinds: string,
): Options {
  const type = oneOf(`${group}.type`, value?.type, Object.keys(schemas));
  const schema = schemas[type]!;
  const options = read(group, value, schema as Schema<{ type: string }>, `${group}.`);
  return fieldsOf(group, schema, Object.assign(options, { type: kinds.split(' ').indexOf(type) }));
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

/** @throws TypeError, RangeError on a wrong option, naming it */
export function trainerRecord(
  core: TrainingCore,
  options: TrainerOptions,
): { record: Float64Array; text: EncodedText } {
  const given = read('trainer options', options, trainerSchema);
  const { task, position, model, schedule, ...trainer } = given;
  const {
    'task.text': text,
    'task.heldOut': heldOut,
    ...taskFields
  } = kindFields('task', task, taskSchemas, core.training.taskKinds());
  const record = core.recordOf('trainer', {
    ...taskFields,
    ...kindFields(
      'position',
      position ?? { type: 'none' },
      positionSchemas,
      core.training.positionKinds(),
    ),
    ...fieldsOf('model', modelSchema, read('model', model, modelSchema, 'model.')),
    ...fieldsOf(
      'schedule',
      scheduleSchema,
      read('schedule', schedule, scheduleSchema, 'schedule.'),
    ),
    ...fieldsOf('trainer', trainerSchema, trainer),
  });
  return { record, text: encoded(text as string | undefined, heldOut as number) };
}
