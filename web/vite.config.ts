import path from 'node:path';
import { defineConfig } from 'vite';
import { assemble } from './assembly/plugin.ts';

const web = import.meta.dirname;
const root = path.dirname(web);

export default defineConfig({
  root: web,
  // Every address in the site is relative: it works from any sub-path and from a file server.
  base: './',
  publicDir: path.join(web, 'public'),
  plugins: [assemble()],
  resolve: { alias: { ropewalk: path.join(root, 'dist/package/slim.js') } },
  worker: { format: 'es' },
  build: {
    outDir: path.join(root, 'dist/site'),
    emptyOutDir: true,
    target: 'es2022',
    // The policy refuses data: in scripts and workers, and small files cost nothing as files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [path.join(web, 'index.html'), path.join(web, 'zh/index.html')],
    },
  },
});
