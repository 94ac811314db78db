/**
 * The documented rules by which a call may be refused although the formulas give it a result. What the
 * reference itself cannot compute is refused by the rules of reading.mjs and formulas.mjs.
 */
import { formulas, preparedScheme } from './formulas.mjs';
import { needsCausal } from './problem.mjs';

const typeOf = ({ settings }) => settings.position?.type ?? 'none';
const rotates = (problem) => formulas[typeOf(problem)]?.reads.includes('layout');
const readsKeys = (position) =>
  ['path', 'wall'].includes(position?.type) || Boolean(position?.keyDirection);
const isInFewerBits = (dtype) => dtype !== undefined && dtype !== 'float32';

export const mayRefuse = {
  'schemes of the text need causal': (problem) =>
    needsCausal.has(typeOf(problem)) && !problem.settings.causal,
  'stick-breaking has no softmax': ({ settings }) =>
    settings.position?.type === 'stick-breaking' &&
    (settings.fullyMasked === 'nan' || Boolean(settings.intermediates?.includes('logSumExp'))),
  'queries with such a scheme stand at keys': (_, call) =>
    Boolean(preparedScheme(call).standsAtKeys) &&
    call.first.some((first) => first < 0 || first + call.queries > call.keys),
  'keys in fewer bits are stored as they are scored': (problem) =>
    isInFewerBits(problem.cache?.dtype ?? problem.kept.k) &&
    !problem.cache?.isOwn &&
    (rotates(problem) || readsKeys(problem.settings.position)),
  'a remainder is given to values as they are': (problem) =>
    isInFewerBits(problem.cache?.dtype ?? problem.kept.v) &&
    Boolean(problem.settings.position?.addRemainder),
  'a mask of 0 and 1 is no sum': ({ settings: { mask } }) =>
    mask instanceof Float32Array && mask.includes(1) && mask.every((x) => x === 0 || x === 1),
  'a pool returns new arrays': (problem) =>
    problem.instance === 'pool' && Boolean(problem.settings.into),
  'FIRE comes without bias': (problem) =>
    typeOf(problem) === 'fire' &&
    Boolean(problem.settings.bias ?? problem.settings.mask instanceof Float32Array),
};

/** The first rule by which a call may be refused, if there is one. */
export const ruleFor = (problem, call) =>
  Object.keys(mayRefuse).find((name) => mayRefuse[name](problem, call));

/** Words of errors of the engine, which are no rule of anybody. */
const engine =
  /is not iterable|is not a function|cannot read|undefined \(|not defined|is not a constructor|null \(|'in' operator|invalid typed array|invalid array length/i;

/**
 * What is wrong with an error as an answer, or undefined.
 * @param {any} error
 * @param {string[]} names of which one must be in the message
 * @param {RegExp} [otherwise] what names a parameter as well
 */
export function errorFault(error, names, otherwise) {
  if (!(error instanceof TypeError || error instanceof RangeError))
    return `throws ${error?.constructor?.name}: ${error?.message}`;
  if (engine.test(error.message)) return `throws an error of the engine: ${error.message}`;
  if (!names.some((name) => error.message.includes(name)) && !otherwise?.test(error.message))
    return `names no parameter: ${error.message}`;
  return undefined;
}
