/** The page's code to copy: Python with NumPy and JavaScript print what their last lines promise. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { few } from '../support/sweep.mjs';
import { inside, project } from './installed.mjs';

const chapters = join(import.meta.dirname, '..', '..', 'web', 'chapters');
const python = process.env.ROPEWALK_PYTHON ?? 'python3';

/** Each file of a chapter's folder `code`: its chapter, name and text. */
const files = readdirSync(chapters, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\/code\/\w+\.\w+$/.test(path))
  .map((path) => {
    const [chapter, , name] = path.split('/');
    return { chapter, name, text: readFileSync(join(chapters, path), 'utf8') };
  });

/** The comment lines at the end. */
function promised(text, comment) {
  const lines = text.trimEnd().split('\n');
  const last = lines.findLastIndex((line) => !line.startsWith(comment));
  return lines.slice(last + 1).map((line) => line.slice(comment.length));
}

function run(command, args) {
  try {
    return execFileSync(command, args, { cwd: project, encoding: 'utf8' });
  } catch (error) {
    throw new Error(
      `${command} failed. The Python code needs NumPy: npm test sets it up, or ROPEWALK_PYTHON ` +
        'names a Python that has it.',
      { cause: error },
    );
  }
}

test('each piece of code is there in both languages of program and page', () => {
  const names = files.map(({ chapter, name }) => `${chapter}/${name}`).sort();
  assert.equal(names.length, 10);
  for (const { chapter, name } of files) {
    const [stem] = name.split('.');
    assert.ok(names.includes(`${chapter}/${stem}.py`) && names.includes(`${chapter}/${stem}.js`));
    for (const language of ['en', 'zh'])
      assert.ok(
        readFileSync(join(chapters, chapter, `${language}.md`), 'utf8').includes(
          `<!-- code ${stem} -->`,
        ),
        `${name} in ${language}`,
      );
  }
});

test('the lines of the check page to copy save layer 0 before and after rotation', async () => {
  const folder = join(import.meta.dirname, '../../web/check/hooks');
  const paths = readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .map((name) => join(folder, name));
  assert.equal(paths.length, 3);
  const saved = JSON.parse(run(python, [join(import.meta.dirname, 'hooks.py'), ...paths]));
  const { recognized } = await inside('diagnose/dump');
  const tensor = { data: Float32Array.of(1, 1), shape: [1, 2] };
  for (const path of paths) {
    assert.ok(saved[path].length >= 5);
    assert.deepEqual(recognized(saved[path].map((name) => [name, tensor])).unknown, [], path);
  }
});

// A program in each language starts with Python's and Node's own time: one of each.
for (const { name, text } of few(files, 2)) {
  test(`${name} prints what it says`, () => {
    const isPython = name.endsWith('.py');
    const expected = promised(text, isPython ? '# ' : '// ');
    assert.ok(expected.length > 0, 'it promises something');
    const printed = isPython
      ? run(python, ['-c', text])
      : run(process.execPath, ['--input-type=module', '--eval', text]);
    assert.deepEqual(printed.trimEnd().split('\n'), expected);
  });
}

test('NumPy and the package promise the same', () => {
  for (const { name, text } of files.filter(({ name }) => name.endsWith('.py'))) {
    const twin = files.find((file) => file.name === name.replace('.py', '.js'));
    assert.deepEqual(promised(twin.text, '// '), promised(text, '# '), name);
  }
});
