/** A tree of files as the rules see it: who uses whom, what a file says apart from its comments. */
import path from 'node:path';

const isScript = (name) => /\.(ts|mjs|js)$/.test(name);
const isCpp = (name) => /\.(cpp|hpp)$/.test(name);

/** Where a quoted include is looked up, as CMakeLists.txt says. */
const includeRoots = ['src/core/', 'src/', 'tests/core/', 'tests/'];

/** Comments and strings away: what is left acts. */
function codeOf(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, "''");
}

/** Every include or import: its name, and whether it is a type only, which costs nothing at run time. */
function usesIn(name, text) {
  if (isCpp(name)) {
    return [...text.matchAll(/^\s*#include\s*(?:"([^"]+)"|<([^>]+)>)/gm)].map(
      ([, quoted, angled]) => ({
        name: quoted ?? angled,
        quoted: quoted !== undefined,
        isType: false,
      }),
    );
  }
  const statements =
    /(?:^|[;\n])\s*(?:import|export)\s+(type\s)?([^'"`;()]*?)\bfrom\s*['"]([^'"]+)['"]/g;
  const named = [...text.matchAll(statements)].map(([, type, bindings, from]) => ({
    name: from,
    isType: Boolean(type) || /^\s*\{(\s*type\s[^,}]+,?)+\s*\}\s*$/.test(bindings),
  }));
  const bare = [...text.matchAll(/(?:^|[;\n])\s*import\s*['"]([^'"]+)['"]/g)].map(([, from]) => ({
    name: from,
    isType: false,
  }));
  const dynamic = [...text.matchAll(/(typeof\s+)?import\(\s*['"]([^'"]+)['"]\s*\)/g)].map(
    ([, type, from]) => ({ name: from, isType: Boolean(type) }),
  );
  const globs = [...text.matchAll(/import\.meta\.glob\b[^(]*\(\s*'([^']+)'/g)].map(([, glob]) => ({
    name: glob,
    isGlob: true,
    isType: false,
  }));
  return [...named, ...bare, ...dynamic, ...globs];
}

/** The paths that a pattern of import.meta.glob takes; `*` stands for a part of one name. */
const matching = (pattern) =>
  new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*')}$`);

/** tree: path => text. Texts of files that are not text are ''. */
export function sourceOf(tree) {
  const all = Object.entries(tree).map(([name, text]) => ({ path: name, text }));
  const has = (name) => Object.hasOwn(tree, name);
  const resolved = (from, name) =>
    path.posix.normalize(path.posix.join(path.posix.dirname(from), name));

  /** The files of the tree that a use means; for one that is not there, that it is missing. */
  function meant(from, use) {
    if (use.isGlob) {
      const pattern = matching(resolved(from, use.name));
      return Object.keys(tree)
        .filter((name) => isScript(name) && pattern.test(name))
        .map((target) => ({ ...use, target }));
    }
    if (use.quoted) {
      const target = includeRoots.map((root) => root + use.name).find(has);
      return { ...use, target, missing: !target };
    }
    if (!use.name.startsWith('.')) return use;
    const wanted = resolved(from, use.name.replace(/\?.*$/, ''));
    const target = [wanted, wanted.replace(/\.js$/, '.ts')].find(has);
    const isGenerated = /^(dist|build)\/|\/((train_)?(glue|binaries)|version|fields)\.js$/.test(
      wanted,
    );
    return {
      ...use,
      target: target && isScript(target) ? target : undefined,
      missing: !target && !isGenerated,
    };
  }

  const sources = all
    .filter(({ path: name }) => isCpp(name) || isScript(name))
    .map((file) => ({
      ...file,
      code: codeOf(file.text),
      uses: usesIn(file.path, file.text).flatMap((use) => meant(file.path, use)),
    }));

  /** Every file that is loaded, at run time, when this one is. */
  function reachedFrom(start) {
    const reached = new Set();
    const waiting = [start];
    for (let name = waiting.pop(); name; name = waiting.pop()) {
      if (reached.has(name)) continue;
      reached.add(name);
      const uses = sources.find((file) => file.path === name)?.uses ?? [];
      waiting.push(
        ...uses.filter(({ target, isType }) => target && !isType).map(({ target }) => target),
      );
    }
    return reached;
  }

  /** Each circle of uses among the sources that `isIn` takes, once, from its first file in the order of paths. */
  function cycles(isIn) {
    const targets = new Map(
      sources
        .filter(isIn)
        .map((file) => [file.path, file.uses.map(({ target }) => target).filter(Boolean)]),
    );
    const found = [];
    const done = new Set();
    const visit = (name, trail) => {
      const start = trail.indexOf(name);
      if (start >= 0) return void found.push(trail.slice(start));
      if (done.has(name) || !targets.has(name)) return;
      for (const target of targets.get(name)) visit(target, [...trail, name]);
      done.add(name);
    };
    for (const name of [...targets.keys()].sort()) visit(name, []);
    return found;
  }

  /** Files that say what no file `where` may; the rules themselves have to name it. */
  const saying = (pattern, where = /^(?!tests\/structure\/)/) =>
    all
      .filter(({ path: name }) => where.test(name))
      .flatMap(({ path: name, text }) => {
        const found = pattern.exec(text);
        return found
          ? [[name, `line ${text.slice(0, found.index).split('\n').length} says ${found[0]}`]]
          : [];
      });

  return { all, paths: Object.keys(tree), sources, reachedFrom, resolved, saying, cycles };
}
