/** The pages “Check your model” and “Compare arrays” as their tests drive them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readPackedDumps } from '../../dumps/judge.mjs';

const root = join(import.meta.dirname, '../../..');
export const exampleFolder = join(root, 'web/check/dumps');
export const dumps = new Map(
  readPackedDumps(join(root, 'tests/dumps/data')).map((dump) => [dump.name, dump]),
);
/**
 * Example dumps of the page, with the names of the equal dumps in tests/dumps/data; or with their
 * faults, where tests/dumps/generated drew them: `matrixDumps({ each: 3 })` named them
 * rotary_width_wrong/phi/0, rotated_twice/qwen3/4 and mrope_decode_positions/qwen2_vl/2.
 */
export const examples = {
  layout: '0001',
  uninitialised: '0069',
  width: ['rotary_width_wrong'],
  twice: ['rotated_twice'],
  base: '0002',
  scaling: '0007',
  attention_factor: '0017',
  restart: '0029',
  padding: '0032',
  positions: '0033',
  groups: '0047',
  slopes: '0054',
  decoding: ['mrope_decode_positions'],
  two: '0067',
};

export const ofPackage = (name) =>
  import(pathToFileURL(join(root, 'dist/package', `${name}.js`)).href);

/** Within a describe: the page of `visit`, and what it shows. */
export function checkIn(visit) {
  const idle = (selector) =>
    visit.tab.waitForFunction(
      (box) => document.querySelector(box)?.getAttribute('aria-busy') === 'false',
      {},
      selector,
    );
  async function open(path = 'numbers.html', settings = {}) {
    await visit.open(path, settings);
    if (path.endsWith('arrays.html')) await idle('#notebook');
    else await visit.tab.waitForSelector('#clear:not(:disabled)');
  }
  /** Uploads files; the input is empty again once they are read, and the results come after that. */
  async function choose(input, ...files) {
    await (await visit.tab.$(input)).uploadFile(...files);
    await visit.tab.waitForFunction(
      (box) => /** @type {HTMLInputElement} */ (document.querySelector(box)).files.length === 0,
      {},
      input,
    );
    await visit.tab.waitForSelector(':is(#result-check, #notebook)[aria-busy="false"]');
  }
  const text = (selector = '') =>
    visit.tab.$eval(`#result-check ${selector}`.trim(), (box) => box.innerText);
  const ids = () =>
    visit.tab.$$eval('#result-check .hypotheses li:first-child code', (all) =>
      all.map(({ textContent }) => textContent),
    );
  async function tryDump(dump) {
    await visit.tab.click(`[data-dump="${dump}"]`);
    await visit.tab.waitForSelector(`[data-dump="${dump}"][aria-pressed="true"]`);
    await idle('#result-check');
  }
  return { choose, idle, open, text, ids, tryDump };
}
