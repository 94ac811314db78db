/** A step of a build runs when its inputs, settings or outputs have changed, and only then. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { bringUpToDate } from '../../tools/build/up_to_date.mjs';

describe('a recorded step', () => {
  let folder;
  let runs;
  const at = (name) => join(folder, name);
  /** Joins the sources to one file, as the step under test. */
  const make = async () => {
    runs += 1;
    // As Ninja, which keeps an output that is there.
    if (existsSync(at('out/joined'))) return 'kept';
    const sources = ['src/a', 'src/deep/b', 'tool'].map((name) => readFile(at(name), 'utf8'));
    await mkdir(at('out'), { recursive: true });
    await writeFile(at('out/joined'), (await Promise.all(sources)).join(''));
    return 'joined';
  };
  /**
   * @param {string} [settings]
   * @param {() => Promise<string | void>} [work]
   */
  const step = (settings = 'plain', work = make) =>
    bringUpToDate(
      at('records/step.json'),
      { inputs: [at('src'), at('tool'), at('optional')], settings, outputs: [at('out')] },
      work,
    );

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ropewalk-step-'));
    runs = 0;
    await mkdir(at('src/deep'), { recursive: true });
    for (const name of ['src/a', 'src/deep/b', 'tool']) await writeFile(at(name), name);
    assert.equal(await step(), 'joined');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('is skipped while nothing changes, whatever the times of the files', async () => {
    assert.equal(await step(), 'unchanged');
    await utimes(at('src/a'), 1, 1);
    await utimes(at('out/joined'), 1, 1);
    assert.equal(await step(), 'unchanged');
    assert.equal(runs, 1);
  });

  /** @type {Record<string, () => Promise<unknown>>} */
  const changes = {
    'a changed file in a folder': () => writeFile(at('src/deep/b'), 'new'),
    'the same length with other contents': () => writeFile(at('src/a'), 'src/A'),
    'a changed tool': () => writeFile(at('tool'), 'new'),
    'a new file': () => writeFile(at('src/c'), ''),
    'a file that appears where none was': () => writeFile(at('optional'), ''),
    'a file that is gone': () => rm(at('src/a')),
    'a renamed file': () => rename(at('src/a'), at('src/c')),
  };
  for (const [what, change] of Object.entries(changes))
    test(`runs after ${what}, once`, async () => {
      await change();
      assert.equal(await step(), 'kept');
      assert.equal(await step(), 'unchanged');
      assert.equal(runs, 2);
    });

  test('runs with other settings, and again with the first ones', async () => {
    assert.equal(await step('fast'), 'kept');
    assert.equal(await step('fast'), 'unchanged');
    assert.equal(await step('plain'), 'kept');
  });

  test('makes an output again that is missing or was written by something else', async () => {
    await rm(at('out'), { recursive: true });
    assert.equal(await step(), 'joined');
    await writeFile(at('out/joined'), 'other');
    assert.equal(await step(), 'joined');
    assert.equal(await readFile(at('out/joined'), 'utf8'), 'src/asrc/deep/btool');
    await writeFile(at('out/joined'), 'other');
    await writeFile(at('tool'), 'TOOL');
    assert.equal(await step(), 'joined');
    await writeFile(at('out/extra'), '');
    assert.equal(await step(), 'joined');
    assert.ok(!existsSync(at('out/extra')));
    assert.equal(await step(), 'unchanged');
  });

  test('starts over after a run that failed', async () => {
    const fail = () => Promise.reject(new Error('no space left'));
    await writeFile(at('tool'), 'new');
    await assert.rejects(step('plain', fail), /no space left/);
    await writeFile(at('tool'), 'tool');
    assert.equal(await step(), 'joined');
  });

  test('runs again when an input changed during the run', async () => {
    await writeFile(at('tool'), 'new');
    await step('plain', () => writeFile(at('tool'), 'newer'));
    assert.equal(await step(), 'kept');
  });

  test('runs again when the record cannot be read', async () => {
    await writeFile(at('records/step.json'), '{');
    assert.equal(await step(), 'joined');
  });
});
