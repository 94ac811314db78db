/** Draws the weights of a model, and writes them as the files of a folder. */
import { inside } from '../../../package/installed.mjs';

const { writeSafetensors } = await inside('entries/files');

const count = (shape) => shape.reduce((product, extent) => product * extent, 1);

/** Norms, biases and sinks are lists of numbers in a file, not matrices. */
const isList = (name) => /(^|\.)(g\w|sinks)(\.\d+)?$|\.b$/.test(name);
const isGain = (name) => /(^|\.)g\w(\.\d+)?$/.test(name);

/** Values of a parameter; in some rows of some matrices they are larger. */
function drawnValues(draws, { name, rows, cols }, offset) {
  const size = rows * cols;
  if (isGain(name)) return Float32Array.from(draws.floats(size), (x) => 1 - offset + 0.1 * x);
  if (isList(name)) return Float32Array.from(draws.floats(size), (x) => 0.1 * x);
  const scale = name === 'E' ? 0.5 : 0.8 / Math.sqrt(cols);
  const values = Float32Array.from(draws.floats(size), (x) => scale * x);
  if (draws.chance(1, 8)) {
    const row = draws.below(rows);
    for (let i = row * cols; i < (row + 1) * cols; i++) values[i] *= 10;
  }
  return values;
}

/** Rows become columns. */
function transpose(tensor) {
  const { data, shape } = tensor;
  const [rows, cols] = shape;
  tensor.data = Float32Array.from(data, (_, i) => data[(i % rows) * cols + Math.floor(i / rows)]);
  tensor.shape = [cols, rows];
}

/**
 * The tensors of a model, by the names of its file.
 * @param {{ name: string, rows: number, cols: number }[]} parameters
 * @param {(name: string) => any} placeOf
 * @param {(parameter: any, place: any) => Float32Array} valuesOf in the orientation of the core
 */
export function tensorsOf(parameters, placeOf, valuesOf) {
  const tensors = {};
  const parts = parameters.map((parameter) => {
    const place = placeOf(parameter.name);
    const { rows, cols } = parameter;
    const alongColumns = isList(parameter.name) || place.along === 'columns';
    const runs = place.runs ?? [[0, alongColumns ? cols : rows]];
    return { parameter, place, alongColumns, runs };
  });
  for (const { parameter, place, alongColumns, runs } of parts) {
    const end = Math.max(...runs.map(([first, length]) => first + length));
    const { shape = [0, 0] } = tensors[place.tensor] ?? {};
    const grown = alongColumns
      ? [parameter.rows, Math.max(shape[1], end)]
      : [Math.max(shape[0], end), parameter.cols];
    tensors[place.tensor] = {
      shape: grown,
      isList: isList(parameter.name),
      isOptional: place.absent !== undefined,
    };
  }
  for (const tensor of Object.values(tensors)) tensor.data = new Float32Array(count(tensor.shape));
  for (const { parameter, place, alongColumns, runs } of parts) {
    const { rows, cols } = parameter;
    const { data, shape } = tensors[place.tensor];
    const values = valuesOf(parameter, place);
    let at = 0;
    for (const [first, length] of runs) {
      for (let i = 0; i < length; i++) {
        if (alongColumns)
          for (let row = 0; row < rows; row++)
            data[row * shape[1] + first + i] = values[row * cols + at];
        else data.set(values.subarray(at * cols, (at + 1) * cols), (first + i) * cols);
        at++;
      }
    }
  }
  for (const tensor of Object.values(tensors)) if (tensor.isList) tensor.shape = [tensor.shape[1]];
  for (const { place } of parts) if (place.isTransposed) transpose(tensors[place.tensor]);
  return tensors;
}

/** Draws weights, the format of each tensor, and what the file leaves out. */
export function drawnTensors(draws, parameters, placeOf) {
  const tensors = tensorsOf(parameters, placeOf, (parameter, { offset = 0 }) =>
    drawnValues(draws, parameter, offset),
  );
  const formats = draws.pick([['f32'], ['f16'], ['bf16'], ['f32', 'f16', 'bf16']]);
  const result = {};
  for (const [name, { data, shape, isOptional }] of Object.entries(tensors)) {
    const format = draws.pick(formats);
    if (!isOptional || draws.chance(3, 4)) result[name] = { data, shape, format };
  }
  return result;
}

/** The .safetensors files of some tensors, as many as `shards`. */
export function filesOf(tensors, shards) {
  const entries = Object.entries(tensors);
  const each = Math.ceil(entries.length / shards);
  const parts = Array.from({ length: shards }, (_, i) => entries.slice(i * each, (i + 1) * each));
  return parts
    .filter((part) => part.length > 0)
    .map((part) => writeSafetensors(Object.fromEntries(part)));
}
