import { readdir, readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where each line of a text begins. */
function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the offsets that ran: V8's ranges are nested, and the innermost one counts. */
function ranAt(functions, length) {
  const ran = new Uint8Array(length).fill(1);
  const ranges = functions.flatMap((one) => one.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges)
    ran.fill(Number(count > 0), startOffset, endOffset);
  return ran;
}

/** The places of a script that its source map names: [offset, line of the source]. */
function mapped(text, map) {
  const starts = lineStarts(text);
  return starts.flatMap((start, line) => {
    const end = starts[line + 1] ?? text.length;
    const places = [];
    for (let at = start; at < end; at++) {
      const entry = map.findEntry(line, at - start);
      if (entry.generatedLine === line && entry.generatedColumn === at - start) {
        places.push([at, entry.originalLine]);
      }
    }
    return places;
  });
}

/** A line of the source that a script has no place for, such as a type, does not count. */
class ScriptLines {
  static async of(file) {
    const [text, payload] = await Promise.all(
      [file, `${file}.map`].map((name) => readFile(name, 'utf8')),
    );
    return new ScriptLines(text, mapped(text, new SourceMap(JSON.parse(payload))));
  }

  constructor(text, places) {
    this.length = text.length;
    this.places = places;
    this.lines = new Map(places.map(([, line]) => [line, false]));
  }

  /** Adds the coverage of one process or thread. A line ran when any part of it ran. */
  add(functions) {
    const ran = ranAt(functions, this.length);
    for (const [offset, line] of this.places) if (ran[offset]) this.lines.set(line, true);
  }
}

/**
 * Which lines of the sources ran, from what NODE_V8_COVERAGE left in `folder`: Map of the name of a
 * script to Map of line (from 0) to whether it ran. `nameOf` gives a script's path in the package,
 * undefined for others.
 */
export async function linesRun(folder, scripts, nameOf) {
  const found = new Map();
  for (const file of scripts) found.set(nameOf(file), await ScriptLines.of(file));
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      if (url.startsWith('file:')) found.get(nameOf(fileURLToPath(url)))?.add(functions);
    }
  }
  return new Map(Array.from(found, ([name, { lines }]) => [name, lines]));
}
