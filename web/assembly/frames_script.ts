/**
 * frames.js, from web/frames.ts: a classic script in one piece. Other sites write its address down,
 * and as a module it would need their leave (CORS).
 */
import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const web = path.dirname(import.meta.dirname);

async function bundled(): Promise<string> {
  const built = await build({
    root: web,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: path.join(web, 'frames.ts'), output: { format: 'iife' } },
    },
  });
  const [script] = (built as Rolldown.RolldownOutput).output;
  return script.code;
}

export const framesScript: Plugin = {
  name: 'ropewalk-frames-script',
  configureServer(server) {
    server.middlewares.use('/frames.js', async (_, response, next) => {
      try {
        response.setHeader('Content-Type', 'text/javascript; charset=utf-8').end(await bundled());
      } catch (error) {
        next(error);
      }
    });
  },
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'frames.js', source: await bundled() });
  },
};
