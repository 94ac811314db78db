/** Files that are read in parts: a model of many gigabytes is judged by a few of its bytes. */
import { wrongValue } from '../runtime/errors.js';

/** A file from which parts are read. */
export interface ByteSource {
  /** As errors and verdicts call it; its ending says what the file is. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Exactly `length` bytes from `start` on; both lie within the file. */
  read(start: number, length: number): Promise<Uint8Array>;
}

/** The part of Node's FileHandle that is used. */
export interface ReadableHandle {
  /** Reads bytes from a position of the file into the buffer. */
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>;
}

/** What the package's own sources read, which another thread can have. */
const readBy = new WeakMap<ByteSource, Blob | Uint8Array>();

/** @internal */
export const contentOf = (source: object): Blob | Uint8Array | undefined =>
  readBy.get(source as ByteSource);

function requireAll(name: string, start: number, length: number, got: number): void {
  if (got === length) return;
  throw wrongValue(name, `must have ${length} bytes from ${start} on`, got);
}

/**
 * Returns a source of a File or Blob, of which only slices are read.
 * @param name default: that of the File
 * @throws RangeError when the file gives fewer bytes than it has
 * @see W3C File API, Blob.slice
 */
export function blobSource(blob: Blob, name = (blob as Partial<File>).name ?? 'file'): ByteSource {
  const source: ByteSource = {
    name,
    size: blob.size,
    async read(start, length) {
      const bytes = new Uint8Array(await blob.slice(start, start + length).arrayBuffer());
      requireAll(name, start, length, bytes.length);
      return bytes;
    },
  };
  readBy.set(source, blob);
  return source;
}

/** A reader that fills memory of the caller. Absent: the engine has none for blobs. */
function fillingReader(blob: Blob): ReadableStreamBYOBReader | undefined {
  try {
    return blob.stream().getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

/** Memory that reads of files fill, one after another. @internal */
export interface Room {
  buffer?: ArrayBuffer;
}

/**
 * As source.read(), into the room where there is one: the bytes of a file are then valid until its
 * next use. Engines collect arrays late, and hold hundreds of megabytes of those into which they
 * have read a large file.
 * @internal
 */
export async function readInto(
  source: ByteSource,
  start: number,
  length: number,
  room?: Room,
): Promise<Uint8Array> {
  const blob = room && readBy.get(source);
  const reader =
    blob instanceof Blob ? fillingReader(blob.slice(start, start + length)) : undefined;
  if (!room || !reader) return source.read(start, length);
  let { buffer = new ArrayBuffer(length) } = room;
  if (buffer.byteLength < length) buffer = new ArrayBuffer(length);
  let done = 0;
  while (done < length) {
    const { value } = await reader.read(new Uint8Array(buffer, done, length - done));
    if (!value || value.length === 0) break;
    done += value.length;
    ({ buffer } = value);
  }
  requireAll(source.name, start, length, done);
  room.buffer = buffer;
  return new Uint8Array(buffer, 0, length);
}

/** Returns a source of bytes in memory, which reading does not copy. */
export function bytesSource(name: string, bytes: Uint8Array): ByteSource {
  const source: ByteSource = {
    name,
    size: bytes.length,
    read: (start, length) => Promise.resolve(bytes.subarray(start, start + length)),
  };
  readBy.set(source, bytes);
  return source;
}

/**
 * Returns a source of a file that Node has opened: `open` of node:fs/promises gives the handle,
 * and the caller closes it.
 * @param name as errors call the file
 * @param size its size in bytes, from `handle.stat()`
 * @throws RangeError when the file has become shorter
 * @see Node.js, FileHandle.read
 */
export function handleSource(name: string, handle: ReadableHandle, size: number): ByteSource {
  return {
    name,
    size,
    async read(start, length) {
      const bytes = new Uint8Array(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await handle.read(bytes, done, length - done, start + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      requireAll(name, start, length, done);
      return bytes;
    },
  };
}
