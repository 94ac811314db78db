/** An instance with little memory left, all of it beyond what 32 bits with a sign address. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { binary, installed } from '../../package/installed.mjs';

const imported = (file) => import(pathToFileURL(join(installed, `${file}.js`)).href);
const { compiled } = await imported('runtime/load');
const { started } = await imported('runtime/main_module');
const { Core } = await imported('runtime/core');
const { instanceOf } = await imported('ropewalk');

const mebibyte = 2 ** 18; // of floats

/**
 * Pages that are never written take no memory of the machine. The free block lies at high addresses,
 * where a sum of addresses may overflow.
 */
function crowd(raw) {
  for (let i = 0; i < 3; i++) raw.resident(1200 * mebibyte);
  const free = raw.resident(100 * mebibyte);
  raw.resident(mebibyte);
  raw.releaseResident(free);
}

export async function createCrowded({ simd }) {
  const { module } = await compiled({ simd }, async () => binary(simd));
  const raw = await started(module);
  crowd(raw);
  return instanceOf(new Core(raw), simd);
}
