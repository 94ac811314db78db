// Builds the package where npm packs this folder: for an install from git, and before `npm pack` and
// `npm publish`.
import { existsSync } from 'node:fs';
import { buildPackage, buildingAlone } from './build.mjs';
import { main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';
import { setup } from './setup.mjs';

// `npm ci` in a checkout runs `prepare` too, and is to build nothing. npm gives the script this
// variable where it packs or links the folder for somebody else.
const { npm_lifecycle_event: event, npm_package_resolved: packed } = process.env;
if (event === 'prepack' || (packed && !existsSync(inRoot('dist/package'))))
  await main(async () => {
    const tools = await setup({ reference: false });
    await buildingAlone(() => buildPackage(tools));
  });
