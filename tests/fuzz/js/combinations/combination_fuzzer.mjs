/**
 * Draws calls of attention from the schemas of the package, and compares each result with a reference in
 * double: see problem.mjs and reference.mjs.
 */
import { withoutCache } from './caches.mjs';
import { bitsFault, resultFault } from './comparison.mjs';
import { describedProblem } from './description.mjs';
import { brokenProblem } from './invalid.mjs';
import { formulas } from './formulas.mjs';
import { gradientFault } from './gradients.mjs';
import { drawnProblem, requireCoverage } from './problem.mjs';
import { Invalid, readCall } from './reading.mjs';
import { attend } from './reference.mjs';
import { errorFault, ruleFor } from './rules.mjs';
import { storedErrors } from './stored.mjs';
import { Draws, drawsOf } from '../random.mjs';
import { withoutNumbers } from '../source.mjs';

function callOf(problem) {
  const { q, k, v, kept, settings, cache } = problem;
  if (problem.isGradient && formulas[settings.position?.type]?.isOfText)
    throw new Invalid('numbers of the text have no gradient in attentionBackward');
  if (!cache) return storedErrors(readCall(q, k, v, settings), kept);
  const plain = withoutCache(problem);
  const call = readCall(q, plain.k, plain.v, plain.settings, plain.positions);
  call.isOfCache = cache.isOwn;
  const isRotated = cache.isOwn && settings.position.type === 'rope';
  return storedErrors(
    call,
    { k: cache.dtype, v: cache.dtype },
    isRotated ? 1 + Number(plain.isTwice) : 0,
  );
}

/** What the reference says of a problem: its call and results, or the rule that it breaks. */
function expectationOf(problem) {
  try {
    const call = callOf(problem);
    return { call, made: attend(call) };
  } catch (error) {
    if (error instanceof Invalid) return { rule: error.message };
    throw error;
  }
}

/** Case `index` of a seed: in one of ten draws a valid call with one option made invalid. */
export function drawnCombination(seed, index, schemas) {
  const draws = drawsOf(seed, index);
  const problem = drawnProblem(draws, schemas);
  if (!draws.chance(1, 10)) return problem;
  const { call, rule } = expectationOf(problem);
  return rule || ruleFor(problem, call) ? problem : brokenProblem(draws, problem, schemas);
}

const namesOf = ({ settings }) => [
  ...Object.keys(settings),
  ...Object.keys(settings.position ?? {}),
  ...Object.keys(settings.position?.scaling ?? {}),
  'heads',
  'queries',
  'keys',
  'dim',
  'query',
  'q',
  'k',
  'v',
];

/** How the output and the gradients of attentionBackward differ from the reference. */
function backwardFault(problem, call, made, result) {
  const isLarge = call.keys > 200;
  return (
    resultFault(problem, call, made, { result, into: undefined, progress: [] }) ??
    gradientFault(
      new Draws(problem.seed),
      call,
      problem.settings,
      result,
      Float64Array.from(problem.dOutput.data),
      isLarge ? 1 : 8,
    )
  );
}

export class CombinationFuzzer {
  #start;
  #schemas;
  #instances;
  #previous;
  ok = 0;
  refused = 0;

  /**
   * @param {() => Promise<any>} start returns the instances
   * @param {import('./problem.mjs').Schemas} schemas
   */
  constructor(start, schemas) {
    this.#start = start;
    this.#schemas = schemas;
  }

  /** Calls leave numbers in the memory of an instance: before one case alone come those before it. */
  async start(seed, first) {
    requireCoverage(this.#schemas);
    this.#instances = await this.#start();
    for (let before = Math.max(0, first - 50); before < first; before++) {
      this.#previous = drawnCombination(seed, before, this.#schemas);
      await this.#attempt(this.#previous);
    }
  }

  /** What is wrong with the answer to a problem, or undefined. */
  async fault(problem) {
    if (problem.broken) return this.#brokenFault(problem);
    const { call, made, rule } = expectationOf(problem);
    let answer;
    try {
      answer = await this.#answered(problem);
    } catch (error) {
      this.refused++;
      const fault = errorFault(error, namesOf(problem));
      if (fault) return fault;
      const allowed = rule ?? ruleFor(problem, call);
      return allowed ? undefined : `refuses a valid call: ${error.message}`;
    }
    this.ok++;
    if (rule) return `answers an invalid call: ${rule}`;
    const fault = problem.isGradient
      ? backwardFault(problem, call, made, answer.result)
      : resultFault(problem, call, made, answer);
    return fault ?? (await this.#repeated(problem, answer.result));
  }

  async #brokenFault(problem) {
    try {
      await this.#answered(problem);
    } catch (error) {
      this.refused++;
      return errorFault(error, [problem.broken], /^position (must|has)/);
    }
    return `answers an invalid ${problem.broken}`;
  }

  async #answered(problem) {
    if (!problem.isGradient) return this.#instances.attend(problem);
    return { result: this.#instances.differentiate(problem) };
  }

  /** A call whose answer does not matter. */
  async #attempt(problem) {
    try {
      await this.#answered(problem);
    } catch {
      // It may be one that is refused.
    }
  }

  /** The same call after another one, which must leave nothing behind. */
  async #repeated(problem, first) {
    if (this.#previous) await this.#attempt(this.#previous);
    const { result } = await this.#answered(problem);
    const fault = bitsFault(first, result);
    return fault && `not the same bits again: ${fault}`;
  }

  /** The same problem with as few options as still go wrong alike. */
  async #smallest(problem, fault, beat) {
    const kindOf = (text) => text && withoutNumbers(text).slice(0, 40);
    const goes = async (smaller) => {
      beat();
      try {
        return kindOf(await this.fault(smaller)) === kindOf(fault);
      } catch {
        return false;
      }
    };
    let best = problem;
    const without = (from, name) => {
      const { [name]: _, ...rest } = from;
      return rest;
    };
    for (const name of Object.keys(problem.settings)) {
      const smaller = { ...best, settings: without(best.settings, name) };
      if (await goes(smaller)) best = smaller;
    }
    for (const name of Object.keys(best.settings.position ?? {})) {
      if (name === 'type') continue;
      const position = without(best.settings.position, name);
      const smaller = { ...best, settings: { ...best.settings, position } };
      if (await goes(smaller)) best = smaller;
    }
    for (const name of Object.keys(best.kept)) {
      const smaller = { ...best, kept: without(best.kept, name) };
      if (await goes(smaller)) best = smaller;
    }
    return best;
  }

  async caseAt(seed, index, beat) {
    const problem = drawnCombination(seed, index, this.#schemas);
    const fault = await this.fault(problem);
    this.#previous = problem;
    if (!fault) return undefined;
    const type = problem.settings.position?.type ?? 'none';
    return {
      key: withoutNumbers(`${problem.isGradient ? 'gradients of ' : ''}${type}: ${fault}`),
      fault: `${type}: ${fault}`,
      text: async () =>
        describedProblem(problem.broken ? problem : await this.#smallest(problem, fault, beat)),
    };
  }
}
