/** What the arrays of a dump are, recognized by the names under which people save them. */
import type { FileTensor } from '../formats/file_tensor.js';
import { isFloats } from '../runtime/checks.js';
import { elementCount } from '../runtime/tensor.js';

/** What an array holds. `q` and `k` are before rotation, `q_rot` and `k_rot` after it. */
export type Role =
  | 'inv_freq'
  | 'cos'
  | 'sin'
  | 'cos_sin'
  | 'q'
  | 'k'
  | 'q_rot'
  | 'k_rot'
  | 'q_nope'
  | 'k_nope'
  | 'position_ids'
  | 'attention_mask'
  | 'scores'
  | 'weights'
  | 'bias'
  | 'slopes'
  | 't5_table'
  | 'sinks'
  | 'output'
  | 'output_before'
  | 'q_weight'
  | 'k_weight';

/** Number formats that a model computes in. */
export type Precision = 'f32' | 'f16' | 'bf16';

/** One array of a dump. */
export interface DumpArray {
  name: string;
  role: Role;
  /** From names such as model.layers.5.self_attn.q. */
  layer: number | undefined;
  /** Whether it belongs to the draft head (MTP, EAGLE), not to the main model. */
  isDraft: boolean;
  /** From names of models that have both. */
  stack: 'encoder' | 'decoder' | undefined;
  data: Float32Array;
  shape: number[];
  /** The format of the file; f64 counts as f32. */
  format: Precision;
}

const rotated = '(?:rot|rotated|rope|roped|embed|post|after|after_rope|post_rope)';
const before = '(?:pre|before|raw|in|before_rope|pre_rope)';

/** Patterns of the last part of a name, without its endings. */
const patterns: [Role, RegExp][] = [
  ['inv_freq', /^(rotary_?)?(inv_?freqs?|inverse_?frequenc(y|ies)|freqs?|theta)$/],
  ['cos_sin', /^(cos_sin(_cache|_cached)?|freqs_cis)$/],
  ['cos', /^cos(_cached|_cache|_table|_emb|ine)?$/],
  ['sin', /^sin(_cached|_cache|_table|_emb|e)?$/],
  ['position_ids', /^(position_ids?|positions?|cache_positions?|pos|pos_ids)$/],
  ['attention_mask', /^((attn|attention|padding)_?mask|key_padding_mask)$/],
  ['q_nope', /^(q|query)_(nope|no_pe)$/],
  ['k_nope', /^(k|key)_(nope|no_pe)$/],
  [
    'q_weight',
    /^(q_proj|wq|q_b_proj|query|attn_q)\.weight$|^(q_proj(_weight|_rows)?|q_weight|wq)$/,
  ],
  ['k_weight', /^(k_proj|wk|k_b_proj|key|attn_k)\.weight$|^(k_proj(_weight|_rows)?|k_weight|wk)$/],
  ['q_rot', new RegExp(`^(q|query|query_states|queries|qcur)(_pe)?_${rotated}$`)],
  ['k_rot', new RegExp(`^(k|key|key_states|keys|kcur)(_pe)?_${rotated}$`)],
  ['q', new RegExp(`^(q|query|query_states|queries|qcur)(_pe)?(_${before})?$`)],
  ['k', new RegExp(`^(k|key|key_states|keys|kcur)(_pe)?(_${before})?$`)],
  ['weights', /^((attn|attention)_(weights?|probs?)|probs?|weights?|attentions?|kq_soft_max)$/],
  ['scores', /^((attn|attention)_(scores?|logits?)|scores?|logits?|kq|qk)$/],
  ['output_before', /^(attn|attention)_out(put)?_(before|pre|raw)$/],
  ['output', /^(attn|attention)_out(put)?$/],
  ['t5_table', /^relative_attention_bias(\.weight)?$/],
  ['slopes', /^(alibi_)?slopes?$/],
  ['sinks', /^(attn_)?sinks?$/],
  ['bias', /^((position|attn|attention|alibi|relative)_bias|bias|alibi|pos_bias)$/],
];

const draftPattern = /(^|[._/-])(draft|mtp|eagle)[._]/i;

const layerPattern = /(?:^|[._/-])(?:layers?|h|blocks?|blk)[._-]?(\d+)(?=[._/-])/;

/** What an array of this name holds; undefined where no pattern matches. */
export function roleOf(name: string): Role | undefined {
  const parts = name
    .replace(/\.(npy|safetensors)$/, '')
    .replace(/^.*\//, '')
    .toLowerCase()
    .replace(/-\d+$/, '')
    .replace(draftPattern, '$1')
    .split('.');
  const lasts = [parts.slice(-2).join('.'), parts.at(-1)!, parts.at(-1)!.replace(/^.*\d_/, '')];
  for (const last of lasts) {
    const found = patterns.find(([, pattern]) => pattern.test(last));
    if (found) return found[0];
  }
  return undefined;
}

/** The name says what the array is, or its shape does: an ALiBi bias of one value per head. */
function refined(role: Role, shape: readonly number[]): Role {
  // What a projection returns may have its name.
  if (role.endsWith('_weight') && shape.length > 2) return role === 'q_weight' ? 'q' : 'k';
  if (role === 'bias' && shape.filter((extent) => extent > 1).length === 1) {
    return shape.at(-1) === elementCount(shape) && shape.length === 1 ? 'slopes' : 'bias';
  }
  return role;
}

function floats({ data }: FileTensor): Float32Array {
  if (isFloats(data)) return data;
  return Float32Array.from({ length: data.length }, (_, at) => Number(data[at]));
}

export interface Dump {
  arrays: DumpArray[];
  /** Names that no pattern matches. */
  unknown: string[];
  /** The program that gives arrays such names. */
  runtime?: 'llama.cpp';
}

/** As llama.cpp names queries and keys in its graph: Qcur-0, Kcur-0. */
const llamaCppName = /(^|[._/-])[qk]cur([._-]|$)/i;

/** Recognizes the arrays of a dump by their names. */
export function recognized(tensors: Iterable<readonly [string, FileTensor]>): Dump {
  const arrays: DumpArray[] = [];
  const unknown: string[] = [];
  for (const [name, tensor] of tensors) {
    const role = roleOf(name);
    if (role === undefined) {
      unknown.push(name);
      continue;
    }
    const layer = layerPattern.exec(name)?.[1];
    const { format, shape } = tensor;
    arrays.push({
      name,
      role: refined(role, shape),
      layer: layer === undefined ? undefined : Number(layer),
      isDraft: draftPattern.test(name),
      stack: /(^|\.)(encoder|decoder)\./.exec(name)?.[2] as 'encoder' | undefined,
      data: floats(tensor),
      shape,
      format: format === 'f16' || format === 'bf16' ? format : 'f32',
    });
  }
  const isLlamaCpp = arrays.some(({ name }) => llamaCppName.test(name));
  return { arrays, unknown, ...(isLlamaCpp && { runtime: 'llama.cpp' }) };
}

/** The arrays of one layer, by role; those without a layer belong to every layer. */
export interface LayerDump {
  layer: number | undefined;
  isDraft: boolean;
  stack: 'encoder' | 'decoder' | undefined;
  get(role: Role): DumpArray | undefined;
}

/** Both the main model and its draft head have these rows. */
const isOfRows = ({ role }: DumpArray) => role === 'position_ids' || role === 'attention_mask';

/** A dump by layers. The bias of T5 is that of its first layer and serves all. */
export function byLayer({ arrays }: Dump): LayerDump[] {
  const keyOf = ({ layer, stack, isDraft }: DumpArray) =>
    `${isDraft ? 'draft' : ''}/${stack ?? ''}/${layer ?? ''}`;
  const heads = [false, true].map((isDraft) =>
    arrays.filter((array) => array.isDraft === isDraft && !(isDraft && isOfRows(array))),
  );
  return heads.flatMap((all, i) => {
    const isDraft = i === 1;
    const keys = new Set(all.filter(({ layer }) => layer !== undefined).map(keyOf));
    if (keys.size === 0 && (all[0] || !isDraft)) keys.add(all[0] ? keyOf(all[0]) : '/');
    const rows = isDraft ? arrays.filter((array) => isOfRows(array) && !array.isDraft) : [];
    return [...keys].map((key) => {
      const own = all.filter((array) => keyOf(array) === key);
      const shared = [...all.filter(({ layer }) => layer === undefined), ...rows];
      const get = (role: Role) =>
        own.find((array) => array.role === role) ?? shared.find((array) => array.role === role);
      const stack = own.find((array) => array.stack)?.stack;
      return { layer: own[0]?.layer, isDraft, stack, get };
    });
  });
}
