// Makes dist/package from the two wasm builds and src/js: what npm publishes beside package.json, but
// for elements/, which Vite adds (web/vite.config.ts).
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const generatedFolder = path.join(root, 'build/glue');
/** As src/js has it, whose runtime imports these files. */
const glueFolder = path.join(generatedFolder, 'runtime');
const packageFolder = path.join(root, 'dist/package');
const kinds = ['simd128', 'relaxed'];

/** The package's modules: the name of the build, what goes before its files, and its section. */
const modules = [
  { file: 'ropewalk', prefix: '', section: 'simd' },
  { file: 'ropewalk_train', prefix: 'train_', section: 'simd-train' },
];
const [mainModule] = modules;

// The kinds that were built: all, or the first one, which then stands for the other too.
const built = process.argv.length > 2 ? process.argv.slice(2) : kinds;

/** What a kind's build made, or the one that stands for it. */
const pathOf = (kind, name) =>
  path.join(root, 'build', built.includes(kind) ? kind : built[0], name);

/**
 * Appends a custom section that names the kind of the binary, since a compiled module has no other
 * mark of it.
 */
async function binary({ file, section }, wanted) {
  const kind = built.includes(wanted) ? wanted : built[0];
  const text = `${section}${kind}`;
  const bytes = [0, text.length + 1, section.length, ...Buffer.from(text)];
  return Buffer.concat([await readFile(pathOf(kind, `${file}.wasm`)), Buffer.from(bytes)]);
}

/**
 * The package always hands the binary over: what would fetch it is left out of the glue, from each first
 * text up to the second. Bundlers would look for a file that is not there.
 */
const fetching = [
  ['var scriptDirectory=""', 'var out=console.log'],
  ['var wasmBinaryFile;', 'function getWasmImports()'],
  ['wasmBinaryFile??=', '}class ExitStatus'],
];

/** The text without what lies between two others, each of which it must have once. */
function without(text, [first, past]) {
  const [before, rest, ...more] = text.split(first);
  const at = rest?.indexOf(past) ?? -1;
  if (at < 0 || more.length > 0)
    throw new Error(`the glue no longer has its one ${first} … ${past}`);
  return before + rest.slice(at);
}

/** The glue of a module's two binaries, which has to be the same. */
async function glueOfBoth(file) {
  const [simd128, relaxed] = await Promise.all(
    kinds.map((kind) => readFile(pathOf(kind, `${file}.mjs`), 'utf8')),
  );
  if (simd128 !== relaxed)
    throw new Error('the glue of the two wasm builds differs: one file cannot serve both');
  return fetching.reduce(without, simd128);
}

/** One JavaScript glue serves both binaries of a module. */
async function writeGlueOf({ file, prefix }) {
  await writeFile(path.join(glueFolder, `${prefix}glue.js`), await glueOfBoth(file));
  await cp(pathOf('simd128', `${file}.d.ts`), path.join(glueFolder, `${prefix}glue.d.ts`));
}

/** A record of the core, printed as its name and the name and place of each field. */
function constantOfRecord(record, printed) {
  const names = Array.from(printed.matchAll(/(\w+) (\d+)/g), ([, name, place], index) => {
    if (Number(place) === index) return name;
    throw new Error(`${record}: fields() lists ${name} at ${index}, the record at ${place}.`);
  });
  return {
    name: `${record}Fields`,
    // Names alone are shorter in a bundle than an object with their places.
    value: `Object.fromEntries('${names.join(' ')}'.split(' ').map((name, place) => [name, place]))`,
    type: `{ ${names.map((field) => `${field}: number`).join('; ')} }`,
  };
}

/** The names of each object in an object of JSON, as one text: shorter in a bundle than lists. */
function namesOf(printed) {
  const names = Object.entries(JSON.parse(printed)).map(([type, own]) => [
    type,
    Object.keys(own).join(' '),
  ]);
  return JSON.stringify(Object.fromEntries(names));
}

/** What the core lists for TypeScript: fields of records, and in JSON the biases by distance. */
async function writeFields() {
  const { default: printFields } = await import(pathOf('simd128', 'ropewalk_fields.mjs'));
  const constants = [];
  await printFields({
    print(line) {
      const [, name, printed] = /^(\w+) (.*)$/.exec(line);
      if (!printed.startsWith('{')) return constants.push(constantOfRecord(name, printed));
      constants.push({ name, value: printed, type: printed });
      const names = namesOf(printed);
      constants.push({ name: `${name}Names`, value: names, type: names });
    },
  });
  const written = (format) => constants.map(format).join('');
  await writeFile(
    path.join(glueFolder, 'fields.js'),
    written(({ name, value }) => `export const ${name} = ${value};\n`),
  );
  await writeFile(
    path.join(glueFolder, 'fields.d.ts'),
    written(({ name, type }) => `export declare const ${name}: ${type};\n`),
  );
}

/**
 * The binaries are inlined as hexadecimal text: they differ in few places, and compression only
 * sees that where each byte has characters of its own. Both take 67 kB in Brotli, 131 kB as base64.
 */
async function writeGlue() {
  await rm(generatedFolder, { recursive: true, force: true });
  await mkdir(glueFolder, { recursive: true });
  for (const module of modules) {
    const binaries = await Promise.all(
      kinds.map(async (kind) => (await binary(module, kind)).toString('hex')),
    );
    const declared = kinds.map((kind) => `export declare const ${kind}: string;\n`);
    const inlined = kinds.map((kind, i) => `export const ${kind} = '${binaries[i]}';\n`);
    const file = (name) => path.join(glueFolder, `${module.prefix}${name}`);
    await writeGlueOf(module);
    await writeFile(file('binaries.js'), inlined.join(''));
    await writeFile(file('binaries.d.ts'), declared.join(''));
  }
  await writeFields();
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  await writeFile(path.join(glueFolder, 'version.js'), `export const version = '${version}';\n`);
  await writeFile(path.join(glueFolder, 'version.d.ts'), 'export declare const version: string;\n');
}

await writeGlue();
await rm(packageFolder, { recursive: true, force: true });
execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', root], {
  stdio: 'inherit',
});
await cp(generatedFolder, packageFolder, { recursive: true });
for (const kind of kinds) {
  // Beside slim.js: bundlers that leave its address alone find the binary next to the bundle.
  await writeFile(
    path.join(packageFolder, `entries/ropewalk_${kind}.wasm`),
    await binary(mainModule, kind),
  );
}
await cp(path.join(root, 'web/elements_types.d.ts'), path.join(packageFolder, 'elements.d.ts'));
await cp(path.join(root, 'web/wrappers'), path.join(packageFolder, 'wrappers'), {
  recursive: true,
});
await cp(path.join(root, 'tests/vectors/data'), path.join(packageFolder, 'vectors'), {
  recursive: true,
});
