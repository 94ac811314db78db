/** Everything that the groups measure, started once: both builds, the limits and the peers. */
import { startLitert } from './peers/litert.mjs';
import { startOnnx } from './peers/onnxruntime.mjs';
import { startTfjs } from './peers/tfjs.mjs';
import { startWllama } from './peers/wllama.mjs';

const relaxedProbe = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32,
  0, 32, 0, 253, 133, 2, 11,
];

/** The builds that this engine can run. */
export const kinds = WebAssembly.validate(new Uint8Array(relaxedProbe))
  ? ['relaxed', 'simd128']
  : ['simd128'];

/**
 * `load(label)` imports a package, `peak(kind)` reads the bytes of its limits; `assets` says where
 * the peers find their binaries, in a browser.
 */
export async function makeWorld({ packages, load, peak, assets, withPeers = true, ...rest }) {
  const ours = [];
  for (const label of Object.keys(packages)) {
    const { createRopewalk } = await load(label);
    for (const kind of kinds) {
      ours.push({ name: `${label} ${kind}`, kind, rw: await createRopewalk({ simd: kind }) });
    }
  }
  const limits = {};
  for (const kind of kinds) {
    const { instance } = await WebAssembly.instantiate(await peak(kind), {});
    limits[kind] = instance.exports;
  }
  const peers = withPeers
    ? {
        onnx: await startOnnx(assets?.onnx),
        tfjs: await startTfjs(assets?.tfjs),
        litert: assets?.litert && (await startLitert(assets.litert)),
        wllama: assets?.wllama && (await startWllama(assets.wllama)),
      }
    : {};
  return { ours, limits, ...peers, load, ...rest };
}
