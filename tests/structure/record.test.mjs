/** What the documentation says of a trainer's defaults is what the core has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const text = (file) => readFileSync(join(root, file), 'utf8');

const snakeCase = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe("the documented defaults of a trainer's options are the core's", () => {
  const files = ['options', 'content_positions'];
  const options = files.map((name) => text(`src/js/training/${name}.ts`)).join('');
  for (const [name, struct, file] of [
    ['TaskOptions', 'TaskOptions', 'tasks'],
    ['TrainedPositions', 'PositionOptions', 'position'],
    ['ContentTrainedPositions', 'PositionOptions', 'position'],
    ['ModelOptions', 'DecoderOptions', 'decoder_options'],
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
