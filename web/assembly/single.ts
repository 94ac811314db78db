/**
 * What `ropewalk figure` makes one file of: the scripts of all figures once more, as functions of
 * CommonJS, which need nothing but to stand in one file; and which of them each figure needs.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { AnyFigure, Control } from '../figures/figure.ts';
import { frameAround, stillOf } from '../figures/snippets.ts';
import { frameHeight } from './heights.ts';
import { jobFiles, placesIn } from './jobs.ts';
import { loadFigures } from './plugin.ts';

type Chunk = Rolldown.OutputChunk;

const web = path.dirname(import.meta.dirname);
const parts = path.join(web, 'single_parts.ts');
const external = 'ropewalk:parts';

/** Workers, each with the entry of the file that it is. */
const workers = ['worker', 'run_worker', 'training_worker'];

const jobEntry = (place: number) => `jobs_${place}`;
const figureEntry = (name: string) => `figure_${name}`;

const binaries: Record<string, string> = { inline: 'ropewalk', train_inline: 'ropewalk_train' };
const binaryExports: Record<string, string> = {
  inline: 'inline',
  train_inline: 'inlineForTraining',
};

const named = (id: string) => path.basename(id).replace(/\?.*/, '');

/**
 * The text of a module that requests something elsewhere: the list of the figures, the jobs, the
 * address of a worker or a file, and a binary. Undefined for all others.
 */
function inPlaceOf(id: string): string | undefined {
  const name = named(id);
  const stem = name.replace(/\.\w+$/, '');
  const ofParts = (what: string) => `import { ${what} } from ${JSON.stringify(parts)};\n`;
  if (id.endsWith('?worker&url'))
    return `${ofParts('workerAddress')}export default workerAddress(${JSON.stringify(stem)});`;
  if (id.endsWith('?url'))
    return `${ofParts('addressOf')}export default addressOf(${JSON.stringify(name)});`;
  if (/[\\/]runtime[\\/](train_)?inline\.js$/.test(id))
    return `${ofParts('binary')}export const ${binaryExports[stem]} = () => binary('${binaries[stem]}');`;
  if (id === path.join(web, 'figures/registry.ts'))
    return `export { figures } from '${external}';\nexport const pageOf = () => './';`;
  return id === jobsId
    ? `export { jobs as files } from '${external}';\nexport const encodingJobs = new Set();`
    : undefined;
}

const jobsId = '\0virtual:jobs';

const replacements: Plugin = {
  name: 'ropewalk-single-replacements',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (source === 'virtual:jobs') return jobsId;
    if (!/\?(worker&)?url$/.test(source)) return undefined;
    const [file, query] = source.split('?');
    const resolved = await this.resolve(file!, importer);
    return resolved && `${resolved.id}?${query}`;
  },
  load: (id) => inPlaceOf(id),
  transform(code, id) {
    if (!/[\\/]entries[\\/]train\.js$/.test(id)) return undefined;
    // Figures hand over their own workers, and the address of this one is of a file.
    const made = /new Worker\(new URL\([^)]*\), \{[^}]*\}\)/;
    if (!made.test(code)) throw new Error(`${id} makes its worker in another way`);
    return code.replace(made, 'undefined');
  },
};

/** The scripts of everything that a file may hold. */
async function chunksOf(figureFiles: Record<string, string>): Promise<Map<string, Chunk>> {
  const jobs = jobFiles().map((file, place) => [jobEntry(place), file] as const);
  const figures = Object.entries(figureFiles).map(([name, file]) => [figureEntry(name), file]);
  const built = await build({
    root: web,
    configFile: false,
    mode: 'package',
    publicDir: false,
    logLevel: 'error',
    plugins: [replacements],
    resolve: { alias: { '#in-parts': path.join(web, 'worker/in_one.ts') } },
    // A script of CommonJS has no address; none of these reads one that is not whole.
    define: { 'import.meta.url': 'location.href' },
    build: {
      write: false,
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      minify: true,
      lib: {
        entry: {
          page: path.join(web, 'single.ts'),
          ...Object.fromEntries(workers.map((name) => [name, path.join(web, `worker/${name}.ts`)])),
          ...Object.fromEntries([...jobs, ...figures]),
        },
        formats: ['cjs'],
        fileName: (_, name) => `${name}.cjs`,
      },
      rolldownOptions: {
        external: [external],
        output: {
          exports: 'named',
          chunkFileNames: '[name]-[hash].cjs',
          dynamicImportInCjs: false,
        },
      },
    },
  });
  const [first] = built as Rolldown.RolldownOutput[];
  const chunks = first!.output.filter((part) => part.type === 'chunk');
  for (const { fileName, code } of chunks)
    if (/<\/?script/i.test(code))
      throw new Error(`${fileName} has a tag that would end a script in a page`);
  return new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
}

const isRecorded = ({ facadeModuleId }: Chunk) =>
  /[\\/]trained[\\/](recorded|checkpoints)[\\/]/.test(facadeModuleId ?? '');

/** Everything that one figure needs, by the names of the files. */
class Needs {
  readonly chunks = new Set<string>();
  readonly jobs: Record<string, string> = {};
  readonly files = new Set<string>();
  readonly #all: ReadonlyMap<string, Chunk>;
  #recorded = new Set<Chunk>();

  constructor(all: ReadonlyMap<string, Chunk>, figure: string, jobs: ReadonlyMap<string, number>) {
    this.#all = all;
    for (const entry of ['page', figureEntry(figure)]) this.#add(`${entry}.cjs`);
    this.#addNamed(jobs);
  }

  #add(file: string) {
    const chunk = this.#all.get(file);
    if (!chunk || this.chunks.has(file)) return;
    this.chunks.add(file);
    for (const id of chunk.moduleIds) this.#addFile(id);
    for (const other of chunk.imports) this.#add(other);
    for (const other of chunk.dynamicImports) {
      const later = this.#all.get(other)!;
      if (isRecorded(later)) this.#recorded.add(later);
      else this.#add(other);
    }
  }

  #addFile(id: string) {
    const name = named(id);
    const stem = name.replace(/\.\w+$/, '');
    if (id.endsWith('?worker&url')) this.#add(`${stem}.cjs`);
    else if (id.endsWith('?url')) this.files.add(name);
    else if (/[\\/]runtime[\\/](train_)?inline\.js$/.test(id)) this.files.add(binaries[stem]!);
  }

  /** Jobs and recordings are chosen at run time by names, which the scripts of the figure have. */
  #addNamed(jobs: ReadonlyMap<string, number>) {
    const code = [...this.chunks].map((file) => this.#all.get(file)!.code).join('\n');
    for (const [name, place] of jobs) {
      if (!new RegExp(`\\.${name}\\b`).test(code)) continue;
      this.jobs[name] = `${jobEntry(place)}.cjs`;
      this.#add(this.jobs[name]);
    }
    // A name in quotes, or one that a template begins: `trained_heads_${scheme}`.
    const beginnings = Array.from(
      code.matchAll(/`([a-z]+(?:_[a-z]+)*_)\$\{/g),
      ([, text]) => text!,
    );
    const says = (text: string) =>
      new RegExp(`["'\`]${text}["'\`]`).test(code) ||
      beginnings.some((beginning) => text.startsWith(beginning));
    const recorded = [...this.#recorded].map(
      (chunk) => [named(chunk.facadeModuleId!), chunk] as const,
    );
    const plans = recorded
      .map(([name]) => name.replace(/\.json$/, ''))
      .filter((name) => !name.includes('.') && says(name));
    for (const [name, { fileName }] of recorded) {
      const isOfPlan = plans.some((plan) => name === `${plan}.json` || name.startsWith(`${plan}_`));
      if (isOfPlan) this.#add(fileName);
    }
  }
}

/** The rule of a setting, as far as a command line can check it. */
function ruleOf(control: Control) {
  switch (control.kind) {
    case 'range': {
      const { kind, min, max, step = 1 } = control;
      return { kind, min, max, step };
    }
    case 'choice':
      return { kind: control.kind, values: control.options.map(({ value }) => value) };
    case 'switch':
      return { kind: control.kind };
    case 'text':
      return { kind: control.kind, maxLength: control.maxLength };
  }
}

const languages = ['en', 'zh'] as const;

function aboutFigure(name: string, { text, controls }: AnyFigure) {
  const about = languages.map((language) => {
    const { title, question, caption } = text[language];
    const height = frameHeight(name, language) - frameAround;
    return [language, { title, question, caption, height }];
  });
  const rules = Object.entries(controls).map(([key, control]) => [key, ruleOf(control)]);
  return { texts: Object.fromEntries(about), settings: Object.fromEntries(rules) };
}

/** The file of each figure, by the registry's text. */
const figureFiles = () =>
  Object.fromEntries(
    Array.from(
      readFileSync(path.join(web, 'figures/registry.ts'), 'utf8').matchAll(
        /^ {4}'?([\w-]+)'?: \(\) => import\('(.+)'\)/gm,
      ),
      ([, name, file]) => [name!, path.join(web, 'figures', file!)],
    ),
  );

/** Adds single/ to the scripts of the package, whose other files it shares. */
export const singleParts: Plugin = {
  name: 'ropewalk-single',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const chunks = await chunksOf(figureFiles());
      const jobs = placesIn(jobFiles().map((file) => readFileSync(file, 'utf8')));
      const { allFigures } = await loadFigures();
      const emit = (fileName: string, source: string | Uint8Array) =>
        this.emitFile({ type: 'asset', fileName: `single/${fileName}`, source });
      const assets = new Map(
        Object.values(bundle).flatMap((file) =>
          file.type === 'asset' ? file.names.map((name) => [name, file.fileName] as const) : [],
        ),
      );
      const figures = Object.entries(allFigures).map(([name, figure]) => {
        const { chunks: own, files, jobs: used } = new Needs(chunks, name, jobs);
        const addresses = [...files].map((file) => [file, assets.get(file) ?? null]);
        for (const language of languages) {
          const still = path.join(web, 'public', stillOf(name, language));
          // A new figure is built first and pictured then.
          if (existsSync(still)) emit(path.basename(still), readFileSync(still));
        }
        const needs = { chunks: [...own], jobs: used, files: Object.fromEntries(addresses) };
        return [name, { ...aboutFigure(name, figure), ...needs }];
      });
      for (const { fileName, code } of chunks.values()) emit(fileName, code);
      emit('figures.json', JSON.stringify(Object.fromEntries(figures)));
    },
  },
};
