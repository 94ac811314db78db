/** The measurements in a page; browser.mjs calls these, and provides `say` and `fresh`. */
import { measureOnce } from '../fresh.mjs';
import { groups } from '../groups/all.mjs';
import { inBuild } from '../wasm.mjs';
import { makeWorld } from '../world.mjs';

/** The package's face is bundled, as its users do; everything else comes as it is. */
async function load(label, entry = '.') {
  if (label === 'ropewalk' && entry === '.') return import('ropewalk');
  const { default: file } = (await entriesOf(label))[entry] ?? { default: inBuild(entry) };
  return import(/* @vite-ignore */ `/packages/${label}/${file}`);
}

const entriesOf = async (label) =>
  (await (await fetch(`/packages/${label}/package.json`)).json()).exports;

const registerGradients = () => import('@tensorflow/tfjs-core/dist/register_all_gradients.js');
const assets = {
  onnx: '/peers/onnx.wasm',
  tfjs: '/peers/',
  litert: '/peers/litert/',
  wllama: '/peers/wllama.wasm',
};

globalThis.measured = async (given) => {
  const bytes = async (file) => (await fetch(file)).arrayBuffer();
  const peak = (kind) => bytes(`/peak_${kind}.wasm`);
  const entries = await entriesOf('ropewalk');
  const binary = (kind) => bytes(`/packages/ropewalk/${entries[`./ropewalk_${kind}.wasm`]}`);
  const place = {
    load,
    peak,
    binary,
    stories: async () => new Uint8Array(await bytes('/stories260K.bin')),
    llama2c: undefined,
    assets,
    registerGradients,
    fresh: globalThis.fresh,
  };
  const world = await makeWorld({ ...given, ...place });
  const results = {};
  for (const name of given.names) {
    const say = (text) => globalThis.say(`${name}: ${text}`);
    results[name] = await groups[name].measure({ ...world, say });
  }
  return results;
};

globalThis.answered = (task) => measureOnce({ ...task, load, assets });
globalThis.isReady = true;
