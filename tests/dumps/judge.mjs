/** Judges the diagnosis of dumps with known faults by the rules of their expect.json. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { diagnose, diagnoseModelFile } from 'ropewalk/diagnose';
import { blobSource, readNpy, readSafetensors } from 'ropewalk/files';

/** All arrays of a folder, by name. */
function arraysIn(folder) {
  const arrays = new Map();
  for (const name of readdirSync(folder).sort()) {
    const bytes = () => readFileSync(path.join(folder, name));
    if (name.endsWith('.npy')) arrays.set(name.slice(0, -4), readNpy(bytes()));
    if (!name.endsWith('.safetensors')) continue;
    for (const [key, tensor] of readSafetensors(bytes()).tensors) arrays.set(key, tensor);
  }
  return arrays;
}

/** Sources of the files of a folder with this ending; undefined where there is none. */
function sourcesIn(folder, ending) {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(ending))
    : [];
  const source = (name) => blobSource(new Blob([readFileSync(path.join(folder, name))]), name);
  return names.length > 0 ? names.map(source) : undefined;
}

const idsOf = (faults) => [...faults].sort().join(' + ') || 'none';

/**
 * What a diagnosis is worth: the first verdict must be the faults of `expect`, or those of `accept`;
 * an equivalent named first is half a pass; where the data cannot decide, an alternative named first
 * or beside.
 */
export function judged(expect, { verdict, faults, hypotheses }) {
  const expected = idsOf(expect.faults);
  const got = verdict === 'unknown' ? 'unknown' : idsOf(faults);
  if (expect.decidable === false) {
    const all = [expect.faults, ...(expect.alternatives ?? [])].map(idsOf);
    const named = hypotheses.filter((each) => all.includes(idsOf(each.faults)));
    const isUndecided = verdict === 'undecided' && named.length > 0;
    const hasOthers = all.includes(got) && named.length === new Set(all).size;
    return { credit: Number(isUndecided || hasOthers), expected: all.join(' or '), got };
  }
  if (got === expected && verdict !== 'undecided') return { credit: 1, expected, got };
  if (verdict !== 'undecided' && (expect.accept ?? []).map(idsOf).includes(got))
    return { credit: 1, expected, got };
  const equivalents = (expect.equivalents ?? []).map(idsOf);
  if (equivalents.includes(got)) return { credit: 0.5, expected, got };
  return { credit: 0, expected, got: verdict === 'undecided' ? `undecided, ${got}` : got };
}

/** Where the expected faults are among the hypotheses: 'first', 'among three', 'not'. */
export function rankOf(expect, { verdict, faults, hypotheses }) {
  const expected = idsOf(expect.faults);
  if ((verdict === 'unknown' ? 'unknown' : idsOf(faults)) === expected) return 'first';
  const three = verdict === 'unknown' ? [] : hypotheses.slice(0, 3);
  return three.some((each) => idsOf(each.faults) === expected) ? 'among three' : 'not';
}

/**
 * A dump in a folder: config.json, arrays or a GGUF file, reference, and expect.json.
 */
function readDump(folder) {
  const json = (name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  const reference = path.join(folder, 'reference');
  const files = sourcesIn(folder, '.gguf');
  if (files)
    return {
      expect: json('expect.json'),
      isModelFile: true,
      options: {
        files,
        config: json('config.json'),
        reference: sourcesIn(reference, '.safetensors'),
      },
    };
  return {
    expect: json('expect.json'),
    options: {
      arrays: arraysIn(folder),
      config: json('config.json'),
      ...(existsSync(reference) && { reference: arraysIn(reference) }),
    },
  };
}

/** Every dump of a folder of dumps, by name. */
export function readDumps(folder) {
  const names = readdirSync(folder).filter((name) =>
    existsSync(path.join(folder, name, 'expect.json')),
  );
  return names.sort().map((name) => ({ name, ...readDump(path.join(folder, name)) }));
}

/** The dumps that make.py --pack put into one file. */
export function readPackedDumps(folder) {
  const { tensors } = readSafetensors(readFileSync(path.join(folder, 'dumps.bin')));
  const dumps = JSON.parse(readFileSync(path.join(folder, 'dumps.json'), 'utf8'));
  const under = (prefix, entries) =>
    new Map(
      entries.flatMap(([key, tensor]) =>
        key.startsWith(prefix) ? [[key.slice(prefix.length), tensor]] : [],
      ),
    );
  return Object.entries(dumps).map(([name, { config, expect }]) => {
    const all = [...under(`${name}/`, [...tensors])];
    const reference = under('reference/', all);
    const arrays = new Map(all.filter(([key]) => !key.startsWith('reference/')));
    return { name, expect, options: { arrays, config, ...(reference.size && { reference }) } };
  });
}

/** The diagnosis of a dump or a model file, and what it is worth. */
export async function judgedDump(rw, { name, expect, options, isModelFile = false }) {
  try {
    const diagnosis = isModelFile ? await diagnoseModelFile(rw, options) : diagnose(rw, options);
    const rank = rankOf(expect, diagnosis);
    return { name, expect, isModelFile, diagnosis, rank, ...judged(expect, diagnosis) };
  } catch (error) {
    const expected = idsOf(expect.faults);
    const got = `an error: ${error.message}`;
    return { name, expect, isModelFile, rank: 'not', credit: 0, expected, got };
  }
}
