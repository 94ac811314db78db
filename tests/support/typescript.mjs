/** Imports a TypeScript module of the page into Node, bundled by the page's own bundler. */
import { build } from 'vite';

/** What the modules under test name, but never reach in Node. */
const external = ['ropewalk', 'virtual:jobs'];

export async function importTypeScript(entry) {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: 'module' },
      rolldownOptions: { external },
    },
    worker: { format: 'es', rolldownOptions: { external } },
  });
  const [{ output }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (built);
  const [{ code }] = output;
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
