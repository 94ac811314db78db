// Formats every source: C++ by .clang-format, TypeScript and JavaScript by the prettier options of
// package.json. `npm run format` writes the files; tests/structure fails while one differs.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format as formatCpp } from '@wasm-fmt/clang-format';
import { format as formatScript } from 'prettier';

const root = join(import.meta.dirname, '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const style = read('.clang-format');
const { prettier: options } = JSON.parse(read('package.json'));

/** Fingerprints of the texts that their formatter has left as they are, with all that decides it. */
const record = join(root, 'build/records/formatted.json');
const deciding = ['tools/format.mjs', '.clang-format', 'package.json', 'package-lock.json'].map(
  read,
);
const fingerprint = (path, text) =>
  createHash('sha256')
    .update([...deciding, path, text].join('\0'))
    .digest('base64');
const recorded = () => (existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : []);

/** Returns the formatted text; the extension of the path selects the formatter. */
export const formatted = (path, text) =>
  /\.[ch]pp$/.test(path)
    ? formatCpp(text, path, style)
    : formatScript(text, { ...options, filepath: path });

/** Returns [path, text as it is, text as formatted] of each source whose layout differs. */
export async function unformatted() {
  const listed = (...args) =>
    execFileSync('git', ['ls-files', ...args, '*.cpp', '*.hpp', '*.ts', '*.mjs', '*.js'], {
      cwd: root,
      encoding: 'utf8',
    });
  const paths = `${listed()}${listed('--others', '--exclude-standard')}`.split('\n');
  const found = [];
  const [known, kept] = [new Set(recorded()), []];
  for (const path of paths.filter((path) => path && existsSync(join(root, path)))) {
    const text = read(path);
    const mark = fingerprint(path, text);
    const right = known.has(mark) ? text : await formatted(path, text);
    if (right === text) kept.push(mark);
    else found.push([path, text, right]);
  }
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify(kept));
  return found;
}

if (process.argv[1] === import.meta.filename)
  for (const [path, , right] of await unformatted()) {
    writeFileSync(join(root, path), right);
    console.log(path);
  }
