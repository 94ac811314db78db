/** Models of `npm run experiments`; each checkpoint is loaded when a figure runs it. */
import type { Model } from '../worker/training.ts';
import type { Recorded } from './recordings.ts';

const files = import.meta.glob<string>('./checkpoints/*.safetensors', {
  query: '?url',
  import: 'default',
});

const loaded = new Map<string, Promise<Uint8Array>>();

/** The bytes of a checkpoint, loaded once, and again with the next call where that failed. */
function checkpointBytes(path: string, addressOf: () => Promise<string>): Promise<Uint8Array> {
  const before = loaded.get(path);
  if (before) return before;
  const bytes = addressOf().then(fetchedBytes);
  loaded.set(path, bytes);
  bytes.catch(() => loaded.delete(path));
  return bytes;
}

/** The bytes of a file of this site. */
export async function fetchedBytes(file: string): Promise<Uint8Array<ArrayBuffer>> {
  // Without String, webpack takes the address for that of a module, which it does not have.
  const address = new URL(file, String(import.meta.url));
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.href}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The recorded model of a variant; undefined where none was recorded. */
export async function checkpointOf(
  { plan }: Recorded,
  variant: string,
): Promise<Model | undefined> {
  const path = `./checkpoints/${plan.name}_${variant}.safetensors`;
  const load = files[path];
  if (!load) return undefined;
  const checkpoint = await checkpointBytes(path, load);
  const options = { ...plan.trainer, ...plan.variants[variant] };
  return { id: `${plan.name}/${variant}`, options, checkpoint };
}
