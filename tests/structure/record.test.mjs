/** What the documentation says of a trainer's defaults is what the core has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const text = (file) => readFileSync(join(root, file), 'utf8');

const snakeCase = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe("the documented defaults of a trainer's options are the core's", () => {
  const files = ['training/options', 'training/content_positions', 'model/schedule'];
  const options = files.map((name) => text(`src/js/${name}.ts`)).join('');
  const members = (struct, file) =>
    new RegExp(`struct ${struct} \\{(.*?)\\n\\};`, 's').exec(
      text(`src/core/training/${file}.hpp`),
    )[1];
  for (const [name, structs] of Object.entries({
    TaskOptions: { TaskOptions: 'tasks' },
    TrainedPositions: { PositionOptions: 'position' },
    ContentTrainedPositions: { PositionOptions: 'position' },
    ModelOptions: { DecoderOptions: 'decoder_options' },
    ScheduleOptions: { Schedule: 'trainer', AdamW: 'adamw' },
    TrainerOptions: { TrainerOptions: 'trainer' },
  }))
    test(name, () => {
      const [, docs] = new RegExp(`export interface ${name} \\{(.*?)\\n\\}`, 's').exec(options);
      const parts = Object.entries(structs).map(([struct, file]) => members(struct, file));
      const fields = parts.join('');
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
        assert.ok(own !== undefined, `the core has no ${option}`);
        assert.equal(JSON.parse(own.replace(/\.$/, '')), JSON.parse(value), option);
      }
    });
});
