/**
 * The rules of the repository: allowed includes, banned words and more. Adding a layer is one line
 * in `layers`; adding any other rule is one entry in `rules`.
 */
import { sourceOf } from './source_text.mjs';

const core = ['base', 'kernels', 'input', 'rotary', 'bias', 'attention', 'content', 'training'];
/** Folders of the package, left of each of its arrows. */
const jsSchemes = ['js runtime', 'js input', 'js rotary', 'js bias', 'js formats'];
const jsTopics = [...jsSchemes, 'js attention', 'js content'];

/** A file belongs to the layer with the longest matching place. It may use its own and `uses`. */
export const layers = [
  { name: 'base', place: 'src/core/base/', uses: [] },
  { name: 'kernels', place: 'src/core/kernels/', uses: ['base'] },
  { name: 'input', place: 'src/core/input/', uses: ['base', 'kernels'] },
  { name: 'rotary', place: 'src/core/rotary/', uses: ['base', 'kernels'] },
  { name: 'bias', place: 'src/core/bias/', uses: ['base', 'kernels'] },
  {
    name: 'attention',
    place: 'src/core/attention/',
    uses: ['base', 'kernels', 'input', 'rotary', 'bias'],
  },
  {
    name: 'content',
    place: 'src/core/content/',
    uses: ['base', 'kernels', 'input', 'rotary', 'bias', 'attention'],
  },
  {
    name: 'training',
    place: 'src/core/training/',
    uses: ['base', 'kernels', 'input', 'rotary', 'bias', 'content', 'attention'],
  },
  { name: 'reference', place: 'src/core/reference/', uses: ['base'] },
  { name: 'bindings', place: 'src/bindings/', uses: [...core] },
  { name: 'core tests', place: 'tests/core/', uses: [...core, 'reference', 'core fuzzer'] },
  { name: 'core fuzzer', place: 'tests/fuzz/core/', uses: [...core, 'reference', 'core tests'] },
  { name: 'js runtime', place: 'src/js/runtime/', uses: [] },
  { name: 'js input', place: 'src/js/input/', uses: ['js runtime'] },
  { name: 'js rotary', place: 'src/js/rotary/', uses: ['js runtime'] },
  { name: 'js bias', place: 'src/js/bias/', uses: ['js runtime'] },
  { name: 'js formats', place: 'src/js/formats/', uses: ['js runtime'] },
  { name: 'js attention', place: 'src/js/attention/', uses: [...jsSchemes] },
  { name: 'js config', place: 'src/js/config/', uses: [...jsSchemes] },
  {
    name: 'js content',
    place: 'src/js/content/',
    uses: [...jsSchemes, 'js attention'],
  },
  { name: 'js model', place: 'src/js/model/', uses: [...jsSchemes, 'js config'] },
  {
    name: 'js encodings',
    place: 'src/js/encodings.ts',
    uses: ['js runtime', 'js input', 'js rotary'],
  },
  {
    name: 'js instance',
    place: 'src/js/ropewalk.ts',
    uses: [...jsTopics, 'js model', 'js encodings'],
  },
  {
    name: 'js in parts',
    place: 'src/js/in_parts.ts',
    uses: ['js runtime', 'js encodings', 'js instance'],
  },
  {
    name: 'js diagnose',
    place: 'src/js/diagnose/',
    uses: [...jsTopics, 'js config', 'js instance'],
  },
  {
    name: 'js model file',
    place: 'src/js/model_file/',
    uses: [...jsTopics, 'js config', 'js instance', 'js diagnose'],
  },
  {
    name: 'js training',
    place: 'src/js/training/',
    uses: [...jsSchemes, 'js attention', 'js model', 'js instance', 'js pool'],
  },
  { name: 'js pool', place: 'src/js/pool/', uses: [...jsTopics, 'js instance'] },
  {
    name: 'js model worker',
    place: 'src/js/model_worker/',
    uses: [...jsTopics, 'js config', 'js instance', 'js model', 'js pool'],
  },
  {
    name: 'js cli',
    place: 'src/js/cli/',
    uses: [
      ...jsTopics,
      'js config',
      'js instance',
      'js diagnose',
      'js model',
      'js model file',
      'js pool',
      'js training',
      'js entries',
    ],
  },
  {
    name: 'js entries',
    place: 'src/js/entries/',
    uses: [
      ...jsTopics,
      'js config',
      'js instance',
      'js diagnose',
      'js model',
      'js model file',
      'js model worker',
      'js pool',
      'js training',
    ],
  },
  { name: 'words', place: 'web/languages.ts', uses: [] },
  { name: 'error text', place: 'web/error_text.ts', uses: ['words', 'worker'] },
  { name: 'model', place: 'web/model.ts', uses: [] },
  { name: 'model text', place: 'web/model_text.ts', uses: ['words', 'error text', 'model'] },
  { name: 'schemes', place: 'web/schemes/', uses: ['words'] },
  { name: 'plots', place: 'web/plots/', uses: [] },
  { name: 'maps', place: 'web/maps/', uses: ['plots'] },
  { name: 'toy', place: 'web/toy/', uses: [] },
  { name: 'components', place: 'web/components/', uses: ['words'] },
  { name: 'search', place: 'web/search/', uses: ['words'] },
  { name: 'state', place: 'web/state.ts', uses: ['words', 'figures'] },
  { name: 'worker', place: 'web/worker/', uses: ['toy', 'chapters'] },
  { name: 'trained', place: 'web/trained/', uses: ['worker'] },
  {
    name: 'figures',
    place: 'web/figures/',
    uses: [
      'words',
      'error text',
      'model',
      'plots',
      'components',
      'state',
      'worker',
      'chapters',
      'ropes',
    ],
  },
  {
    name: 'ropes',
    place: 'web/ropes/',
    uses: ['words', 'error text', 'schemes', 'plots', 'trained', 'components', 'worker', 'figures'],
  },
  {
    name: 'chapters',
    place: 'web/chapters/',
    uses: [
      'words',
      'error text',
      'model',
      'schemes',
      'plots',
      'maps',
      'toy',
      'trained',
      'components',
      'state',
      'worker',
      'figures',
    ],
  },
  {
    name: 'notebook',
    place: 'web/notebook/',
    uses: ['words', 'error text', 'figures', 'worker'],
  },
  {
    name: 'assembly',
    place: 'web/assembly/',
    uses: ['words', 'schemes', 'components', 'search', 'state', 'figures', 'trained', 'ropes'],
  },
  {
    name: 'check',
    place: 'web/check/',
    uses: [
      'words',
      'error text',
      'model text',
      'plots',
      'components',
      'figures',
      'worker',
      'notebook',
    ],
  },
  {
    name: 'page',
    place: 'web/',
    uses: [
      'words',
      'error text',
      'model',
      'model text',
      'state',
      'worker',
      'figures',
      'notebook',
      'check',
      'search',
      'assembly',
    ],
  },
];

/** What comes from outside the layers, and the only places that may name it (none: nobody). */
const outside = [
  {
    name: 'xsimd and lanes',
    what: /^(xsimd\/|\w*mmintrin\.h$|arm_neon\.h$|wasm_simd128\.h$)/,
    places: ['src/core/kernels/'],
  },
  { name: 'emscripten', what: /^emscripten\b/, places: ['src/bindings/'] },
  { name: 'test framework', what: /^catch/, places: ['tests/core/'] },
  {
    name: 'printing, files, clocks, threads and foreign randomness',
    what: /^(iostream|ostream|fstream|print|filesystem|chrono|ctime|time\.h|thread|mutex|random|unistd\.h)$/,
    places: ['src/bindings/', 'tests/core/', 'tests/fuzz/core/'],
  },
  {
    name: 'wasm glue',
    what: /(^|\/)(train_)?(glue|binaries)(\.js)?$|\.wasm$/,
    places: ['src/js/runtime/'],
  },
  { name: 'package by its public name', what: /src\/js\/|dist\/|\/js\//, places: [] },
  {
    name: 'package at run time',
    what: /^ropewalk(\/|$)/,
    // The wrappers belong to the package, and import it as their users do.
    places: ['web/worker/', 'web/notebook/', 'web/check/', 'web/wrappers/'],
    exceptTypes: true,
  },
  {
    name: 'Node',
    what: /^node:/,
    places: [
      'src/js/entries/node_',
      'src/js/cli/main.ts',
      'src/js/cli/node_',
      'web/assembly/',
      'web/vite.config.ts',
    ],
  },
  {
    name: 'page libraries',
    what: /^(lit|d3-|katex|minisearch|vite|axe-core)/,
    places: ['web/'],
    notIn: ['web/worker/'],
  },
];

const jobsFile = /^web\/chapters\/[^/]+\/\w*jobs\.ts$/;
const dom =
  /\bdocument\.|\bHTML\w*Element\b|\bcustomElements\b|\b(local|session)Storage\b|\brequestAnimationFrame\b|\bquerySelector|\bwindow\.(document|location|matchMedia|addEventListener)\b|\bnavigator\./;

/** The folders where even types may not go round in a circle. */
const withoutCycles = ['src/', 'web/'];

/** What a newcomer sees first; anything else has a folder. */
const topLevel = new Set([
  'README.md',
  'README.zh.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'CMakeLists.txt',
  '.ci',
  '.clang-format',
  '.editorconfig',
  '.gitignore',
  '.npmrc',
  'src',
  'tests',
  'tools',
  'web',
]);

/** A file is a topic: longer than this it is several. */
const mostLines = 600;
/** Code that the page shows to its readers: none of the page's own. */
const readersCode = /^web\/chapters\/\w+\/code\//;
const testsOfNode = /^tests\/(browser|package)\//;

const starts = (path, places) => places.some((place) => path.startsWith(place));

export function layerOf(path) {
  const holding = layers.filter(({ place }) => path.startsWith(place));
  return holding.toSorted((a, b) => b.place.length - a.place.length)[0];
}

/** Names and phrases that CONTRIBUTING.md replaces by others ("Words"). */
const retiredNames =
  /\b(Crew|Seat|hire|heed|vacate|dealing|dealt|Dealt|AnglesNearby|still_|[a-zA-Z_]*[iI]nbox(es)?|last_refusal|ScoreSource|row_products|score_terms|attend_in_steps|hyperbolic_tangent|exponential_base_2|logarithm_base_2|logarithm_of_1_plus|to_base|below_base|takes_scores_as_they_are_|take_block|take_rows|take_tile|Mailbox|UnturnedScheme|sineDials|sine_dials?|centre|turningWidth|turningPairs|trainedLength|trained_length)\b/;
const retiredWebNames =
  /\b(pairClock|clockStyle|Hand|noon|knob|qTurned|kTurned|fastestTurn|dialsPerPosition|dialSteps|inTurn|takeAllTurns|refusalIn|Refusal|Refused|untold|asker|trainedLength|\w+Question|questionOf|\w*[aA]nswer(s|ed|er)?|said|asked|told)\b|#(told|tell|hear)\b/;
const retiredPhrases =
  /\b(told about|is told|asked for|asks for|foretold|what is refused is refused|whoever|demands?|of one's own|goes before the names|for ever)\b|\bhelp\b[^.]{0,20}\btells\b/i;

/** Each rule: files => breaches as [path, what is wrong]. `files` knows every path and its text. */
export const rules = {
  'arrows point left only': (files) =>
    files.sources.flatMap(({ path, uses }) => {
      const layer = layerOf(path);
      return uses.flatMap(({ target }) => {
        const other = target && layerOf(target);
        if (!layer || !target || other === layer || layer.uses.includes(other?.name)) return [];
        return [[path, `${layer.name} may not use ${other?.name ?? target}`]];
      });
    }),

  'every source belongs to a layer': (files) =>
    files.sources
      .filter(({ path }) => starts(path, ['src/']) && !layerOf(path))
      .map(({ path }) => [path, 'is in no folder of a layer']),

  'no import cycle, types included': (files) =>
    files
      .cycles(({ path }) => starts(path, withoutCycles))
      .map((cycle) => [cycle[0], `imports itself: ${cycle.join(' > ')}`]),

  // The fixtures of the matrix run elsewhere, beside what they share and the package.
  'what is included exists': (files) =>
    files.sources
      .filter(({ path }) => !starts(path, ['tests/structure/', 'tests/matrix/fixtures/']))
      .flatMap(({ path, uses }) =>
        uses
          .filter(({ missing }) => missing)
          .map(({ name }) => [path, `there is no ${name}, or it is not committed`]),
      ),

  ...Object.fromEntries(
    outside.map(({ name, what, places, notIn = [], exceptTypes }) => [
      `${name}: ${places.length ? `only in ${places.join(', ')}` : 'and no other'}`,
      (files) =>
        files.sources
          .filter(({ path }) => layerOf(path) && !readersCode.test(path))
          .filter(({ path }) => !starts(path, places) || starts(path, notIn))
          .flatMap(({ path, uses }) =>
            uses
              .filter((use) => what.test(use.name) && !(exceptTypes && use.isType))
              .map((use) => [path, `names ${use.name}`]),
          ),
    ]),
  ),

  'the DOM only on the page': (files) => {
    const jobs = files.sources.map(({ path }) => path).filter((path) => jobsFile.test(path));
    const workers = ['web/worker/worker.ts', 'web/check/check_worker.ts', ...jobs];
    const reached = new Set(workers.flatMap((worker) => [...files.reachedFrom(worker)]));
    return files.sources
      .filter(({ path }) => starts(path, ['src/js/', 'web/worker/']) || reached.has(path))
      .filter(({ code }) => dom.test(code))
      .map(({ path, code }) => [
        path,
        `names ${dom.exec(code)[0]}, but runs where there is no page`,
      ]);
  },

  'a figure is laid out for its column, never for the window': (files) =>
    files.sources
      // What assembly/ writes is for pages.
      .filter(({ path }) => starts(path, ['web/']) && !starts(path, ['web/assembly/']))
      .filter(({ text }) => /@media[^{]*\bwidth\b/.test(text))
      .map(({ path }) => [path, 'asks for the width of the window: use @container']),

  'a chapter reads no other chapter, types included': (files) => {
    const chapter = (path) => /^web\/chapters\/([^/]+)\//.exec(path)?.[1];
    return files.sources
      .filter(({ path }) => chapter(path))
      .flatMap(({ path, uses }) =>
        uses
          .filter(({ target }) => target && chapter(target) && chapter(target) !== chapter(path))
          .map(({ target }) => [path, `reads ${target}`]),
      );
  },

  // The worker calls what these files export by its name alone (web/assembly/jobs.ts).
  'a jobs file exports jobs, each under a name of its own': (files) => {
    const exported = files.all
      .filter(({ path }) => jobsFile.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^export (?:async )?function (\w+)\(\s*(\w*)/gm)].map(
          ([, name, first]) => ({ path, name, isJob: first === 'rw' }),
        ),
      );
    const repeated = exported.filter(
      ({ name }, at) => exported.findIndex((other) => other.name === name) < at,
    );
    return [
      ...exported
        .filter(({ isJob }) => !isJob)
        .map(({ path, name }) => [path, `${name} does not take the package's instance, rw`]),
      ...repeated.map(({ path, name }) => [path, `${name} is also a job of another file`]),
    ];
  },

  'the top level holds what everyone looks for there': (files) =>
    files.paths
      .filter((path) => !topLevel.has(path.split('/')[0]))
      .map((path) => [path, 'belongs into a folder']),

  'what is compiled is listed by hand': (files) => {
    const lists = files.all.filter(({ path }) => path.endsWith('CMakeLists.txt'));
    const listed = new Set(
      lists.flatMap(({ path, text }) =>
        [...text.matchAll(/[\w./-]+\.cpp/g)].map(([name]) => files.resolved(path, `./${name}`)),
      ),
    );
    const globbing = lists
      .filter(({ text }) => /file\(\s*GLOB/.test(text))
      .map(({ path }) => [path, 'globs']);
    const unlisted = files.sources.filter(
      ({ path }) => path.endsWith('.cpp') && layerOf(path) && !listed.has(path),
    );
    return [
      ...globbing,
      ...unlisted.map(({ path }) => [path, 'is in no CMakeLists.txt, so it is never compiled']),
    ];
  },

  'the reference does not ship': (files) =>
    files.all
      .filter(({ path, text }) => path === 'CMakeLists.txt' && text.includes('core/reference'))
      .map(({ path }) => [path, 'builds the reference']),

  'files are short': (files) =>
    files.all.flatMap(({ path, text }) => {
      if (!/\.(cpp|hpp|ts|mjs)$/.test(path) || /(style|text)\.ts$/.test(path)) return [];
      const lines = text.split('\n').length - 1;
      return lines > mostLines
        ? [[path, `has ${lines} lines, at most ${mostLines} are allowed`]]
        : [];
    }),

  // The formatter breaks what it can: comments and strings are left to the author.
  'lines are short': (files) =>
    files.all
      .filter(({ path }) => starts(path, ['src/js/', 'web/']) && path.endsWith('.ts'))
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, i) =>
            line.length <= 100 || (/['"`]/.test(line) && !/^\s*(\/?\*|\/\/)/.test(line))
              ? []
              : [[path, `line ${i + 1} has ${line.length} characters, at most 100 are allowed`]],
          ),
      ),

  'nothing built is committed': (files) =>
    files.paths
      .filter((path) => /^(build|dist|node_modules)\/|\.(wasm|o|a|so|tgz|tsbuildinfo)$/.test(path))
      .map((path) => [path, 'is made by a build']),

  // A machine may be busy: a limit of time (AbortSignal.timeout) may end a wait, but no test may need one.
  // setTimeout(done) is no time: it lets the tasks that wait go first.
  'a test waits for what happens, not for a time': (files) =>
    files.saying(
      /\bset(Timeout(?!\(done\))|Interval)\(|\bwaitForTimeout\b|node:timers\/promises|\b(Date|performance)\.now\(/,
      testsOfNode,
    ),
  'a test that is skipped says why': (files) =>
    files.saying(
      /\? test :|: test;|\bskip: true\b|\b(test|describe)\.(skip|todo|only)\(/,
      testsOfNode,
    ),

  // The one table of old names is what gives the errors that name the new ones.
  'names that were replaced stand nowhere': (files) =>
    files.saying(
      retiredNames,
      /^(src|tests\/(core|package|fuzz|vectors\/suites))\/(?!js\/(runtime\/hints|ropewalk)\.ts|(cli|refusals)\.test)/,
    ),
  'names that were replaced on the page stand nowhere': (files) =>
    files.saying(retiredWebNames, /^web\/(?!.*text\.ts$).*\.ts$/),
  'phrases that have to be read twice stand nowhere': (files) =>
    files.saying(retiredPhrases, /^(src\/|tools\/|README\.md|CONTRIBUTING\.md|web\/guides\/)/),
  'British spellings stand nowhere': (files) =>
    files.saying(
      /\b(neighbour|colour(?!-mode)|grey\b|behaviour|flavour|licence|labelled(?!by)|cancelled|(normal|recogn|random)is|optimis[ei])/i,
      /^(src\/js|tools|web)\/.*\.(ts|mjs|md|html|css)$|^[A-Z.zh]+\.md$/,
    ),
  // One term for one concept: 可学习的, 频率, 每头维度, 维度对, 过渡段, 感受野, 随机猜测.
  'Chinese words that have another term on the page stand nowhere': (files) =>
    files.saying(
      /学来的|学出来|转速|每头维数|整数对|斜坡|视野|瞎猜|从前的副本/,
      /^(web\/|README\.zh)/,
    ),

  'a caption says what to see in at most 45 words, and leaves what to try to buttons': (files) =>
    files.all
      .filter(({ path }) => /^web\/chapters\/.*_text\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        Array.from(text.matchAll(/\bcaption:\s*'(.*)'/g), ([, caption]) => caption)
          .filter(
            (caption) =>
              /\b(See|Try): |看什么：|试一试：/.test(caption) || caption.split(' ').length > 45,
          )
          .map((caption) => [path, `has the caption "${caption.slice(0, 40)} …"`]),
      ),

  // Each of these folders has a tsconfig.json, which tests/package/checked.test.mjs runs.
  'every .mjs is type-checked': (files) =>
    files.paths
      .filter((path) => path.endsWith('.mjs') && !starts(path, ['tests/', 'tools/']))
      .map((path) => [path, 'is in no project of the type check']),
  // These two show the errors that a user of the package gets.
  'no type error is silenced': (files) =>
    files.saying(
      /@ts-(ignore|nocheck|expect-error)/,
      /^(?!tests\/(structure\/|package\/types\.test|browser\/wrappers\.sweep))/,
    ),
  'the settings of a figure have the types of its controls': (files) =>
    files.saying(
      /Record<string, (unknown|any)>|\bsettings(\['\w+'\]|\.\w+) as\b/,
      /^web\/chapters\//,
    ),
  'options are named in an interface and its schema, in no list': (files) =>
    files.saying(
      /\b(known|\w*[nN]ames) = \[|\boptions\(\s*['`]/,
      /^src\/js\/(attention|bias|content|input|pool|rotary|runtime)\//,
    ),

  // Drawings of the command line have axes of their own, and diagnose measures arrays.
  'the package computes in C++': (files) =>
    files.saying(
      /\bMath\.(sqrt|cbrt|hypot|exp|expm1|log\w*|sin|cos|tanh?|atan2?|pow)\(/,
      /^src\/js\/(?!cli\/(sweep_)?plot\.ts|diagnose\/)/,
    ),
  // A peer may have any flags.
  'no fast mathematics': (files) =>
    files.saying(
      /-ffast-math|-Ofast|-funsafe-math/,
      /^(?!tests\/(structure\/|bench\/llama2c\.mjs$))/,
    ),
  'no unfinished work': (files) => files.saying(/\b(TODO|FIXME|XXX|HACK)\b/),
  'no registry or mirror': (files) =>
    files.saying(
      /\b(registry\.[\w-]+\.\w|deb\.debian|security\.debian|snapshot\.debian|archive\.ubuntu|npmjs|npmmirror|pypi|unpkg\.|jsdelivr|cdnjs|esm\.sh)/,
    ),
  'no path of one machine': (files) =>
    files.saying(/(?<![\w.])\/(home|root|Users|tmp|work)\/[\w.]/),
};

/** Every breach of every rule, as 'path: what is wrong (rule)'. */
export function breaches(tree) {
  const files = sourceOf(tree);
  return Object.entries(rules).flatMap(([rule, find]) =>
    find(files).map(([path, wrong]) => ({ rule, path, text: `${path}: ${wrong} (${rule})` })),
  );
}
