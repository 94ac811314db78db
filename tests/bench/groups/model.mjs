/**
 * Loaded models, as a user calls them: a Llama of 260,032 parameters beside llama2.c, and one of 135
 * million with random weights beside the machine's limits.
 */
import { peaks, rate } from '../contestants.mjs';
import { alternate, ratio } from '../harness.mjs';
import { onnxLlama } from '../peers/onnx_llama.mjs';
import { wllamaLlama } from '../peers/wllama.mjs';
import { parameters, randomLlama, shape } from '../random_llama.mjs';
import { duration, percent } from '../tables.mjs';
import { readInWasm } from '../wasm.mjs';
import { kinds } from '../world.mjs';

const written = 256;
const read = 512;
const text = (count, vocabulary) =>
  Array.from({ length: count }, (_, i) => (7 * i * i + 3 * i + 5) % vocabulary);

async function drained(iterator) {
  let count = 0;
  for await (const _ of iterator) count++;
  return count;
}

/** Writing and reading a story. */
async function stories(world, create) {
  world.say('a Llama of 260,032 parameters');
  const weights = await world.stories();
  const runs = [];
  const models = [];
  for (const kind of kinds) {
    const model = await create[kind].createModel({ weights });
    models.push(model);
    const tokens = text(read, model.options.vocabulary);
    const reading = (name, count, run) => ({ name: `${name}, ${kind}`, tokens: count, run });
    runs.push(
      reading('generate', written, () => drained(model.generate([1], { maxTokens: written }))),
      reading('logits', read, () => model.logits(tokens)),
      reading('loss', read, () => model.loss(tokens)),
    );
  }
  const figures = await alternate(runs, { rounds: world.quick ? 7 : 21, sampleTime: 50 });
  for (const { name, tokens } of runs) figures[name].tokens = tokens;
  for (const model of models) model.dispose();
  for (const { name, run } of world.llama2c ?? []) {
    world.say(name);
    figures[name] = await run(written);
  }
  return { figures };
}

/**
 * Each with the types of peers that have as many bytes for a weight.
 * @typedef {object} Form
 * @property {string} name
 * @property {'F32' | 'F16'} dtype
 * @property {string} precision
 * @property {true} [hasOnnx]
 * @property {'f32' | 'q8_0'} [wllama]
 */
/** @type {Form[]} */
const forms = [
  { name: 'float32', dtype: 'F32', precision: 'stored', hasOnnx: true, wllama: 'f32' },
  { name: 'float16', dtype: 'F16', precision: 'stored' },
  { name: 'int8', dtype: 'F16', precision: 'int8', wllama: 'q8_0' },
];

/** Operations of reading a text of which the last token is continued. */
function flopsOf(count) {
  const { layers, width, heads, vocabulary } = shape;
  const matrices = parameters - vocabulary * width;
  const attention = 4 * layers * ((count * (count + 1)) / 2) * (width / heads) * heads;
  return 2 * matrices * count + attention + 2 * vocabulary * width;
}

const decoded = 8;
const reading = 'read float32 weights';

/** What stands for a peer that is not there, by its name: why it is not. */
const absentHere = { wllama: 'it runs in browsers only: --browser' };

/** How each peer of a form is started, by its name; those that this place lacks are left out. */
function startersOf({ hasOnnx, wllama: type }, { onnx: ort, wllama }) {
  const work = { written: decoded, read };
  return {
    ...(hasOnnx && ort && { [onnx]: () => onnxLlama(ort, { past: decoded, read }) }),
    ...(type && wllama && { [`wllama ${type}`]: () => wllamaLlama(wllama, type, work) }),
  };
}

/** The peers that can run the model, and why the others cannot. */
async function peersOf(form, world) {
  const peers = [];
  const absent = {};
  for (const [name, start] of Object.entries(startersOf(form, world))) {
    world.say(`a Llama of ${parameters} parameters, ${name}`);
    try {
      const peer = await start();
      await peer.decode.run();
      peers.push({ ...peer, peer: name });
    } catch (error) {
      absent[name] = `${error.message ?? error}`;
      world.say(`${name} cannot run it: ${absent[name]}`);
    }
  }
  return { peers, absent };
}

/** One form at a time, so that their memory is never taken together; the limits with each. */
async function large(world, create) {
  const kind = kinds[0];
  const figures = {};
  const builds = {};
  const absent = world.wllama || !world.onnx ? {} : { ...absentHere };
  const limits = peaks({ [kind]: world.limits[kind] });
  const memory = { name: reading, run: readInWasm(world.limits[kind], 2 ** 25) };
  for (const form of forms) {
    const { name, dtype, precision } = form;
    world.say(`a Llama of ${parameters} parameters, ${name}`);
    const model = await create[kind].createModel({ ...randomLlama(dtype), precision });
    const tokens = text(read, shape.vocabulary);
    const first = (prompt, maxTokens) => drained(model.generate(prompt, { maxTokens }));
    const decoding = { name: `decode, ${name}`, run: () => first([1], decoded) };
    const prefill = { name: `prefill, ${name}`, run: () => first(tokens, 1) };
    const { peers, absent: without } = await peersOf(form, world);
    Object.assign(absent, without);
    const others = peers.flatMap((peer) => [peer.decode, peer.prefill]);
    const own = await alternate([decoding, prefill, ...others, memory, ...limits], {
      rounds: world.quick ? 3 : 7,
      warmUp: 500,
    });
    model.dispose();
    for (const peer of peers) {
      await peer.end();
      own[peer.decode.name].tokens = peer.written ?? 1;
      own[peer.prefill.name].tokens = read;
      if (peer.build) builds[peer.peer] = peer.build;
    }
    Object.assign(own[decoding.name], { tokens: decoded });
    Object.assign(own[prefill.name], { tokens: read, flops: flopsOf(read) });
    for (const limit of limits) own[limit.name].flops = limit.flops;
    figures[name] = own;
  }
  return { kind, figures, builds, absent };
}

export async function measure(world) {
  const { createModels } = await world.load('ropewalk', './model');
  const create = {};
  for (const simd of kinds) create[simd] = await createModels({ simd });
  return { stories: await stories(world, create), large: await large(world, create) };
}

const onnx = 'onnxruntime-web';
const perSecond = ({ tokens, median }) => Math.round((1000 * tokens) / median);
const perToken = ({ tokens, median }) => ({ median: median / tokens });

/** Decoding beside what its weights take to be read. */
function shareOfReading(own, name, bytes) {
  const whole = { median: (own[reading].median * bytes) / 2 ** 27 };
  return ratio(whole, perToken(own[`decode, ${name}`]));
}
const shareOfPeak = (own, kind, name) => rate(own[`prefill, ${name}`]) / rate(own[`peak ${kind}`]);
const bytesOf = { float32: 4, float16: 2, int8: 1 };

/** Names of peers by the form that they are measured beside. */
const peersBeside = { float32: [onnx, 'wllama f32'], int8: ['wllama q8_0'] };

/** Rates of a peer, where it was measured. */
function peerRows(forms) {
  const all = Object.entries(peersBeside).flatMap(([form, names]) =>
    names.map((name) => ({ name, own: forms[form] })),
  );
  return all
    .filter(({ name, own }) => own[`${name}, decode`])
    .map(({ name, own }) => [
      name,
      (1000 / perToken(own[`${name}, decode`]).median).toFixed(1),
      undefined,
      perSecond(own[`${name}, prefill`]),
      undefined,
    ]);
}

/** Which builds of peers ran, and why others did not. */
const peerNotes = ({ builds = {}, absent = {} }) => [
  ...Object.entries(builds).map(([name, build]) => `${name}: ${build}`),
  ...Object.entries(absent).map(([name, why]) => `${name}: absent; ${why}`),
];

export function tables({ stories: { figures }, large }) {
  const { kind, figures: forms } = large;
  return [
    {
      title: `A Llama of 260,032 parameters: ${written} tokens written, ${read} read`,
      columns: ['', 'tokens/s', 'per token'],
      rows: Object.entries(figures).map(([name, figure]) => [
        name,
        perSecond(figure),
        duration(perToken(figure).median),
      ]),
      notes: Object.keys(figures).some((name) => name.startsWith('llama2.c'))
        ? []
        : ['llama2.c: absent; --llama2c FOLDER says where its run.c is'],
    },
    {
      title: `A Llama of ${parameters} parameters, random weights, ${kind}`,
      columns: ['', 'decode tokens/s', 'of the read rate', 'prefill tokens/s', 'of peak'],
      rows: [
        ...Object.entries(forms).map(([name, own]) => [
          name,
          (1000 / perToken(own[`decode, ${name}`]).median).toFixed(1),
          percent(shareOfReading(own, name, bytesOf[name] * parameters)),
          perSecond(own[`prefill, ${name}`]),
          percent(shareOfPeak(own, kind, name)),
        ]),
        ...peerRows(forms),
      ],
      notes: peerNotes(large),
    },
  ];
}

export function headlines({ stories: { figures }, large: { kind, figures: forms } }) {
  const decode = figures[`generate, ${kind}`];
  const over = (name) => figures[name] && ratio(perToken(figures[name]), perToken(decode));
  const decodeOf = (name) => perToken(forms[name][`decode, ${name}`]);
  return [
    {
      name: 'decode, 260 K, over llama2.c, -O3',
      value: over('llama2.c, -O3'),
      goal: 2.5,
      unit: '×',
    },
    {
      name: 'decode, 260 K, over llama2.c, fast mathematics',
      value: over('llama2.c, fast mathematics'),
      goal: 1,
      unit: '×',
    },
    {
      name: `prefill of ${read}, 260 K, over decode`,
      value: ratio(perToken(decode), perToken(figures[`logits, ${kind}`])),
      goal: 3,
      unit: '×',
    },
    {
      name: 'decode, 135 M, float32, share of the read rate',
      value: shareOfReading(forms.float32, 'float32', 4 * parameters),
      goal: 0.6,
      unit: '',
    },
    {
      name: 'decode, 135 M, int8 over float32',
      value: ratio(decodeOf('float32'), decodeOf('int8')),
      goal: 2.5,
      unit: '×',
    },
    ...Object.entries(peersBeside).flatMap(([form, names]) =>
      names.flatMap((name) =>
        ['decode', 'prefill'].map((what) => {
          const { [`${name}, ${what}`]: peer, [`${what}, ${form}`]: own } = forms[form];
          const value = peer && ratio(perToken(peer), perToken(own));
          return { name: `${what}, 135 M, ${form}, over ${name}`, value, goal: 1.5, unit: '×' };
        }),
      ),
    ),
    {
      name: `prefill of ${read}, 135 M, float32, share of the peak`,
      value: shareOfPeak(forms.float32, kind, 'float32'),
      goal: 0.7,
      unit: '',
    },
  ];
}
