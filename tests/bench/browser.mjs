/** The same measurements in headless Chromium, from a page that is built and served for them. */
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { serve } from '../../tools/serve.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { storiesFile } from './llama2c.mjs';
import { launch } from '../browser/support/browser.mjs';

const peersFolder = path.join(import.meta.dirname, 'node_modules');
const inPeers = (...parts) => path.join(peersFolder, ...parts);
const onnx = (file) => inPeers('onnxruntime-web/dist', file);

/** Cross-origin isolation gives the page's clock a resolution of 5 µs. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** The page with all that it loads: the peers' binaries, the packages and the limits. */
async function makeSite({ packages, peakFiles }) {
  const site = inRoot('build/bench');
  await rm(site, { recursive: true, force: true });
  const manifest = await readFile(path.join(packages.ropewalk, 'package.json'), 'utf8');
  await build({
    configFile: false,
    logLevel: 'error',
    root: path.join(import.meta.dirname, 'page'),
    resolve: {
      alias: {
        'onnxruntime-web': onnx('ort.wasm.bundle.min.mjs'),
        ropewalk: path.join(packages.ropewalk, JSON.parse(manifest).exports['.'].default),
      },
    },
    build: { outDir: site, target: 'esnext', minify: false, chunkSizeWarningLimit: Infinity },
  });
  await mkdir(path.join(site, 'peers'), { recursive: true });
  await cp(onnx('ort-wasm-simd-threaded.wasm'), path.join(site, 'peers/onnx.wasm'));
  const tfjs = inPeers('@tensorflow/tfjs-backend-wasm/dist');
  for (const file of await readdir(tfjs)) {
    if (file.endsWith('.wasm')) await cp(path.join(tfjs, file), path.join(site, 'peers', file));
  }
  await cp(inPeers('@litertjs/core/wasm'), path.join(site, 'peers/litert'), { recursive: true });
  await cp(inPeers('@wllama/wllama/esm/wasm/wllama.wasm'), path.join(site, 'peers/wllama.wasm'));
  for (const [label, folder] of Object.entries(packages)) {
    await cp(folder, path.join(site, 'packages', label), { recursive: true });
  }
  for (const [kind, file] of Object.entries(peakFiles)) {
    await cp(file, path.join(site, `peak_${kind}.wasm`));
  }
  await cp(storiesFile, path.join(site, 'stories260K.bin'));
  return site;
}

/** A page in a browser context, so in a process, of its own. */
async function openPage(browser, url) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForFunction('globalThis.isReady');
  return { page, close: () => context.close() };
}

/** Serves the page for `work`, which gets a function that measures once in a fresh browser. */
export async function withBrowser(settings, work) {
  const server = await serve(await makeSite(settings), { headers });
  const measure = async (say) => {
    const browser = await launch('chromium', {
      flags: ['--js-flags=--expose-gc'],
      protocolTimeout: 0,
    });
    try {
      const { page } = await openPage(browser, server.url);
      const fresh = async (task) => {
        const place = await openPage(browser, server.url);
        try {
          return await place.page.evaluate((given) => globalThis.answered(given), task);
        } finally {
          await place.close();
        }
      };
      await page.exposeFunction('say', say);
      await page.exposeFunction('fresh', fresh);
      const results = await page.evaluate((given) => globalThis.measured(given), settings);
      // Without the parts of the version that no reader needs.
      const engine = (await browser.version()).replace(/\/(\d+).*/, ' $1');
      return { results, engine };
    } finally {
      await browser.close();
    }
  };
  try {
    return await work(measure);
  } finally {
    await server.close();
  }
}
