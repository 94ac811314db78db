/**
 * Gradients by central differences of the reference, in double, of some numbers of every argument.
 *
 * The scalar is the sum of the output times a given tensor. With w the weights, s the biased scores and g
 * the gradient of a score, a derivative is the sum of g times that of s, so that floats are off by
 *
 *   e sum |w| (|d_out v| + |d_out out|) most |ds|
 *
 * where e has the relative error of the weights and a rounding for each term of the sums, and `most |ds|`
 * is the largest derivative of a score by any number of the same tensor that was tried. The slope of a
 * softcap, 1 − tanh², is off by 1e-6 of the slope 1, which counts where the cap is nearly reached.
 */
import { formulas } from './formulas.mjs';
import { attend } from './reference.mjs';
import { rounding } from './products.mjs';
import { groupOf } from './reading.mjs';

const wanted = (name) => ['scores', 'biased', 'weights'].includes(name);
const capError = 1e-6;

/** Lists of numbers that gradients are taken of: where they are in a call, by the gradient's name. */
function parameters(call, settings) {
  const lists = { q: call.q, k: call.k, v: call.v };
  if (settings.bias) lists.bias = call.bias.data;
  if (call.sinks) lists.sinks = call.sinks;
  if (call.rowScale) lists.rowScale = call.rowScale;
  return lists;
}

/** The same of the position scheme: lists, tensors, and numbers by a setter. */
function positionParameter(position, name) {
  const { defaults } = formulas[position.type];
  if (defaults && name in defaults) position[name] ??= defaults[name];
  const place = name in position ? position : position.network;
  const value = place?.[name];
  if (typeof value === 'number')
    return { size: 1, get: () => place[name], set: (_, number) => (place[name] = number) };
  const list = value?.data ?? value;
  return list && { size: list.length, get: (i) => list[i], set: (i, number) => (list[i] = number) };
}

const listParameter = (list) => ({
  size: list.length,
  get: (i) => list[i],
  set: (i, number) => (list[i] = number),
});

function lossOf(output, dOutput) {
  let sum = 0;
  for (let i = 0; i < output.length; i++) sum += output[i] * dOutput[i];
  return sum;
}

/** How much each weight may add to the gradient of its score, and the relative error of all. */
function sensitivity(call, { output, weights }, dOutput) {
  const { keys, valueDim, heads, keyHeads } = call;
  const sizes = new Float64Array(weights.values.length);
  let most = 0;
  for (let row = 0; row < sizes.length / keys; row++) {
    const head = Math.floor(row / call.queries);
    const keyRow = (Math.floor(head / heads) * keyHeads + groupOf(call, head % heads)) * keys;
    let ofOutput = 0;
    for (let c = 0; c < valueDim; c++)
      ofOutput += Math.abs(dOutput[row * valueDim + c] * output.values[row * valueDim + c]);
    for (let n = 0; n < keys; n++) {
      const at = row * keys + n;
      const w = weights.values[at];
      if (!(w > 0)) continue;
      let ofValue = 0;
      for (let c = 0; c < valueDim; c++)
        ofValue += Math.abs(dOutput[row * valueDim + c] * call.v[(keyRow + n) * valueDim + c]);
      sizes[at] = w * (ofValue + ofOutput);
      // The tail is no error of a weight that counts.
      if (w > 1e-6) most = Math.max(most, weights.bounds[at] / w);
    }
  }
  const sums = keys + call.queries * (heads / keyHeads) * call.batch + valueDim + 2 * call.dim + 64;
  return { sizes, error: 4 * most + sums * rounding };
}

/** Derivatives of the loss and of the biased scores by one number; undefined where they have a kink. */
function derivative(call, parameter, at, dOutput) {
  const center = parameter.get(at);
  // What hides a key has no gradient.
  if (!Number.isFinite(center)) return { loss: 0, scores: [], before: [], truncation: 0 };
  const step = 2 ** -14 * Math.max(1, Math.abs(center));
  const sample = (moved) => {
    parameter.set(at, center + moved);
    const { output, scores, biased } = attend(call, wanted).results;
    return { loss: lossOf(output.values, dOutput), before: scores.values, scores: biased.values };
  };
  const middle = lossOf(attend(call, wanted).results.output.values, dOutput);
  const [far, near] = [step, step / 2].map((h) => {
    const [above, below] = [sample(h), sample(-h)];
    const slopes = (name) =>
      above[name].map((x, i) =>
        Number.isFinite(above.scores[i]) ? (x - below[name][i]) / (2 * h) : 0,
      );
    const loss = (above.loss - below.loss) / (2 * h);
    // How much steeper it is above than below: half for half of the step, but the same at a kink.
    return {
      loss,
      scores: slopes('scores'),
      before: call.softcap === undefined ? [] : slopes('before'),
      bend: Math.abs(above.loss + below.loss - 2 * middle) / h,
    };
  });
  parameter.set(at, center);
  if (near.bend > 0.7 * far.bend && near.bend > 1e-6) return undefined;
  // The difference of both is three quarters of the error of the larger step.
  const truncation = 2 * Math.abs(far.loss - near.loss) + 1e-9;
  return { ...near, truncation };
}

function sampled(draws, size, count) {
  if (size <= count) return Array.from({ length: size }, (_, i) => i);
  return Array.from({ length: count }, () => draws.below(size));
}

/** Which list of numbers has a gradient of this name. */
const numbersOf = (gradient) => gradient?.data ?? gradient;

/**
 * How returned gradients differ from differences of the reference, or undefined.
 * @param {any} draws which numbers are tried
 * @param {any} call
 * @param {any} settings of the call
 * @param {any} returned
 * @param {Float64Array} dOutput
 * @param {number} count how many numbers are tried, of all lists together: of each at least one
 */
export function gradientFault(draws, call, settings, returned, dOutput, count) {
  const { results } = attend(call, wanted);
  call.isFinite = true;
  const { sizes, error } = sensitivity(call, results, dOutput);
  const lists = Object.entries(parameters(call, settings)).map(([name, list]) => [
    name,
    listParameter(list),
    numbersOf(returned[name]),
  ]);
  for (const [name, list] of Object.entries(returned.position ?? {}))
    lists.push([`position.${name}`, positionParameter(call.position, name), numbersOf(list)]);
  const each = Math.max(1, Math.floor(count / lists.length));
  for (const [name, parameter, actual] of lists) {
    if (!actual) return `the gradient of ${name} is missing`;
    if (!parameter) return `there is a gradient of ${name}, which is no parameter`;
    if (actual.length !== parameter.size)
      return `the gradient of ${name} has ${actual.length} values, expected ${parameter.size}`;
    const fault = listFault(draws, call, name, parameter, actual, { sizes, error, dOutput, each });
    if (fault) return fault;
  }
  return undefined;
}

function listFault(draws, call, name, parameter, actual, { sizes, error, dOutput, each }) {
  const tried = sampled(draws, parameter.size, each).flatMap((at) => {
    const found = derivative(call, parameter, at, dOutput);
    return found ? [{ at, ...found }] : [];
  });
  const largest = (list, most = 0) => list.reduce((a, x) => Math.max(a, Math.abs(x)), most);
  const most = tried.reduce((a, { scores }) => largest(scores, a), 0);
  const mostBefore = tried.reduce((a, { before }) => largest(before, a), 0);
  for (const { at, loss, scores, before, truncation } of tried) {
    let moved = 0;
    // A softcap may hide that a score moves.
    scores.forEach((x, i) => (moved += x === 0 && !before[i] ? 0 : sizes[i]));
    const ofValues = name === 'v' || name === 'sinks' ? sizesOfValues(call, dOutput) : 0;
    const bound =
      error * (moved * most + ofValues) +
      capError * moved * mostBefore +
      truncation +
      rounding * Math.abs(loss);
    if (Math.abs(actual[at] - loss) <= bound) continue;
    return `the gradient of ${name}[${at}] is ${actual[at]}, expected ${loss} ± ${bound.toExponential(1)}`;
  }
  return undefined;
}

/** What a value or a sink may change the loss by: the output is a mean of values. */
function sizesOfValues(call, dOutput) {
  let [ofOutput, ofValue] = [0, 0];
  for (const x of dOutput) ofOutput += Math.abs(x);
  for (const x of call.v) ofValue = Math.max(ofValue, Math.abs(x));
  return ofOutput * Math.max(1, 2 * ofValue);
}
