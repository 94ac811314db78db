/**
 * What the repository shows of a report: a table between two markers, whole in the guide "Speed" and
 * its first row in the README, and the roofline picture.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { Failure } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { bestPeer, families } from './contestants.mjs';
import { median, quickest } from './harness.mjs';
import { duration } from './tables.mjs';

const pictures = { roofline: 'web/public/roofline.svg', growth: 'web/public/growth.svg' };
const needed = [
  'attention',
  'small',
  'decode',
  'linear',
  'scaling',
  'rotate',
  'sinusoid',
  'memory',
  'first',
];
const begin = '<!-- Made by npm run bench -- --readme -->';
const end = '<!-- to here -->';

const words = {
  en: {
    columns: ['one thread', 'Ropewalk', 'simd128', 'LiteRT', 'onnxruntime-web', 'tfjs', 'plain JS'],
    attention: (length) => `attention, N ${length}, 8 heads of 64`,
    causal: (length) => `the same, causal`,
    small: 'attention, N 64, 4 heads of 16',
    decode: 'decoding, 1 query, 4096 keys',
    linear: 'linear layer, 1024 × 1024 × 1024',
    linearRow: 'linear layer, one row, 4096 × 4096',
    rotate: 'rotary, 8 × 4096 × 64',
    sinusoid: 'sinusoid table, 4096 × 512',
    first: 'first result after import',
    memory: 'wasm memory, N 2048, 8 heads of 64',
    measured: ({ cpu, engine }, count) =>
      `${cpu}, ${engine}; medians ${count > 1 ? `of ${count} fresh processes` : 'in one process'}, contestants by ` +
      'turns. simd128: where the engine has no relaxed SIMD.',
  },
  zh: {
    columns: ['单线程', 'Ropewalk', 'simd128', 'LiteRT', 'onnxruntime-web', 'tfjs', '纯 JS'],
    attention: (length) => `注意力，N ${length}，8 头 × 64`,
    causal: () => '同上，因果',
    small: '注意力，N 64，4 头 × 16',
    decode: '解码，1 个查询，4096 个键',
    linear: '线性层，1024 × 1024 × 1024',
    linearRow: '线性层，单行，4096 × 4096',
    rotate: '旋转位置编码，8 × 4096 × 64',
    sinusoid: '正弦表，4096 × 512',
    first: '导入后得到首个结果',
    memory: 'wasm 内存，N 2048，8 头 × 64',
    measured: ({ cpu, engine }, count) =>
      `${cpu}，${engine}；${count > 1 ? `${count} 个全新进程的` : '同一进程内多次测量的'}中位数，各方轮流执行。simd128：引擎没有 relaxed SIMD 时。`,
  },
};

/** The same figure of every process as one median; undefined when it was not measured. */
function overProcesses(processes, select) {
  const values = processes.map(select).filter((value) => value !== undefined);
  return values.length > 0 ? median(values) : undefined;
}

/** Ours of both kinds, the best of each peer, as times. */
const attentionCells = (processes, figuresOf) =>
  [
    (figures) => figures['ropewalk relaxed'],
    (figures) => figures['ropewalk simd128'],
    ...families.map((peer) => (figures) => bestPeer(figures, peer)),
  ].map((select) =>
    duration(overProcesses(processes, (results) => select(figuresOf(results))?.median)),
  );

/** As above for figures whose names are patterns. */
const namedCells = (processes, figuresOf, patterns) =>
  patterns.map((pattern) => {
    const best = (figures) =>
      pattern &&
      quickest(
        figures,
        Object.keys(figures).filter((name) => pattern.test(name)),
      );
    return duration(overProcesses(processes, (results) => best(figuresOf(results))?.median));
  });

function rowsOf(processes, language) {
  const say = words[language];
  const attention =
    (length, causal) =>
    ({ attention: { cases } }) =>
      cases.find((one) => one.length === length && one.causal === causal).figures;
  const memory = (who) =>
    overProcesses(
      processes,
      ({ memory: { cases } }) =>
        cases.find((one) => one.who === who && one.queries === 2048)?.after,
    );
  const mebibytes = (bytes) => bytes && `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  const first = (who) =>
    duration(overProcesses(processes, (results) => results.first.figures[who]?.median));
  return [
    [say.attention(512), ...attentionCells(processes, attention(512, false))],
    [say.causal(512), ...attentionCells(processes, attention(512, true))],
    [say.small, ...attentionCells(processes, (results) => results.small.cases[0].figures)],
    [say.decode, ...attentionCells(processes, (results) => results.decode.figures)],
    ...[say.linear, say.linearRow].map((title, i) => [
      title,
      ...namedCells(processes, (results) => results.linear.cases[i].figures, [
        /^ropewalk relaxed, float32/,
        /^ropewalk simd128, float32/,
        /^LiteRT/,
        /^onnx/,
      ]),
    ]),
    [
      say.rotate,
      ...namedCells(processes, (results) => results.rotate.cases[0].figures, [
        /^ropewalk relaxed, kept table, new/,
        /^ropewalk simd128, kept table, new/,
        undefined,
        /^onnx/,
        /^tfjs/,
        /^plain JS, new/,
      ]),
    ],
    [
      say.sinusoid,
      ...namedCells(processes, (results) => results.sinusoid.cases[0].figures, [
        /^ropewalk relaxed/,
        /^ropewalk simd128/,
        undefined,
        /^onnx/,
        /^tfjs/,
        /^(Math|recurrence|sums)/,
      ]),
    ],
    [say.first, first('ropewalk'), undefined, undefined, first('onnxruntime-web'), first('tfjs')],
    [
      say.memory,
      mebibytes(memory('ropewalk')),
      undefined,
      undefined,
      mebibytes(memory('onnxruntime-web')),
      mebibytes(memory('tfjs')),
    ],
  ];
}

/** The table in Markdown, or the first rows of it, with the machine below it. */
export function table({ machine, processes }, language, rowCount = Infinity) {
  const { columns, measured } = words[language];
  const lines = [
    columns,
    columns.map(() => '---'),
    ...rowsOf(processes, language).slice(0, rowCount),
  ];
  const shown = lines.map((cells) => `| ${columns.map((_, i) => cells[i] ?? '–').join(' | ')} |`);
  return `${shown.join('\n')}\n\n${measured(machine, processes.length)}`;
}

/** The text with everything between the markers replaced. */
export function between(markdown, content) {
  const from = markdown.indexOf(begin);
  const to = markdown.indexOf(end);
  if (from < 0 || to < from)
    throw new Failure(`There is no place for the table: ${begin} … ${end}.`);
  return `${markdown.slice(0, from)}${begin}\n\n${content}\n\n${markdown.slice(to)}`;
}

export async function writeReadme(report) {
  const missing = needed.filter((name) => !report.processes.every((results) => results[name]));
  if (missing.length > 0)
    throw new Failure(`--readme needs the groups ${missing.join(', ')} as well.`);
  // The picture's scales are installed by set-up, so after this file is loaded.
  const { roofline } = await import('./picture.mjs');
  const { growth } = await import('./growth_picture.mjs');
  await writeFile(inRoot(pictures.roofline), roofline(report));
  await writeFile(inRoot(pictures.growth), growth(report));
  for (const [file, language, rowCount] of /** @type {const} */ ([
    ['README.md', 'en', 1],
    ['README.zh.md', 'zh', 1],
    ['web/guides/speed/en.md', 'en'],
    ['web/guides/speed/zh.md', 'zh'],
  ])) {
    const markdown = await readFile(inRoot(file), 'utf8');
    await writeFile(inRoot(file), between(markdown, table(report, language, rowCount)));
  }
}
