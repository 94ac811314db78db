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

/**
 * The functions that a module exports; its constants and types are for the page. Those whose first
 * parameter is of the type Encodings need no more of the package.
 */
const functionsIn = (source: string): { name: string; needsAll: boolean }[] =>
  parseAst(source, { lang: 'ts' }).body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') return [];
    const { declaration, specifiers } = statement;
    if (declaration?.type === 'FunctionDeclaration') {
      const { start = 0, end = 0 } = declaration.params[0] ?? {};
      const needsAll = !/:\s*Encodings$/.test(source.slice(start, end));
      return [{ name: declaration.id!.name, needsAll }];
    }
    return specifiers.map(({ exported }) => ({
      name: 'name' in exported ? exported.name : exported.value,
      needsAll: true,
    }));
  });

/** The place of each job's file in the list. */
export function placesIn(sources: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, source] of sources.entries()) {
    for (const { name } of functionsIn(source)) {
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
          ? `const load${at} = () => import(${JSON.stringify(file)});\n`
          : `import * as file${at} from ${JSON.stringify(file)};\nconst load${at} = () => file${at};\n`;
      });
      const entries = Array.from(placesIn(sources), ([name, at]) => `  ${name}: load${at},\n`);
      const light = sources.flatMap(functionsIn).filter(({ needsAll }) => !needsAll);
      return `${loaders.join('')}export const files = {\n${entries.join('')}};
export const encodingJobs = new Set(${JSON.stringify(light.map(({ name }) => name))});\n`;
    },
  };
}
