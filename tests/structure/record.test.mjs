/**
 * A trainer's records cross into the core by the places of their numbers: both sides name them
 * alike, in one order. What the documentation says of a trainer's defaults is what the core has.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const text = (file) => readFileSync(join(root, file), 'utf8');

const snakeCase = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields that the core reads, as 'task.max_items'. */
function readBy(name) {
  const [, body] = new RegExp(`\\n\\w+ ${name}\\([^)]*\\) \\{(.*?)\\n\\}`, 's').exec(
    text('src/bindings/trainer.cpp'),
  );
  return Array.from(body.matchAll(/read\((\w+(?:\.\w+)+)\)/g), ([, field]) => field);
}

/** The fields that TypeScript sends; a comment has the core's name where it is another. */
function sentBy(file) {
  const records = text(file).matchAll(/recordOf\(\[\n(.*?)\n\s*\]\)/gs);
  const lines = Array.from(records, ([, body]) => body.split('\n')).flat();
  return lines.map((line) => {
    const [, group, name] = /(?:(\w+)\??\.)?(\w+)/.exec(line);
    return [group, /\/\/ (\w+)$/.exec(line)?.[1] ?? snakeCase(name)].filter(Boolean).join('.');
  });
}

test("TypeScript sends a trainer's options in the order in which the core reads them", () => {
  const read = readBy('trainer_options');
  assert.ok(read.length > 40);
  assert.deepEqual(sentBy('src/js/training/record.ts'), read);
});

test('TypeScript sends the options of an evaluation in the order in which the core reads them', () => {
  const lastName = (field) => field.split('.').at(-1);
  const read = [...readBy('evaluation_options'), ...readBy('decoder_use')].map(lastName);
  assert.ok(read.length > 10);
  assert.deepEqual(sentBy('src/js/training/evaluation.ts').map(lastName), read);
});

describe("the documented defaults of a trainer's options are the core's", () => {
  const files = ['options', 'content_positions'];
  const options = files.map((name) => text(`src/js/training/${name}.ts`)).join('');
  for (const [name, struct, file] of [
    ['TaskOptions', 'TaskOptions', 'tasks'],
    ['TrainedPositions', 'PositionOptions', 'position'],
    ['ContentTrainedPositions', 'PositionOptions', 'position'],
    ['ModelOptions', 'DecoderOptions', 'decoder'],
    ['ScheduleOptions', 'Schedule', 'trainer'],
    ['TrainerOptions', 'TrainerOptions', 'trainer'],
  ])
    test(name, () => {
      const [, docs] = new RegExp(`export interface ${name} \\{(.*?)\\n\\}`, 's').exec(options);
      const [, fields] = new RegExp(`struct ${struct} \\{(.*?)\\n\\};`, 's').exec(
        text(`src/core/training/${file}.hpp`),
      );
      const documented = [
        ...docs.matchAll(
          /\bDefault ([\d.e-]*\d|true|false)\.(?=\s)(?:(?!\*\/).)*\*\/\s+(\w+)\?:/gs,
        ),
      ];
      assert.ok(documented.length > 0);
      for (const [, value, option] of documented) {
        // Not from TypeScript: the text of the task `characters` is split there.
        if (option === 'heldOut') continue;
        const field = new RegExp(`\\b(?:is_|has_)?${snakeCase(option)} = ([\\w.-]+)`);
        const own = field.exec(fields)?.[1].replace(/(?<=\d)f$/, '');
        assert.ok(own !== undefined, `${struct} has no ${option}`);
        assert.equal(JSON.parse(own.replace(/\.$/, '')), JSON.parse(value), option);
      }
    });
});
