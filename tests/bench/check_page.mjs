/** The page “Check your model” with a large dump: how long its main thread is blocked. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inRoot } from '../../tools/setup/paths.mjs';
import { longestTasks, traceCategories } from './tasks.mjs';

export const checkPage = 'check';

/** The queries of one layer with 32 heads over 2048 tokens: two files of 17 MB. */
const shape = [1, 32, 2048, 64];
const config = {
  model_type: 'llama',
  hidden_size: 2048,
  num_attention_heads: 32,
  rope_theta: 10000,
};

/** Writes queries, the same rotated in adjacent pairs, and config.json; returns the paths. */
async function writeDump(folder) {
  const entry = (name) => import(pathToFileURL(inRoot(`dist/package/entries/${name}.js`)).href);
  const { createRopewalk } = await entry('index');
  const { writeNpy } = await entry('files');
  const rw = await createRopewalk();
  const count = shape.reduce((a, b) => a * b);
  const q = { data: Float32Array.from({ length: count }, (_, i) => Math.sin(i * i)), shape };
  const rotated = rw.rotate(q, rw.rotaryFrequencies({ dim: 64 }), { layout: 'interleaved' });
  const files = {
    'q.npy': writeNpy(q),
    'q_rot.npy': writeNpy(rotated),
    'config.json': JSON.stringify(config),
  };
  const paths = [];
  for (const [name, content] of Object.entries(files)) {
    paths.push(path.join(folder, name));
    await writeFile(paths.at(-1), content);
  }
  return paths;
}

const idle = (tab) =>
  tab.waitForFunction(
    () => document.querySelector('#result-check')?.getAttribute('aria-busy') === 'false',
  );

/** Drops files on the page as a reader does. */
async function drop(tab, files) {
  const client = await tab.createCDPSession();
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'])
    await client.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
  await tab.waitForSelector('#result-check .hypotheses');
  await idle(tab);
}

const marks = ['files are dropped', 'rest'];

async function mark(tab, name) {
  await tab.evaluate((text) => performance.mark(text), name);
}

/** Drops the files once on a new page; `after` returns what the caller wants of it. */
async function dropOnce(page, files, slowdown) {
  const tab = page.page;
  await page.open('numbers.html');
  await tab.waitForSelector('#clear:not(:disabled)');
  await tab.emulateCPUThrottling(slowdown);
  await tab.evaluate(() => globalThis.longTasks?.splice(0));
  await mark(tab, marks[0]);
  await drop(tab, files);
  await mark(tab, marks[1]);
  const seen = await tab.evaluate(() => globalThis.longTasks.splice(0));
  await tab.emulateCPUThrottling(null);
  const fault = await tab.$eval('#result-check .hypotheses code', (code) => code.textContent);
  if (fault !== 'layout_swapped') throw new Error(`the page found ${fault}, not layout_swapped`);
  return seen;
}

/** As a slider of responsiveness.mjs: { id, longest, parts, seen }, times in milliseconds. */
export async function measuredCheck(page, { slowdown }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'ropewalk-dump-'));
  try {
    const files = await writeDump(folder);
    const { tracing } = page.page;
    await tracing.start({ categories: traceCategories });
    await dropOnce(page, files, 1);
    const trace = JSON.parse(new TextDecoder().decode(await tracing.stop()));
    const { [marks[0]]: task } = longestTasks(trace, marks, slowdown);
    const seen = await dropOnce(page, files, slowdown);
    return { id: 'large dump', seen, ...task };
  } finally {
    await rm(folder, { recursive: true });
  }
}
