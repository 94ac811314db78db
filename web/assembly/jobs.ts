/**
 * `virtual:jobs`: the jobs of the worker by name, each with what loads its file. They are the
 * functions that the files of worker/figure_jobs.ts export.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst, type Plugin } from 'vite';

const list = path.join(path.dirname(import.meta.dirname), 'worker/figure_jobs.ts');
const id = 'virtual:jobs';

/** The files that have jobs. */
export const jobFiles = () =>
  Array.from(readFileSync(list, 'utf8').matchAll(/import\('(.+)'\)/g), ([, file]) =>
    path.resolve(path.dirname(list), file!),
  );

/** The functions that a module exports; its constants and types are for the page. */
const functionsIn = (source: string): string[] =>
  parseAst(source, { lang: 'ts' }).body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') return [];
    const { declaration, specifiers } = statement;
    if (declaration?.type === 'FunctionDeclaration') return [declaration.id!.name];
    return specifiers.map(({ exported }) => ('name' in exported ? exported.name : exported.value));
  });

/** Imports a jobs file, and at the same time the chunk of the toy model that it would import. */
function imported(file: string, source: string): string {
  const own = `import(${JSON.stringify(file)})`;
  const [, toy] = /^(?:import|export) (?!type\b)[^;]* from '(.*\/toy\/.*)'/m.exec(source) ?? [];
  if (!toy) return own;
  const chunk = JSON.stringify(path.resolve(path.dirname(file), toy));
  return `Promise.all([${own}, import(${chunk})]).then(([jobs]) => jobs)`;
}

/** The place of each job's file in the list. */
export function placesIn(sources: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, source] of sources.entries()) {
    for (const name of functionsIn(source)) {
      if (places.has(name)) throw new Error(`two files export a job of the name "${name}"`);
      places.set(name, at);
    }
  }
  return places;
}

/**
 * In the worker, a file is loaded with the first request for one of its jobs. The page itself
 * computes only where it may start no worker, and then has all jobs in one file.
 */
export function jobs(place: 'page' | 'worker'): Plugin {
  return {
    name: 'ropewalk-jobs',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(loaded) {
      if (loaded !== `\0${id}`) return undefined;
      this.addWatchFile(list);
      const files = jobFiles();
      const sources = files.map((file) => readFileSync(file, 'utf8'));
      const loaders = files.map((file, at) => {
        this.addWatchFile(file);
        return place === 'worker'
          ? `const load${at} = () => ${imported(file, sources[at]!)};\n`
          : `import * as file${at} from ${JSON.stringify(file)};\nconst load${at} = () => file${at};\n`;
      });
      const entries = Array.from(placesIn(sources), ([name, at]) => `  ${name}: load${at},\n`);
      return `${loaders.join('')}export const files = {\n${entries.join('')}};\n`;
    },
  };
}
