/**
 * The rotary parts of an ONNX model: its nodes that rotate, and the places of constants. Weights
 * are passed over. See onnx.proto.
 */
import { wrongValue } from '../runtime/errors.js';
import { ByteCursor } from './byte_cursor.js';
import type { ByteSource } from './byte_source.js';
import { bytesOf, decoded, type FileFormat } from './file_tensor.js';
import { fieldsOf, textAt, varint, type ProtobufField } from './protobuf.js';

/** A constant of the graph. */
export interface OnnxTensor {
  name: string;
  shape: number[];
  /** Absent for types other than floats. */
  format?: FileFormat;
  /** Place of its values in the model file. Absent: they lie elsewhere, or not in a row. */
  offset?: number;
  length?: number;
  /** The file of its values, beside the model. */
  external?: { location: string; offset: number };
}

/** RotaryEmbedding or GroupQueryAttention. */
export interface RotaryNode {
  operator: string;
  name: string;
  inputs: string[];
  /** Attributes that are whole numbers. */
  attributes: Record<string, number>;
}

export interface OnnxModel {
  source: ByteSource;
  nodes: RotaryNode[];
  tensors: Map<string, OnnxTensor>;
}

/** TensorProto.DataType. */
const formats: Record<number, FileFormat> = { 1: 'f32', 10: 'f16', 11: 'f64', 16: 'bf16' };

const deepestGraph = 8;
/** Larger constants are weights. */
const longestList = 2 ** 32;

async function whole(cursor: ByteCursor, field: ProtobufField, list: number[]): Promise<void> {
  if (!field.isBytes) return void list.push(field.value);
  while (cursor.at < field.end) list.push(await varint(cursor, field.end));
}

/** The key and value of a StringStringEntryProto. */
async function entryOf(cursor: ByteCursor, end: number): Promise<[string, string]> {
  const parts = ['', ''];
  for await (const field of fieldsOf(cursor, end))
    if (field.number === 1 || field.number === 2)
      parts[field.number - 1] = await textAt(cursor, field);
  return parts as [string, string];
}

async function tensorOf(cursor: ByteCursor, end: number): Promise<OnnxTensor> {
  const tensor: OnnxTensor = { name: '', shape: [] };
  const external: Record<string, string> = {};
  for await (const field of fieldsOf(cursor, end)) {
    const { number, value, start } = field;
    if (number === 1) await whole(cursor, field, tensor.shape);
    if (number === 2 && formats[value]) tensor.format = formats[value];
    if (number === 8) tensor.name = await textAt(cursor, field);
    // float_data, if it is packed, and raw_data are the same bytes.
    if ((number === 4 || number === 9) && field.isBytes)
      Object.assign(tensor, { offset: start, length: field.end - start });
    if (number === 13) {
      const [key, text] = await entryOf(cursor, field.end);
      external[key] = text;
    }
  }
  const { location, offset = '0' } = external;
  if (location !== undefined) tensor.external = { location, offset: Number(offset) };
  return tensor;
}

interface Attribute {
  name: string;
  value?: number;
  tensor?: OnnxTensor;
}

async function attributeOf(
  cursor: ByteCursor,
  end: number,
  model: OnnxModel,
  depth: number,
): Promise<Attribute> {
  const attribute: Attribute = { name: '' };
  for await (const field of fieldsOf(cursor, end)) {
    if (field.number === 1) attribute.name = await textAt(cursor, field);
    if (field.number === 3) attribute.value = field.value;
    if (field.number === 5) attribute.tensor = await tensorOf(cursor, field.end);
    if (field.number === 6) await readGraph(cursor, field.end, model, depth + 1);
  }
  return attribute;
}

const rotaryOperators = ['RotaryEmbedding', 'GroupQueryAttention'];

async function readNode(cursor: ByteCursor, end: number, model: OnnxModel, depth: number) {
  const node: RotaryNode = { operator: '', name: '', inputs: [], attributes: {} };
  const outputs: string[] = [];
  const attributes: Attribute[] = [];
  for await (const field of fieldsOf(cursor, end)) {
    if (field.number === 1) node.inputs.push(await textAt(cursor, field));
    if (field.number === 2) outputs.push(await textAt(cursor, field));
    if (field.number === 3) node.name = await textAt(cursor, field);
    if (field.number === 4) node.operator = await textAt(cursor, field);
    if (field.number === 5) attributes.push(await attributeOf(cursor, field.end, model, depth));
  }
  const constant = attributes.find(({ tensor }) => tensor)?.tensor;
  const [output] = outputs;
  if (node.operator === 'Constant' && constant && output !== undefined)
    model.tensors.set(output, { ...constant, name: output });
  if (!rotaryOperators.includes(node.operator)) return;
  for (const { name, value } of attributes) if (value !== undefined) node.attributes[name] = value;
  model.nodes.push(node);
}

async function readGraph(cursor: ByteCursor, end: number, model: OnnxModel, depth = 0) {
  if (depth > deepestGraph)
    throw wrongValue(model.source.name, `must have at most ${deepestGraph} nested graphs`, depth);
  for await (const field of fieldsOf(cursor, end)) {
    if (field.number === 1) await readNode(cursor, field.end, model, depth);
    if (field.number === 5) {
      const tensor = await tensorOf(cursor, field.end);
      model.tensors.set(tensor.name, tensor);
    }
  }
}

/**
 * Reads the rotary nodes and the constants of an ONNX model.
 * @throws RangeError for an invalid file, naming the file, the rule and the value
 * @see ONNX, onnx.proto
 */
export async function readOnnx(source: ByteSource): Promise<OnnxModel> {
  const model: OnnxModel = { source, nodes: [], tensors: new Map() };
  const cursor = new ByteCursor(source);
  let graphs = 0;
  for await (const field of fieldsOf(cursor, source.size)) {
    if (field.number !== 7) continue;
    ++graphs;
    await readGraph(cursor, field.end, model);
  }
  if (graphs === 1) return model;
  throw wrongValue(source.name, 'must be an ONNX model with one graph', graphs);
}

const baseName = (path: string) => path.replace(/^.*[\\/]/, '');

/**
 * Reads values of a constant.
 * @param files the model's files of external data
 * @param start the first value
 * @throws RangeError when its file is not given or has too few bytes
 */
export async function readOnnxValues(
  { source }: OnnxModel,
  files: readonly ByteSource[],
  { name, format, shape, offset, length, external }: OnnxTensor,
  start: number,
  count: number,
): Promise<Float32Array> {
  const place = `${source.name}: ${name}`;
  if (!format) throw wrongValue(place, 'must have floats', 'another type', 'another type');
  const each = bytesOf(format);
  const values = shape.reduce((product, extent) => product * extent, 1);
  if (values > longestList || start + count > values)
    throw wrongValue(place, `must have ${start + count} values`, values);
  const from = external
    ? files.find((file) => baseName(file.name) === baseName(external.location))
    : source;
  if (!from)
    throw wrongValue(place, `must have its values in ${external!.location}`, '', 'no such file');
  const at = external?.offset ?? offset;
  if (at === undefined || (!external && length !== values * each))
    throw wrongValue(place, `must have ${values * each} bytes`, length ?? 0);
  const first = at + start * each;
  if (!(first + count * each <= from.size))
    throw wrongValue(`${from.name}: ${name}`, `must end by ${from.size}`, first + count * each);
  const bytes = await from.read(first, count * each);
  const { data } = decoded(bytes, 0, bytes.length, { format, shape: [count] });
  return data instanceof Float32Array ? data : Float32Array.from(data as never, Number);
}
