// Sets up, builds the wasm and the package, and runs Vite, which redraws the page as its sources
// change: `npm run dev`.
import { buildingAlone, buildPackage } from './build.mjs';
import { buildReference } from './reference.mjs';
import { main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';
import { exitCode } from './setup/processes.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  const tools = await setup();
  await buildingAlone(async () => {
    await buildPackage(tools);
    await buildReference();
  });
  const vite = [inRoot('node_modules/vite/bin/vite.js'), '--config', inRoot('web/vite.config.ts')];
  process.exitCode = await exitCode(process.execPath, vite, { cwd: inRoot() });
});
