/// <reference types="node" />
/** Files of the command line, in words where the system says no. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { pid } from 'node:process';

/** What the system says no with, in words where it is common. */
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

export function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${path} must be a file that can be read, got ${reasonOf(error)}`);
  }
}

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
