/// <reference types="node" />
/** A folder of results, which a command continues where it stopped. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, read, writeWhole } from './node_files.js';
import { UsageError } from './rules.js';

export class ResultFolder {
  constructor(readonly path: string) {
    makeFolder(path);
  }

  /**
   * Writes down what the results are of.
   * @throws UsageError for a folder with those of another
   */
  claim(what: string, description: unknown): void {
    const own = join(this.path, `${what}.json`);
    const text = `${JSON.stringify(description, null, 2)}\n`;
    if (existsSync(own) && new TextDecoder().decode(read(own)) !== text)
      throw new UsageError(`--out must be new or of this ${what}, got ${this.path} with another`);
    writeWhole(own, text);
  }
}
