/** A folder of a suite's own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';

/** Within a describe: a folder that is there for the suite and removed after it. */
export function temporaryFolder() {
  const folder = {
    path: '',
    /** Returns the path of the file that it writes. */
    async write(name, content) {
      const file = join(folder.path, name);
      await writeFile(file, content);
      return file;
    },
  };
  before(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'ropewalk-'));
  });
  after(() => rm(folder.path, { recursive: true }));
  return folder;
}
