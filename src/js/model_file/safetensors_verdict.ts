/** The verdict on a checkpoint of .safetensors files: its inv_freq buffers and widths of heads. */
import { configOf } from '../diagnose/layers.js';
import type { Diagnosis } from '../diagnose/diagnose.js';
import type { ByteSource } from '../formats/byte_source.js';
import {
  readSafetensorsHeader,
  readStoredRows,
  type StoredTensor,
} from '../formats/safetensors_header.js';
import type { Functions } from '../ropewalk.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import { combined, diagnosed } from './array_verdict.js';
import { configLayers } from './config_layers.js';
import type { FileSetting } from './verdict.js';

const mostIndex = 2 ** 25;
const baseName = (path: string) => path.replace(/^.*[\\/]/, '');

/** The shards that an index names. */
async function shardsIn(index: ByteSource): Promise<string[]> {
  const { name, size } = index;
  if (size > mostIndex) throw wrongValue(name, `must have at most ${mostIndex} bytes`, size);
  const text = new TextDecoder().decode(await index.read(0, size));
  let parsed: { weight_map?: unknown };
  try {
    parsed = JSON.parse(text);
  } catch {
    throw wrongValue(name, 'must be JSON', text);
  }
  const map = parsed?.weight_map;
  if (typeof map !== 'object' || map === null || Array.isArray(map))
    throw wrongKind(`${name}: weight_map`, 'must be an object', map);
  const shards = [...new Set(Object.values(map))];
  const wrong = shards.find((shard) => typeof shard !== 'string');
  if (wrong === undefined) return shards as string[];
  throw wrongKind(`${name}: weight_map`, 'must name files', wrong);
}

const layerOf = (name: string) => Number(/\.layers\.(\d+)\./.exec(name)?.[1] ?? -1);

/** Rows that a projection may have: queries may come with a gate of their width. */
function expectedRows(config: Record<string, unknown>, headDims: readonly number[]) {
  const number = (key: string) => (typeof config[key] === 'number' ? config[key] : undefined);
  const heads = number('num_attention_heads');
  const keyHeads = number('num_key_value_heads') ?? heads;
  const latent = number('kv_lora_rank');
  const rotated = number('qk_rope_head_dim');
  const times = (count: number | undefined, ...gates: number[]) =>
    count === undefined ? [] : headDims.flatMap((dim) => gates.map((gate) => gate * count * dim));
  return {
    q_proj: times(heads, 1, 2),
    q_b_proj: times(heads, 1),
    ...(rotated === undefined && { k_proj: times(keyHeads, 1) }),
    kv_a_proj_with_mqa: latent === undefined || rotated === undefined ? [] : [latent + rotated],
  } as Record<string, number[]>;
}

/** Whether each kind of projection has rows for the heads of the configuration. */
function rowSettings(
  tensors: readonly StoredTensor[],
  rows: Record<string, number[]>,
): FileSetting[] {
  return Object.entries(rows).flatMap(([part, wanted]) => {
    const found = tensors.filter(({ name }) => name.endsWith(`.self_attn.${part}.weight`));
    if (found.length === 0 || wanted.length === 0) return [];
    const wrong = found.find(({ shape }) => !wanted.includes(shape[0]!));
    const { name, shape } = wrong ?? found[0]!;
    return [
      {
        name: `rows of ${part}`,
        config:
          wrong || shape[0] === wanted[0]
            ? String(wanted[0])
            : `${wanted[0]}, or ${shape[0]} with a gate`,
        file: String(shape[0]),
        from: name,
        fate: wrong ? ('changed' as const) : ('kept' as const),
      },
    ];
  });
}

const mostBuffers = 512;
const largestBuffer = 2 ** 14;

/**
 * Diagnoses each buffer of frequencies. Those of older checkpoints are without their scaling, which
 * their code applies to positions.
 */
async function buffers(rw: Functions, tensors: readonly StoredTensor[], config: string | object) {
  const found = tensors.filter(({ name }) => /(^|\.)inv_freq$/.test(name)).slice(0, mostBuffers);
  const diagnoses: Diagnosis[] = [];
  const settings: FileSetting[] = [];
  const known = new Set<string>();
  for (const tensor of found) {
    const [pairs = 0] = tensor.shape;
    const place = `${tensor.source.name}: ${tensor.name}`;
    if (tensor.shape.length !== 1 || pairs < 1 || pairs > largestBuffer)
      throw wrongValue(place, `must have one axis of at most ${largestBuffer}`, pairs);
    const data = await readStoredRows(tensor, 0, 1);
    const key = data.join();
    if (known.has(key)) continue;
    known.add(key);
    const format = tensor.format as 'f32';
    const layer = layerOf(tensor.name);
    const name = layer < 0 ? 'inv_freq' : `layers.${layer}.inv_freq`;
    const given = diagnosed(rw, { [name]: { data, shape: [pairs], format } }, config);
    const isUnscaled = given.faults.join() === 'scaling_missing';
    const isFine = given.verdict === 'correct' || isUnscaled;
    diagnoses.push(
      isUnscaled ? { ...given, verdict: 'correct', faults: [], hypotheses: [] } : given,
    );
    settings.push({
      name: 'inv_freq',
      config: 'the frequencies of the config',
      file: isUnscaled
        ? 'these without their scaling, as older checkpoints have them'
        : isFine
          ? 'the frequencies of the config'
          : 'others',
      from: tensor.name,
      fate: isFine ? 'kept' : 'changed',
    });
  }
  return { diagnoses, settings };
}

/** The verdict on the headers of a checkpoint, and on its small buffers. */
export async function safetensorsVerdict(
  rw: Functions,
  files: readonly ByteSource[],
  config: string | object | undefined,
) {
  const index = files.find(({ name }) => name.endsWith('.index.json'));
  const given = files.filter(({ name }) => name.toLowerCase().endsWith('.safetensors'));
  const names = index ? await shardsIn(index) : given.map(({ name }) => name);
  const shards = given.filter(({ name }) =>
    names.some((each) => baseName(each) === baseName(name)),
  );
  const missing = names.filter(
    (each) => !shards.some(({ name }) => baseName(name) === baseName(each)),
  );
  if (shards.length === 0)
    throw wrongValue('files', `must have ${names[0] ?? 'a .safetensors file'}`, names, 'no shard');
  const headers = await Promise.all(shards.map((shard) => readSafetensorsHeader(shard)));
  const tensors = headers.flatMap((header) => [...header.values()]);
  const data = [
    `${shards.length} of ${names.length} safetensors files, ${tensors.length} tensors`,
    'the weights of a model, not arrays of a run',
    ...(missing.length ? [`not given: ${missing.slice(0, 5).join(', ')}`] : []),
  ];
  const plain = { format: 'safetensors' as const, data };
  if (config === undefined) {
    const empty = { faults: [], hypotheses: [], expected: [], corrections: [], ignored: [] };
    const further = 'config.json';
    return { ...plain, ...empty, verdict: 'undecided' as const, settings: [], further };
  }
  const layers = configLayers(rw, config);
  const headDims = [...new Set(layers.map(({ scheme }) => scheme.headDim))];
  const rows = rowSettings(tensors, expectedRows(configOf(config), headDims));
  const found = await buffers(rw, tensors, config);
  const wrong = rows.filter(({ fate }) => fate === 'changed');
  const stated = wrong.map(({ name, config: wanted, file, from }) => ({
    id: 'head_width_wrong',
    parameters: { tensor: from, rows: Number(file) },
    says: `${from} has ${file} rows; the heads of the config need ${wanted}.`,
    fix: `Use the config.json of this checkpoint: ${name} are heads times head_dim.`,
  }));
  const further = 'inv_freq or q and k of the running model: these files hold no frequencies';
  return combined({
    ...plain,
    settings: [...rows, ...found.settings],
    stated: stated.slice(0, 1),
    diagnoses: found.diagnoses,
    ...(found.diagnoses.length === 0 && { further }),
  });
}
