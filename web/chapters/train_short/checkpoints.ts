/** Recorded checkpoints: models that are loaded when a figure runs them. */
import type { Model } from '../../worker/training.ts';
import type { Recorded } from './recorded.ts';

const files = import.meta.glob<string>('./checkpoints/*.safetensors', {
  query: '?url',
  import: 'default',
});

/** The recorded model of a variant; undefined where none was recorded. */
export async function checkpointOf(
  { plan }: Recorded,
  variant: string,
): Promise<Model | undefined> {
  const load = files[`./checkpoints/${plan.name}_${variant}.safetensors`];
  if (!load) return undefined;
  const address = new URL(await load(), import.meta.url);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.href}: status ${response.status}`);
  const checkpoint = new Uint8Array(await response.arrayBuffer());
  const options = { ...plan.trainer, ...plan.variants[variant] };
  return { id: `${plan.name}/${variant}`, options, checkpoint };
}
