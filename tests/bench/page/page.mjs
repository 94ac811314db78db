/** The measurements in a page; browser.mjs calls these, and provides `say` and `fresh`. */
import { inFreshPlace } from '../fresh.mjs';
import { groups } from '../groups/all.mjs';
import { makeWorld } from '../world.mjs';

/** The package's face is bundled, as its users do; everything else comes as it is. */
const load = (label, file = 'index.js') =>
  label === 'ropewalk' && file === 'index.js'
    ? import('ropewalk')
    : import(/* @vite-ignore */ `/packages/${label}/${file}`);
const assets = { onnx: '/peers/onnx.wasm', tfjs: '/peers/' };

globalThis.measured = async (given) => {
  const bytes = async (file) => (await fetch(file)).arrayBuffer();
  const peak = (kind) => bytes(`/peak_${kind}.wasm`);
  const binary = (kind) => bytes(`/packages/ropewalk/ropewalk_${kind}.wasm`);
  const { fresh } = globalThis;
  const place = { load, peak, binary, assets, fresh, poolFile: 'pool.js' };
  const world = await makeWorld({ ...given, ...place });
  const results = {};
  for (const name of given.names) {
    const say = (text) => globalThis.say(`${name}: ${text}`);
    results[name] = await groups[name].measure({ ...world, say });
  }
  return results;
};

globalThis.answered = (task) => inFreshPlace({ ...task, load, assets });
globalThis.isReady = true;
