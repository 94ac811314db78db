/**
 * `virtual:jobs`: the jobs of the worker by name, each with what loads its file. They are the
 * functions that a jobs file of a chapter exports, and the reading of a config.json.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst, type Plugin } from 'vite';

const web = path.dirname(import.meta.dirname);
const id = 'virtual:jobs';

const jobFiles = () => [
  ...readdirSync(path.join(web, 'chapters'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /jobs\.ts$/.test(file))
    .map((file) => path.join(web, 'chapters', file))
    .sort(),
  path.join(web, 'worker/model_position.ts'),
];

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
      const entries: string[] = [];
      const loaders = jobFiles().map((file, at) => {
        this.addWatchFile(file);
        const source = readFileSync(file, 'utf8');
        for (const name of functionsIn(source)) entries.push(`  ${name}: load${at},\n`);
        return place === 'worker'
          ? `const load${at} = () => ${imported(file, source)};\n`
          : `import * as file${at} from ${JSON.stringify(file)};\nconst load${at} = () => file${at};\n`;
      });
      return `${loaders.join('')}export const files = {\n${entries.join('')}};\n`;
    },
  };
}
