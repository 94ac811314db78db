/** The verdict on an ONNX model: its caches of cos and sin or its inv_freq, and its attributes. */
import type { Diagnosis } from '../diagnose/diagnose.js';
import type { ByteSource } from '../formats/byte_source.js';
import type { FileTensor } from '../formats/file_tensor.js';
import {
  readOnnx,
  readOnnxValues,
  type OnnxModel,
  type OnnxTensor,
  type RotaryNode,
} from '../formats/onnx.js';
import type { Functions } from '../ropewalk.js';
import { wrongValue } from '../runtime/errors.js';
import { combined, diagnosed, type StatedFault } from './array_verdict.js';
import { configLayers, type ConfigLayers } from './config_layers.js';
import type { FileSetting } from './verdict.js';

/** Rows of a cache that are compared: the first ones, and others up to this row. */
const firstRows = 64;
const lastRow = 4096;
const widestCache = 2 ** 14;

/** What one node rotates by. */
interface Use {
  node: RotaryNode;
  cos?: OnnxTensor;
  sin?: OnnxTensor;
  isInterleaved: boolean;
  /** 0: the whole head. */
  width: number;
}

/** Places of the caches among the inputs, by operator and domain: those that are constants. */
function useOf(node: RotaryNode, { tensors }: OnnxModel): Use | undefined {
  const { operator, inputs, attributes } = node;
  const isAttention = operator === 'GroupQueryAttention';
  if (isAttention && attributes['do_rotary'] !== 1) return undefined;
  const isCache = (name: string) => tensors.get(name)?.shape.length === 2;
  const [cos, sin] = isAttention ? inputs.slice(7, 9) : inputs.slice(1).filter(isCache);
  return {
    node,
    ...(cos !== undefined && { cos: tensors.get(cos) }),
    ...(sin !== undefined && { sin: tensors.get(sin) }),
    isInterleaved: (attributes['interleaved'] ?? attributes['rotary_interleaved']) === 1,
    width: attributes['rotary_embedding_dim'] ?? 0,
  };
}

/** The rows that are compared: positions of LongRoPE's short texts where there are two lists. */
function rowsOf(count: number, { scheme: { scaling } }: ConfigLayers): number[] {
  const original = scaling.type === 'longrope' ? scaling.originalLength : count;
  const last = Math.min(count, original, lastRow) - 1;
  const step = Math.max(1, Math.floor(last / firstRows));
  const others = Array.from({ length: firstRows }, (_, i) => Math.min(last, (i + 1) * step));
  const first = Array.from({ length: Math.min(firstRows, last + 1) }, (_, row) => row);
  return [...new Set([...first, ...others])].sort((a, b) => a - b);
}

/** Some rows of a cache, each read by itself where they are apart. */
async function cacheRows(
  model: OnnxModel,
  files: readonly ByteSource[],
  tensor: OnnxTensor,
  rows: readonly number[],
): Promise<FileTensor> {
  const [, pairs = 0] = tensor.shape;
  const data = new Float32Array(rows.length * pairs);
  for (const [at, row] of rows.entries())
    data.set(await readOnnxValues(model, files, tensor, row * pairs, pairs), at * pairs);
  return { data, shape: [rows.length, pairs], format: tensor.format! };
}

async function cacheArrays(
  model: OnnxModel,
  files: readonly ByteSource[],
  { cos, sin }: Required<Pick<Use, 'cos' | 'sin'>>,
  layers: ConfigLayers,
): Promise<Record<string, FileTensor>> {
  const [rows = 0, pairs = 0] = cos.shape;
  const place = `${model.source.name}: ${cos.name}`;
  if (String(sin.shape) !== String(cos.shape))
    throw wrongValue(place, `must have the shape of ${sin.name}`, cos.shape, cos.shape.join(' × '));
  if (rows < 1 || pairs < 1 || pairs > widestCache)
    throw wrongValue(place, `must have 1 to ${widestCache} pairs`, pairs);
  const chosen = rowsOf(rows, layers);
  return {
    cos: await cacheRows(model, files, cos, chosen),
    sin: await cacheRows(model, files, sin, chosen),
    position_ids: { data: Float32Array.from(chosen), shape: [chosen.length], format: 'f32' },
  };
}

const count = ({ shape }: OnnxTensor) => shape.reduce((product, extent) => product * extent, 1);

/** Frequencies as a constant: by its name, or by as many values as there are pairs, from 1 down. */
async function frequencyArrays(
  model: OnnxModel,
  files: readonly ByteSource[],
  { recipe }: ConfigLayers,
): Promise<{ tensor: OnnxTensor; arrays: Record<string, FileTensor> } | undefined> {
  const pairs = recipe.width / 2;
  const floats = [...model.tensors.values()].filter(
    (tensor) => tensor.format && tensor.shape.length > 0 && count(tensor) <= widestCache,
  );
  const named = floats.filter(({ name }) => /inv_?freq/i.test(name));
  const alike = floats.filter((tensor) => count(tensor) === pairs);
  for (const tensor of [...named, ...alike]) {
    const data = await readOnnxValues(model, files, tensor, 0, count(tensor));
    const falls = data.every((value, i) => value > 0 && (i === 0 || value < data[i - 1]!));
    if (!named.includes(tensor) && !(falls && data[0] === 1)) continue;
    const array = { data, shape: [data.length], format: tensor.format! };
    return { tensor, arrays: { inv_freq: array } };
  }
  return undefined;
}

/** What attributes say against the configuration. */
function statedFaults(uses: readonly Use[], { scheme }: ConfigLayers): StatedFault[] {
  const wanted = scheme.layout === 'interleaved';
  const other = uses.find(({ isInterleaved }) => isInterleaved !== wanted);
  if (!other) return [];
  const { operator, name } = other.node;
  const attribute = operator === 'GroupQueryAttention' ? 'rotary_interleaved' : 'interleaved';
  return [
    {
      id: 'layout_swapped',
      parameters: { layout: other.isInterleaved ? 'interleaved' : 'half-split' },
      says: `${attribute} of ${operator} ${name} is ${Number(other.isInterleaved)}; the model pairs ${wanted ? 'neighbors' : 'halves'}.`,
      fix: `Set ${attribute} to ${Number(wanted)}.`,
    },
  ];
}

function widthFaults(uses: readonly Use[], { scheme, recipe }: ConfigLayers): StatedFault[] {
  const wanted = recipe.width;
  const wrong = uses.find(({ width }) => width !== 0 && width !== wanted);
  if (!wrong) return [];
  const { width, node } = wrong;
  return [
    {
      id: 'rotary_width_wrong',
      parameters: { rotary: width },
      says: `rotary_embedding_dim of ${node.operator} ${node.name} is ${width}; the config rotates ${wanted} channels.`,
      fix: `Set rotary_embedding_dim to ${wanted < scheme.headDim ? wanted : 0}.`,
    },
  ];
}

function attributeSettings(uses: readonly Use[], layers: ConfigLayers): FileSetting[] {
  const [first] = uses;
  if (!first) return [];
  const { scheme, recipe } = layers;
  const from = `${first.node.operator} ${first.node.name}`;
  const layout = (isInterleaved: boolean) => (isInterleaved ? 'interleaved' : 'half-split');
  const wrongLayout = statedFaults(uses, layers).length > 0;
  const wrongWidth = widthFaults(uses, layers).length > 0;
  return [
    {
      name: 'layout',
      config: scheme.layout,
      file: wrongLayout
        ? layout(scheme.layout !== 'interleaved')
        : layout(scheme.layout === 'interleaved'),
      from,
      fate: wrongLayout ? 'changed' : 'kept',
    },
    {
      name: 'rotated channels',
      config: String(recipe.width),
      file: String(uses.find(({ width }) => width !== 0)?.width ?? 'as wide as the caches'),
      from,
      fate: wrongWidth ? 'changed' : 'kept',
    },
  ];
}

/** The verdict on an ONNX model; `files` are the model and its external data. */
export async function onnxVerdict(
  rw: Functions,
  source: ByteSource,
  files: readonly ByteSource[],
  config: string | object | undefined,
) {
  const model = await readOnnx(source);
  const uses = model.nodes.map((node) => useOf(node, model)).filter((use) => use !== undefined);
  const plain = {
    format: 'onnx' as const,
    data: [`${uses.length} rotary nodes, ${model.tensors.size} constants`],
  };
  if (config === undefined) {
    const empty = { faults: [], hypotheses: [], expected: [], corrections: [], ignored: [] };
    const further = 'config.json';
    return { ...plain, ...empty, verdict: 'undecided' as const, settings: [], further };
  }
  const [layers] = configLayers(rw, config) as [ConfigLayers];
  const caches = new Map<string, Required<Pick<Use, 'cos' | 'sin'>>>();
  for (const { cos, sin } of uses) if (cos && sin) caches.set(cos.name, { cos, sin });
  const diagnoses: Diagnosis[] = [];
  const settings: FileSetting[] = [];
  const judge = (arrays: Record<string, FileTensor>, from: string) => {
    const diagnosis = diagnosed(rw, arrays, config);
    diagnoses.push(diagnosis);
    const isSame = diagnosis.verdict === 'correct';
    const words = isSame ? 'those of the config' : 'others';
    const row = { config: 'those of the config', file: words, from } as const;
    settings.push({ name: 'frequencies', ...row, fate: isSame ? 'kept' : 'changed' });
  };
  for (const cache of caches.values())
    judge(await cacheArrays(model, files, cache, layers), cache.cos.name);
  if (caches.size === 0) {
    const found = await frequencyArrays(model, files, layers);
    if (found) judge(found.arrays, found.tensor.name);
  }
  const further = 'inv_freq or cos and sin of the running model: no constant of the graph has them';
  return combined({
    ...plain,
    settings: [...settings, ...attributeSettings(uses, layers)],
    stated: [...statedFaults(uses, layers), ...widthFaults(uses, layers)],
    diagnoses,
    ...(diagnoses.length === 0 && { further }),
  });
}
