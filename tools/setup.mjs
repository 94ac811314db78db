// Gets everything that building and testing Ropewalk needs: `npm run setup` (for the tests as well:
// `npm run setup -- test`). The other commands do this first, by themselves.
import { fileURLToPath } from 'node:url';
import { setUpBrowsers } from './setup/browsers.mjs';
import { setUpNumPy } from './setup/numpy.mjs';
import { Failure, main } from './setup/failure.mjs';
import { cache, inRoot } from './setup/paths.mjs';
import { alone, say } from './setup/steps.mjs';
import { setUpNpmPackages } from './setup/npm_packages.mjs';
import { setUpReference } from './reference.mjs';
import { setUpToolchain } from './setup/toolchain.mjs';

/**
 * Sets up and returns where everything is: { emscripten: { root, env }, cmake, ninja, xsimd,
 * catch2, nativeCompilers: [{ name, path, options }] } and, on request, { chromium, firefox } and
 * { python }. The package alone is built without the `reference`.
 * What is there already is left as it is, so this takes well under a second the second time.
 */
export async function setup(wanted = {}) {
  const { native = false, browsers = false, numpy = false, reference = true } = wanted;
  checkNode();
  say(`Set-up (in ${cache}; delete it at any time)`);
  return alone(`set-up ${cache}`, async () => {
    const npmPackages = alone(`npm ${inRoot()}`, async () => {
      await setUpNpmPackages();
      if (reference) await setUpReference();
      // What the guides' code asks its readers to have; dist/package is linked in beside it.
      if (browsers)
        await setUpNpmPackages({ title: 'npm packages, guides', folder: inRoot('tests/guides') });
    });
    // At once: what one of them waits for, the others compile or unpack.
    const [toolchain, found, python] = await Promise.all([
      setUpToolchain({ native }),
      browsers ? setUpBrowsers() : {},
      numpy ? setUpNumPy() : undefined,
      npmPackages,
    ]);
    return { ...toolchain, ...found, python };
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Failure(
    `Ropewalk needs Node 20.19 or newer, and this is ${process.versions.node}: please update it.`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const forTests = process.argv.includes('test');
  await main(() => setup({ native: forTests, browsers: forTests, numpy: forTests }));
}
