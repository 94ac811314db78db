/** What is wrong with the positions of a model: dumped arrays against its configuration. */
import { isMap, type FileTensor } from '../formats/file_tensor.js';

import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { Functions } from '../ropewalk.js';
import { biasEvidence } from './bias_evidence.js';
import { curveOf, type Curve } from './curve.js';
import { byLayer, recognized, type Dump, type LayerDump, type Precision } from './dump.js';
import type { Context, Place } from './evidence.js';
import type { Candidate, World } from './fault.js';
import { faultOf } from './faults.js';
import type { LayerTraits } from '../config/layers.js';
import type { RuntimeName } from '../config/runtimes.js';
import { configOf, divisionsOf, plansOf, type Config } from './layers.js';
import { modelOf, type Model } from './model.js';
import { outputEvidence } from './output_evidence.js';
import { modelIn } from './runtime.js';
import { rotaryEvidence } from './rotary_evidence.js';
import { attentionEvidence } from './score_evidence.js';
import { changed, searched, type Findings, type Result } from './search.js';
import { lengthOf } from './shapes.js';
import { dataText, divisionText, expectedText, furtherArray, saysOf } from './text.js';

/** Arrays by their names, as readSafetensors returns them, or as an object. */
export type NamedArrays = ReadonlyMap<string, FileTensor> | Readonly<Record<string, FileTensor>>;

export interface DiagnoseOptions {
  /**
   * The dump: any of inv_freq, cos and sin, q and k before (q, query_states, q_pe) and after
   * (q_rot, q_embed, q_pe_rot) rotation, position_ids, attention_mask, scores, attn_weights, bias,
   * slopes, relative_attention_bias.weight, attn_output; prefixes such as model.layers.5.self_attn
   * name layers, and draft_ a draft head.
   */
  arrays: NamedArrays;
  /** The text of a Hugging Face config.json, or the object it holds. Default: plain RoPE. */
  config?: string | object;
  /** The same arrays of a correct program: q, k, or the weights that produce them. */
  reference?: NamedArrays;
  /**
   * The program that computed the arrays: llama.cpp rotates the pairs of its architecture. Default:
   * 'llama.cpp' where arrays have its names (Qcur, Kcur), else not known.
   */
  runtime?: RuntimeName;
  /** Whether to return a curve: the data beside both predictions, to be drawn. Default: false. */
  curve?: boolean;
}

const diagnoseSchema = {
  arrays: option.given('arrays'),
  config: option.given('config'),
  reference: option.given('reference'),
  runtime: option.oneOf('hf', 'vllm', 'llama.cpp', 'mlx', 'onnx').optional(),
  curve: option.truth.default(false),
} satisfies Schema<DiagnoseOptions>;

/** One explanation of the data. */
export interface Hypothesis {
  /** Ids of the faults that act together; empty: no fault. */
  faults: string[];
  /** The largest |observed − predicted| under it. */
  error: number;
  /** The same under the best hypothesis that does not fit. */
  runnerUp: number;
  /** The error divided by its expected rounding: up to 1 the hypothesis fits. */
  ratio: number;
  /** Values of the faults, such as another base, where they have some. */
  parameters: Record<string, unknown>;
  /** The first value that differs from the prediction of the configuration. */
  where?: Place;
  /** What the data show, as a sentence. */
  says: string;
  /** What to change, in the terms of Hugging Face, vLLM, llama.cpp, MLX and ONNX. */
  fix: string;
}

export interface Diagnosis {
  /**
   * 'faults': the first hypothesis explains the data. 'correct': the data agree with the config.
   * 'undecided': several hypotheses explain them equally well. 'unknown': none does.
   */
  verdict: 'faults' | 'correct' | 'undecided' | 'unknown';
  /** Those of the first hypothesis; empty for 'correct' and 'unknown'. */
  faults: string[];
  /** Best first: those that fit; for 'unknown' the nearest, which do not. */
  hypotheses: Hypothesis[];
  /** What each array is. */
  data: string[];
  /** What the configuration says, and what is assumed where it does not. */
  expected: string[];
  /** If the data do not decide between hypotheses: an array that would. */
  further?: string;
  /** Names that were not recognized. */
  ignored: string[];
  /** Where `curve` is true: the data along one axis, where they part from the configuration. */
  curve?: Curve;
}

function entriesOf(name: string, value: NamedArrays): [string, FileTensor][] {
  if (typeof value !== 'object' || value === null)
    throw wrongKind(name, 'must be arrays by name', value);
  return isMap(value) ? [...value] : Object.entries(value);
}

/** Without a configuration: plain rotary positions, or what the arrays are for. */
function assumedConfig(dump: LayerDump): Config {
  const table = dump.get('t5_table');
  if (table) return { model_type: 't5', num_heads: table.shape[1], d_kv: 64, d_model: 512 };
  const slopes = dump.get('slopes') ?? dump.get('bias');
  if (slopes) {
    const heads = slopes.shape.find((extent) => extent > 1) ?? 1;
    return { model_type: 'bloom', n_head: heads, hidden_size: 64 * heads };
  }
  const width = dump.get('inv_freq')?.shape.at(-1);
  const vector = dump.get('q') ?? dump.get('q_rot') ?? dump.get('k') ?? dump.get('cos');
  const headDim = width ? 2 * width : (vector?.shape.at(-1) ?? 128);
  return { model_type: 'llama', head_dim: headDim, rope_theta: 10000 };
}

function precisionIn(config: Config): Precision {
  const dtype = String(config['torch_dtype'] ?? config['dtype'] ?? '');
  return dtype.endsWith('bfloat16') ? 'bf16' : dtype.endsWith('float16') ? 'f16' : 'f32';
}

/** A dump with the model of each of its layers, under one reading of a layer without a number. */
function worldOf(
  context: Context,
  config: Config,
  dumps: LayerDump[],
  reference: LayerDump[],
  runtime: RuntimeName | undefined,
  planOf: (dump: LayerDump) => LayerTraits,
  isDivided: boolean | undefined,
): World {
  const { rw } = context;
  const length = dumps[0] && lengthOf(dumps[0]);
  const evidence = dumps.map((dump) => {
    const meant = modelOf(rw, config, planOf(dump), dump.stack, lengthOf(dump), isDivided);
    const own = modelIn(runtime, meant, config);
    const nominal: Model = dump.isDraft ? { ...own, isDraft: true } : own;
    const other = reference.find(({ layer }) => layer === dump.layer) ?? reference[0];
    const rotary = rotaryEvidence(context, dump, nominal);
    const attention = attentionEvidence(context, dump, nominal);
    const rest = [
      ...biasEvidence(context, dump, other, nominal),
      ...attention,
      ...outputEvidence(context, dump, nominal),
    ];
    return { rotary, rest, attention };
  });
  const rotary = evidence.flatMap((each) => each.rotary);
  const rest = evidence.flatMap((each) => each.rest);
  const showsScale = evidence.some(({ attention }) => attention.length > 0);
  return {
    rw,
    config,
    dumps,
    evidence: [...rotary, ...rest],
    rotary,
    length,
    isDivided: showsScale ? isDivided : undefined,
  };
}

function worldsOf(
  context: Context,
  config: Config,
  dump: Dump,
  reference: Dump,
  runtime: RuntimeName | undefined,
): World[] {
  const dumps = byLayer(dump);
  const others = byLayer(reference);
  const open = plansOf(config, dumps.find(({ layer }) => layer === undefined) ? undefined : 0);
  return open.flatMap((plan) => {
    const planOf = ({ layer }: LayerDump) =>
      layer === undefined ? plan : plansOf(config, layer)[0]!;
    return divisionsOf(config).map((isDivided) =>
      worldOf(context, config, dumps, others, runtime, planOf, isDivided),
    );
  });
}

/** Returns where the data first differ from the configuration by more than rounding. */
function placeOf(findings: Findings): Place | undefined {
  const plain = findings.others.find(({ candidates }) => candidates.length === 0);
  if (!plain || plain.error === Infinity) return undefined;
  const { evidence, comparison } = plain.worst;
  return evidence.placeOf(comparison.at);
}

function parametersOf(candidates: readonly Candidate[]): Record<string, unknown> {
  return Object.assign({}, ...candidates.map(({ parameters }) => parameters));
}

const isUnseen = (candidate: Candidate) => candidate.isUnseen === true;

function hypothesisOf(result: Result, findings: Findings): Hypothesis {
  const { candidates, error, ratio } = result;
  const unseen = findings.fitting.find((other) => other.candidates.some(isUnseen));
  const isPlain = candidates.length === 0;
  const where = candidates.length > 0 ? placeOf(findings) : undefined;
  const runner = findings.others.find((other) => other.error < Infinity && other !== result);
  return {
    faults: candidates.map(({ id }) => id),
    error,
    runnerUp: runner?.error ?? Infinity,
    ratio,
    parameters: parametersOf(isPlain && unseen ? unseen.candidates : candidates),
    ...(where && { where }),
    says: isPlain && unseen ? `${saysOf([])} ${saysOf(unseen.candidates)}` : saysOf(candidates),
    fix: candidates.map(({ id }) => faultOf(id).fix).join(' '),
  };
}

/** Hypotheses whose costs differ by less are equally likely. */
const tie = 0.045;

/** The first hypothesis and those that are as likely. */
const likeliest = ({ fitting }: Findings) =>
  fitting.filter(({ cost, isFarther }) => !isFarther && cost - fitting[0]!.cost < tie);

function verdictOf(findings: Findings): Diagnosis['verdict'] {
  const [first] = findings.fitting;
  if (!first) return 'unknown';
  if (first.candidates.length === 0) return 'correct';
  return likeliest(findings).length > 1 ? 'undecided' : 'faults';
}

/** Whether those are one model in several words, which no array tells apart. */
function areOneModel(findings: Findings): boolean {
  const results = likeliest(findings);
  const isFrequency = ({ part }: Candidate) => part === 'base' || part === 'scaling';
  if (results.length < 2 || !results.every(({ candidates }) => candidates.every(isFrequency)))
    return false;
  const models = results.map(({ world, candidates }) =>
    JSON.stringify(world.evidence.map(({ nominal }) => changed(nominal, candidates))),
  );
  return models.every((model) => model === models[0]);
}

/** The largest number of returned hypotheses: many faults do not show in correct data. */
const mostShown = { faults: 8, undecided: 8, unknown: 4, correct: 24 };

/**
 * Compares a dump of a model with the positions of its configuration, and finds the fault, or the
 * two faults together, that explain the difference. A hypothesis fits when it predicts every array
 * up to the rounding of the number format.
 * @param rw an instance, which computes every prediction
 * @returns the verdict and the hypotheses, best first; 'undecided' or 'unknown' when in doubt
 * @throws TypeError, RangeError for a wrong kind of argument, for a configuration that cannot be
 * read, and when no array can be compared with it
 * @see transformers, modeling_rope_utils.py and the models' files, whose conventions are compared
 */
export function diagnose(rw: Functions, settings: DiagnoseOptions): Diagnosis {
  const given = read('diagnose options', settings, diagnoseSchema);
  const dump = recognized(entriesOf('arrays', given.arrays));
  const reference = recognized(given.reference ? entriesOf('reference', given.reference) : []);
  const config = given.config === undefined ? undefined : configOf(given.config);
  const used = config ?? assumedConfig(byLayer(dump)[0]!);
  const runtime = given.runtime ?? dump.runtime;
  const worlds = worldsOf({ rw, precision: precisionIn(used) }, used, dump, reference, runtime);
  if (worlds.every(({ evidence }) => evidence.length === 0)) {
    const names = dump.arrays.map(({ name }) => name).join(', ') || 'none that is known';
    throw wrongValue(
      'arrays',
      'must hold something that positions decide, such as inv_freq, cos and sin, q and q_rot, q, k and scores, bias, or slopes',
      given.arrays,
      names,
    );
  }
  const findings = searched(worlds);
  const verdict = verdictOf(findings);
  const shown = (verdict === 'unknown' ? findings.others : findings.fitting).slice(
    0,
    mostShown[verdict],
  );
  const hypotheses = shown.map((result) => hypothesisOf(result, findings));
  const isOpen = verdict !== 'unknown' && hypotheses.length > 1 && !areOneModel(findings);
  const further = isOpen ? furtherArray(dump, hypotheses) : undefined;
  const curve = given.curve ? curveOf(findings) : undefined;
  return {
    verdict,
    faults: verdict === 'faults' || verdict === 'undecided' ? hypotheses[0]!.faults : [],
    hypotheses,
    data: dataText(dump),
    expected: [
      ...expectedText(rw, worlds, config !== undefined),
      ...divisionText(worlds, findings.fitting[0]?.world),
    ],
    ...(further && { further }),
    ignored: dump.unknown,
    ...(curve && { curve }),
  };
}
