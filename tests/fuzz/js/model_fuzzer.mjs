/**
 * Small models of every family with drawn settings, weights and calls: laws that hold of each, errors
 * with a name for those that are broken, and memory that comes back.
 */
import { inside } from '../../package/installed.mjs';
import { memoryIn, withExports } from '../../package/heap.mjs';
import { errorFault } from './combinations/rules.mjs';
import { drawnCall, realized, requireCoverage } from './models/drawn_calls.mjs';
import { drawnConfig } from './models/drawn_config.mjs';
import { drawnTensors, filesOf, tensorsOf } from './models/drawn_files.mjs';
import { laws } from './models/model_laws.mjs';
import { drawsOf } from './random.mjs';
import { source, withoutNumbers } from './source.mjs';

const [
  { startTrainingCore },
  { inlineForTraining },
  { createModelIn },
  { modelFromConfig },
  { recordOfDecoder },
  { parameterLines },
  { functions },
] = await Promise.all(
  [
    'training/training',
    'runtime/train_inline',
    'model/create_model',
    'model/hugging_face',
    'model/description',
    'model/load_parameters',
    'ropewalk',
  ].map(inside),
);

const odd = [null, -1, 0, 0.5, 2 ** 31, 1e300, 'x', [], {}, true, [1, 2], 7, NaN];
const oddWeights = [NaN, Infinity, -Infinity, 3e38, -1e30, 1e12];

/** Case `index` of a seed, without its weights: their shapes are those of the core. */
export function drawnModel(seed, index) {
  const draws = drawsOf(seed, index);
  const { type, config, options } = drawnConfig(draws);
  const call = drawnCall(draws, options, ['bloom', 'mpt'].includes(type));
  const precision = draws.pick(['stored', 'stored', 'float32', 'int8']);
  const broken = draws.chance(1, 8) ? draws.pick(['config', 'weight', 'reading', 'writing']) : '';
  const shards = 1 + draws.below(3);
  return { type, config, options, call, precision, broken, odd: undefined, shards, draws };
}

export const describedModel = ({ config, call, precision, broken, odd: value }) =>
  [
    `config ${JSON.stringify(config)}, precision ${precision}`,
    `call ${source(call)}`,
    ...(broken ? [`broken: ${broken} ${source(value)}`] : []),
  ].join('\n  ');

/** Sets a drawn member of an object to something odd; returns what was set. */
function breakMember(draws, object) {
  const names = Object.keys(object);
  if (names.length === 0) return undefined;
  const name = draws.pick(names);
  object[name] = draws.pick(odd);
  return { [name]: object[name] };
}

export class ModelFuzzer {
  #settings;
  #core;
  #memory;
  #rw;
  ok = 0;
  refused = 0;

  /** @param {{ simd: any }} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  async start() {
    requireCoverage();
    const { started, exported } = await withExports(() =>
      startTrainingCore(this.#settings, inlineForTraining),
    );
    this.#core = started.core;
    this.#memory = memoryIn(exported);
    this.#rw = functions(started.core);
  }

  async caseAt(seed, index, beat) {
    const drawn = drawnModel(seed, index);
    const checksMemory = drawn.draws.chance(1, 8);
    const found = await this.#faultOf(drawn);
    const fault = found ?? (checksMemory ? await this.#leak(seed, index, beat) : undefined);
    if (!fault) return undefined;
    const key = withoutNumbers(`${drawn.broken || drawn.type}: ${fault}`);
    return { key, fault: `${drawn.type}: ${fault}`, text: () => describedModel(drawn) };
  }

  /** The memory of a case that is repeated grows once, to hold it, and not each time. */
  async #leak(seed, index, beat) {
    const sizes = [];
    for (let i = 0; i < 3; i++) {
      beat();
      await this.#faultOf(drawnModel(seed, index));
      sizes.push(this.#memory.buffer.byteLength);
    }
    const grows = sizes[0] < sizes[1] && sizes[1] < sizes[2];
    return grows ? `memory grows with each repetition: ${sizes}` : undefined;
  }

  /** The list of a model's parameters, and where its file has them. */
  #described({ config }, tensors = {}) {
    const weights = { stored: (name) => tensors[name], names: () => Object.keys(tensors) };
    const { description } = modelFromConfig(this.#rw, config, /** @type {any} */ (weights));
    const { training } = this.#core;
    const kinds = training.positionKinds().trim().split(' ');
    this.#core.sendDoubles([
      this.#core.recordOf('model', recordOfDecoder(description.options, kinds)),
    ]);
    const at = this.#core.address(training.createModel());
    const parameters = parameterLines(training.modelParameters(at));
    training.deleteModel(at);
    return { parameters, description };
  }

  async #load(config, tensors, shards, precision) {
    const weights = filesOf(tensors, shards);
    return createModelIn(this.#core, this.#rw, { config, weights, precision });
  }

  async #faultOf(drawn) {
    const { config, options, call, precision, broken, shards, draws } = drawn;
    let model;
    try {
      const { parameters, description } = this.#described(drawn);
      // Some model types have a width of their own for heads.
      const { headWidth } = description.options;
      const isOwn = headWidth !== undefined && !('head_dim' in config);
      const drawnOptions = { ...options, ...(isOwn && { headWidth }) };
      const [stated, expected] = [description.options, drawnOptions].map((one) =>
        source(Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))),
      );
      if (stated !== expected) return `reads ${stated}, not ${expected}`;
      const tensors = drawnTensors(draws, parameters, description.placeOf);
      const own = structuredClone(config);
      if (broken === 'config') drawn.odd = breakMember(draws, own);
      if (broken === 'weight') {
        const { data } = draws.pick(Object.values(tensors));
        data[draws.below(data.length)] = drawn.odd = draws.pick(oddWeights);
      }
      model = await this.#load(own, tensors, shards, precision);
      const reading = realized(this.#rw, call.reading);
      const writing = realized(this.#rw, call.writing);
      if (broken === 'reading') drawn.odd = breakMember(draws, reading);
      if (broken === 'writing') drawn.odd = breakMember(draws, writing);
      const logits = model.logits(call.tokens, reading);
      if (!logits.data.every(Number.isFinite)) return 'logits are not finite';
      if (broken && broken !== 'writing') {
        this.ok++;
        return undefined;
      }
      const inFloats = (values) => {
        const same = tensorsOf(parameters, description.placeOf, ({ name }, { offset = 0 }) =>
          values[name].data.map((value) => value - offset),
        );
        return this.#load(config, same, 1, 'float32');
      };
      const given = await this.#load(config, tensors, 1, 'float32');
      const valuesGiven = given.parameters();
      given.dispose();
      const loaded = {
        ...{ drawn, model, reading, writing, logits, inFloats, given: valuesGiven },
        parameters: model.parameters(),
      };
      for (const [name, law] of Object.entries(laws)) {
        const fault = await law(loaded);
        if (fault) return `${name}: ${fault}`;
      }
      this.ok++;
      return undefined;
    } catch (error) {
      this.refused++;
      const fault = errorFault(error, [error.parameter ?? 'no parameter']);
      if (fault) return `${broken}: ${fault}\n${error.stack}`;
      return broken ? undefined : `refuses a valid model: ${error.message}`;
    } finally {
      model?.dispose();
    }
  }
}
