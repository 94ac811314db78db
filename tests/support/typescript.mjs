/** Imports TypeScript modules of the page into Node, bundled by the page's own bundler. */
import { join } from 'node:path';
import { build } from 'vite';

const web = join(import.meta.dirname, '..', '..', 'web');

/** What the modules under test name, but never reach in Node. */
const external = ['ropewalk', 'virtual:jobs'];

/**
 * Returns what the modules export, together.
 * @param {...string} paths from web/ on
 */
export async function importFromWeb(...paths) {
  return Object.assign({}, ...(await Promise.all(paths.map(imported))));
}

async function imported(path) {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(web, path), formats: ['es'], fileName: 'module' },
      rolldownOptions: { external },
    },
    worker: { format: 'es', rolldownOptions: { external } },
  });
  const [{ output }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (built);
  const [{ code }] = output;
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
