/** Draws calls from a seed, and checks each result and the instance after it. */
import { isDeepStrictEqual } from 'node:util';
import { createRopewalk } from '../../package/installed.mjs';
import { calls } from '../../package/probes.mjs';
import { objectsOf } from '../../package/schemas.mjs';
import { api, called, functionOf } from './api.mjs';
import { cacheMessageNames, keptTensors } from './cache_calls.mjs';
import { apply, drawnChanges } from './changes.mjs';
import {
  areFinite,
  changeFault,
  destinationOf,
  errorFault,
  namesIn,
  resultFault,
  snapshot,
  timeFault,
} from './judge.mjs';
import { overflowOf } from './overflow.mjs';
import { Draws, drawsOf } from './random.mjs';
import { source, withoutNumbers } from './source.mjs';
import { keptLogits } from './trainer_calls.mjs';
import { processorTime } from './watchdog.mjs';

const names = Object.keys(api);

const probe = await createRopewalk({ simd: 'simd128' });
/** The objects of a good call of each function that have a schema. */
export const objects = Object.fromEntries(
  names.map((name) => {
    const callee = functionOf(probe, name);
    return [name, objectsOf((...args) => callee(...args)?.dispose?.(), api[name](new Draws(0)))];
  }),
);

/** Returns case `index` of a seed: a function, the seed of its valid call, and the changes. */
export function drawnCase(seed, index) {
  const draws = drawsOf(seed, index);
  const name = draws.pick(names);
  const good = draws.bits();
  const changes = drawnChanges(api[name](new Draws(good)), draws, objects[name]);
  return { name, good, changes, isCrowded: draws.chance(1, 8) };
}

export function argumentsOf({ name, good, changes }) {
  const args = api[name](new Draws(good));
  for (const change of changes) apply(args, change);
  return args;
}

export const sourceOf = (one) =>
  `rw.${one.name}(${argumentsOf(one)
    .map((argument) => source(argument))
    .join(', ')})`;

/** May the result hold NaN, because an option says so? */
const mayBeNan = (name, args) =>
  name === 'trainerEvaluate' ||
  (['attention', 'residentAttention'].includes(name) && args[3]?.fullyMasked === 'nan');

/** Names in error messages besides those of options. */
const messageNames = {
  attention: ['heads', 'queries', 'keys', 'dim', 'query'],
  rotaryTable: ['frequencies'],
  rotate: ['frequencies', 'table'],
  transformerXl: ['table'],
  ...cacheMessageNames,
  trainerLogits: ['logits options'],
  trainerGenerate: ['generate options'],
  trainerEvaluate: ['evaluate options', 'evaluation options'],
};

/**
 * Returns the names that an error of a function may use: parameters, options of its calls and of the
 * schemas that these read, and its own name.
 */
export function namesOf(rw, name) {
  const callee = functionOf(rw, name);
  const text = callee.toString();
  const list = /\(([^)]*)\)/.exec(text)?.[1] ?? '';
  const parameters = list.split(',').map((one) => one.trim().replace(/\s*=.*/, ''));
  const options = Array.from({ length: 200 }, (_, seed) =>
    namesIn(api[name](new Draws(seed))),
  ).flat();
  // An option that good calls leave out comes in by a change, or from an object that has every name.
  options.push(...objects[name].flatMap(({ schema }) => Object.keys(schema)));
  return [...new Set([...parameters, ...options, ...(messageNames[name] ?? []), name])].filter(
    Boolean,
  );
}

/** Returns what is wrong with how one call ended, or undefined. */
function callFault(rw, one, names) {
  const args = argumentsOf(one);
  const finite = areFinite(args);
  const before = destinationOf(args) ? undefined : snapshot(args);
  const start = processorTime();
  let fault;
  try {
    const result = called(rw, one.name, args);
    fault = timeFault(processorTime() - start, args, result);
    if (finite && !mayBeNan(one.name, args))
      fault ??= resultFault(result, args, overflowOf(one.name, args));
    result?.dispose?.();
    return { fault: fault ?? (before && changeFault(before, args)), ok: true };
  } catch (error) {
    fault = timeFault(processorTime() - start, args) ?? errorFault(error, names[one.name]);
    return { fault: fault ?? (before && changeFault(before, args)), ok: false };
  }
}

/** Calls that are repeated to check the instance: these after each case, all calls now and then. */
const canaries = ['attention', 'rotate', 'sinusoidal', 'alibiSlopes'];
const results = ({ rw, kept }, which) => [
  ...which.map((name) => rw[name](...calls[name]())),
  ...kept(),
  keptLogits(),
];

const isHarm = (fault) => fault.startsWith('later calls');

export class Fuzzer {
  #makers;
  #instances;
  #small;
  #all;
  #names;
  ok = 0;
  refused = 0;

  /** Each starts an instance: one with all its memory, and one with little of it left. */
  constructor(make, makeCrowded) {
    this.#makers = [make, makeCrowded];
  }

  async start() {
    const made = await Promise.all(this.#makers.map((make) => make()));
    this.#instances = made.map((rw) => ({ rw, kept: keptTensors(rw) }));
    const [first] = this.#instances;
    this.#names ??= Object.fromEntries(names.map((name) => [name, namesOf(first.rw, name)]));
    this.#small = results(first, canaries);
    this.#all = results(first, Object.keys(calls));
  }

  /** What is wrong after this call, or undefined. */
  fault(one, every = false) {
    const instance = this.#instances[Number(one.isCrowded)];
    const { fault, ok } = callFault(instance.rw, one, this.#names);
    if (ok) this.ok++;
    else this.refused++;
    return fault ?? this.#harm(instance, every);
  }

  #harm(instance, every) {
    try {
      const which = every ? Object.keys(calls) : canaries;
      if (isDeepStrictEqual(results(instance, which), every ? this.#all : this.#small))
        return undefined;
      return 'later calls give other results';
    } catch (error) {
      return `later calls fail: ${error.constructor.name}: ${error.message}`;
    }
  }

  /** Returns the same case with as few changes as still go wrong. */
  async smallest(one, begin) {
    let best = one;
    for (let i = 0; i < best.changes.length;) {
      begin();
      const smaller = { ...best, changes: best.changes.filter((_, at) => at !== i) };
      await this.start();
      if (this.fault(smaller, true)) best = smaller;
      else i++;
    }
    await this.start();
    return best;
  }

  async caseAt(seed, index, beat) {
    const one = drawnCase(seed, index);
    const fault = this.fault(one, index % 1000 === 999);
    if (!fault) return undefined;
    if (isHarm(fault)) await this.start();
    return {
      key: withoutNumbers(`${one.name}: ${fault}`),
      fault: `${one.name}: ${fault}`,
      text: async () => sourceOf(await this.smallest(one, beat)),
    };
  }
}
