/** Tells the weights of a model from the arrays of a run, by the names in a header. */
import { roleOf } from '../diagnose/dump.js';
import type { ByteSource } from '../formats/byte_source.js';
import { readSafetensorsHeader } from '../formats/safetensors_header.js';

const parameter = /\.(weight|bias|qweight|qzeros|scales|g_idx|weight_scale(_inv)?)$/;

/** Parameters that a dump may have too, to be compared with those of a reference. */
const ofDump = /(^|\.)(w[qk]|([qk]|query|key)(_b)?(_proj)?|relative_attention_bias)\.weight$/;

/** What a checkpoint of old versions holds beside its parameters. */
const buffers = ['inv_freq', 'attention_mask', 'bias'];

/**
 * Tells a checkpoint of .safetensors from a dump. Only its header is read.
 * @returns whether it has weights, nothing that only a run computes, and more than the weights of
 *   q and k, which a dump may have
 * @throws RangeError for an invalid file, naming the file, the rule and the value
 * @see transformers, PreTrainedModel.save_pretrained, and its rotary embeddings for inv_freq
 */
export async function isCheckpoint(source: ByteSource): Promise<boolean> {
  const names = [...(await readSafetensorsHeader(source)).keys()];
  const weights = names.filter((name) => name.endsWith('.weight'));
  const roles = names.filter((name) => !parameter.test(name)).map(roleOf);
  const isMore = !weights.every((name) => ofDump.test(name)) || roles.includes('inv_freq');
  return (
    weights.length > 0 &&
    isMore &&
    roles.every((role) => role === undefined || buffers.includes(role))
  );
}
