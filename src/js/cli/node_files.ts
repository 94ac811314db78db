/// <reference types="node" />
/** Reads and writes files, with plain messages for system errors. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { pid } from 'node:process';
import { handleSource, type ByteSource } from '../formats/byte_source.js';
import { nearest } from '../runtime/hints.js';

/** Messages for common system errors. */
export function reasonOf(error: unknown): string {
  const code = String((error as NodeJS.ErrnoException).code);
  const words = {
    ENOENT: 'no such place',
    EISDIR: 'a folder',
    ENOTDIR: 'no folder',
    EACCES: 'no permission',
    ENOSPC: 'no space left',
  };
  return words[code as 'ENOENT'] ?? code;
}

/** The end of an error about a path: a file beside it with nearly its name. */
function neighborHint(path: string): string {
  const { dir, name, ext } = parse(path);
  try {
    const files = readdirSync(dir || '.').map((file) => parse(file));
    const alike = files.filter((file) => file.ext === ext).map((file) => file.name);
    const stem = nearest(name, alike);
    const close =
      stem === undefined ? files.find((file) => file.name === name)?.base : `${stem}${ext}`;
    return close === undefined ? '' : ` (did you mean ${join(dir, close)}?)`;
  } catch {
    return '';
  }
}

function unreadable(path: string, error: unknown): Error {
  const hint = (error as NodeJS.ErrnoException).code === 'ENOENT' ? neighborHint(path) : '';
  return new Error(`${path} must be a file that can be read, got ${reasonOf(error)}${hint}`);
}

export function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Opens the file for each part, so that nobody has to close it. */
export async function source(path: string): Promise<ByteSource> {
  try {
    const { size } = statSync(path);
    return {
      name: path,
      size,
      async read(start, length) {
        const handle = await open(path);
        try {
          return await handleSource(path, handle, size).read(start, length);
        } finally {
          await handle.close();
        }
      },
    };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The names in a folder; undefined when the path is no folder. */
export const files = (path: string): string[] | undefined =>
  existsSync(path) && statSync(path).isDirectory() ? readdirSync(path).sort() : undefined;

export const readIfThere = (path: string): Uint8Array | undefined =>
  existsSync(path) ? read(path) : undefined;

export function readJson(path: string): unknown {
  const text = new TextDecoder().decode(read(path));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} must be JSON: ${(error as Error).message}`);
  }
}

/** Replaces a file as a whole: other processes read the old content or the new one. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const partial = `${path}.${pid}.partial`;
  try {
    writeFileSync(partial, content);
    renameSync(partial, path);
  } catch (error) {
    throw new Error(`${path} must be a file that can be written, got ${reasonOf(error)}`);
  }
}

export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new Error(`${path} must be a folder that can be made, got ${reasonOf(error)}`);
  }
}
