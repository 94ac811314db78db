// Builds the package where npm packs this folder: for an install from git, and before `npm pack` and
// `npm publish`.
import { existsSync, readFileSync } from 'node:fs';
import { buildPackage, buildingAlone } from './build.mjs';
import { main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';
import { say } from './setup/steps.mjs';
import { setup } from './setup.mjs';

/** Says what a package to publish lacks, which its owner has to choose. */
function sayMissing() {
  const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const missing = ['repository', 'homepage'].filter((key) => !manifest[key]);
  if (missing.length > 0)
    say(`package.json has no ${missing.join(' and no ')}: see “Publishing” in CONTRIBUTING.md`);
}

// `npm ci` in a checkout runs `prepare` too, and is to build nothing. npm gives the script this
// variable where it packs or links the folder for somebody else.
const { npm_lifecycle_event: event, npm_package_resolved: packed } = process.env;
if (event === 'prepack' || (packed && !existsSync(inRoot('dist/package'))))
  await main(async () => {
    const tools = await setup({ reference: false });
    await buildingAlone(() => buildPackage(tools));
    if (event === 'prepack') sayMissing();
  });
