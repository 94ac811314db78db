/**
 * Two scripts of the bundler are small, and each would be a request of every figure: Rolldown's
 * runtime, of 150 bytes, and Vite's helper of imports. The chunks that need the first get it as
 * text, and so does the chunk of the figures with the second.
 */
import type { Plugin, Rolldown } from 'vite';

type Chunk = Rolldown.OutputChunk;

const runtimeName = 'rolldown-runtime';

const baseName = ({ fileName }: Chunk) => fileName.replace('assets/', '');

/** The code of a chunk with another one in place of its import; nothing if it has none. */
function withText(chunk: Chunk, other: Chunk): string | undefined {
  const [ending, local, exported] =
    /\bexport\s*\{\s*(\w+)(?: as (\w+))?\s*\};?\s*$/.exec(other.code) ?? [];
  if (!ending) throw new Error(`${other.fileName} does not export one function`);
  const body = other.code.slice(0, -ending.length);
  const pattern = new RegExp(
    `import\\{${exported ?? local}(?: as (\\w+))?\\}from"\\./${baseName(other)}";`,
  );
  const [line, name = exported ?? local] = pattern.exec(chunk.code) ?? [];
  return line && chunk.code.replace(line, () => `var ${name}=(()=>{${body};return ${local}})();`);
}

export const inlineRuntime: Plugin = {
  name: 'ropewalk-inline-runtime',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (page) => page.replaceAll(/ *<(link|script) [^>]*\/rolldown-runtime-.*\n/g, ''),
  },
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
      const named = (name: string) => {
        const found = chunks.filter((chunk) => chunk.fileName.startsWith(`assets/${name}-`));
        if (found.length !== 1) throw new Error(`the site has ${found.length} chunks ${name}`);
        return found[0]!;
      };
      const [runtime, load, figure] = [named(runtimeName), named('load'), named('figure')];
      figure.code = withText(figure, load) ?? figure.code;
      for (const chunk of chunks) {
        // In lists of what a chunk imports, the other is named a second time instead.
        chunk.code = (withText(chunk, runtime) ?? chunk.code).replaceAll(
          `/${baseName(runtime)}"`,
          `/${baseName(load)}"`,
        );
        if (chunk !== runtime && chunk.code.includes(runtimeName))
          throw new Error(`${chunk.fileName} imports Rolldown's runtime in another way`);
      }
      delete bundle[runtime.fileName];
    },
  },
};
