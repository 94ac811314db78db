/** The verdict on a GGUF file: the rotation of its header against that of a configuration. */
import type { Hypothesis } from '../diagnose/diagnose.js';
import type { ByteSource } from '../formats/byte_source.js';
import { readGgufHeader } from '../formats/gguf.js';
import type { StoredTensor } from '../formats/safetensors_header.js';
import type { Functions } from '../ropewalk.js';
import { configLayers, type ConfigLayers } from './config_layers.js';
import {
  explanations,
  type ComparedLayers,
  type Comparison,
  type Explanation,
} from './conversion_faults.js';
import { fixes } from './conversion_text.js';
import { baseKey, ggufRecipe, ggufRotation, keyOf, type GgufRotation } from './gguf_rotation.js';
import { settingsOf } from './gguf_settings.js';
import { rowOrders, type RowFinding, type RowOrder } from './row_order.js';
import { rotationOf, type Recipe } from './rotation.js';
import type { Correction, ModelFileVerdict } from './verdict.js';
import { wrongValue } from '../runtime/errors.js';

/** Computes something; the error of numbers that cannot be names the file. */
function computed<Result>(name: string, compute: () => Result): Result {
  try {
    return compute();
  } catch (error) {
    const { message } = error as Error;
    if (message.startsWith(name)) throw error;
    throw wrongValue(name, `must give valid frequencies: ${message}`, message, '');
  }
}

const fileRecipe = (rw: Functions, rotation: GgufRotation, isLocal: boolean) =>
  computed(rotation.file.source.name, () => ggufRecipe(rw, rotation, isLocal));

/** llama.cpp rounds the ends of YaRN's ramp, so no file can be wrong there. */
function asRuntime({ scaling, ...rest }: Recipe): Recipe {
  const isYarn = scaling.type === 'yarn' && scaling.truncate === false;
  return { ...rest, scaling: isYarn ? { ...scaling, truncate: true } : scaling };
}

function comparedLayers(rw: Functions, rotation: GgufRotation, layers: readonly ConfigLayers[]) {
  return layers.map((each): ComparedLayers => {
    const recipe = asRuntime(each.recipe);
    const file = fileRecipe(rw, rotation, each.isLocal);
    return {
      ...each,
      recipe,
      file,
      expected: computed('config', () => rotationOf(rw, recipe)),
      observed: computed(rotation.file.source.name, () => rotationOf(rw, file)),
    };
  });
}

const withoutZeros = (sections: readonly number[] = []) =>
  sections.slice(0, sections.findLastIndex((pairs) => pairs !== 0) + 1);

/** What is wrong beside the frequencies. */
interface OtherFault {
  id: string;
  parameters: Record<string, unknown>;
  says: string;
}

function sectionFault(rotation: GgufRotation, { scheme, file }: ComparedLayers): OtherFault[] {
  const expected = scheme.sections?.pairs;
  if (!expected || scheme.sections?.axisOfPair) return [];
  const { sections } = rotation;
  if (String(withoutZeros(sections)) === String(withoutZeros(expected))) return [];
  const id = 'mrope_sections_wrong';
  const asked = `the config says ${expected.join(', ')}`;
  return sections === undefined
    ? [
        {
          id,
          parameters: { sections: [file.width / 2, 0, 0] },
          says: `The file has no sections; ${asked}. A loader refuses it, or all pairs follow one axis.`,
        },
      ]
    : [
        {
          id,
          parameters: { sections },
          says: `The sections are ${sections.join(', ')}; ${asked}.`,
        },
      ];
}

/** The order that the file should have: converters reorder rows where the two layouts differ. */
function expectedOrder({ architecture }: GgufRotation, { scheme }: ComparedLayers): RowOrder {
  return architecture?.pairs === 'adjacent' && scheme.layout === 'half-split' ? 'once' : 'none';
}

const orderText: Record<RowOrder, string> = {
  none: 'in the order of the checkpoint',
  once: 'reordered into adjacent pairs',
  twice: 'reordered into adjacent pairs twice',
  back: 'reordered from adjacent pairs into halves',
};

function rowFaults(findings: readonly RowFinding[], wanted: RowOrder, pairs: string): OtherFault[] {
  const wrong = findings.filter(({ order }) => order !== undefined && order !== wanted);
  const [first] = wrong;
  if (!first) return [];
  const id =
    wanted === 'once' && first.order === 'none' ? 'weights_not_permuted' : 'weights_permuted_twice';
  const names = wrong.map(({ name }) => name).join(' and ');
  const parameters = Object.fromEntries(wrong.map(({ name, order }) => [name, order]));
  const says = `Rows of ${names} are ${orderText[first.order!]}; this architecture pairs ${pairs}, so they must be ${orderText[wanted]}.`;
  return [{ id, parameters, says }];
}

function hypothesisOf(
  { faults, error }: Explanation,
  others: readonly OtherFault[],
  rotation: GgufRotation,
  comparison: Comparison,
): Hypothesis {
  const all = [...faults, ...others];
  return {
    faults: all.map(({ id }) => id),
    error,
    runnerUp: Infinity,
    ratio: error / comparison.tolerance,
    parameters: Object.assign({}, ...all.map(({ parameters }) => parameters)),
    says: all.map(({ says }) => says).join(' '),
    fix: fixes(
      all.map(({ id }) => id),
      rotation,
      comparison.layers,
    ).join(' '),
  };
}

function expectedText(layers: readonly ComparedLayers[]): string[] {
  return layers.map(({ kind, scheme, recipe: { base, width, scaling } }) => {
    const factor = 'factor' in scaling && scaling.factor ? ` × ${scaling.factor}` : '';
    const type = scaling.type === 'none' ? 'no scaling' : `${scaling.type}${factor}`;
    const name = kind === undefined ? '' : `${kind}: `;
    return `${name}base ${base}, ${type}, ${width} of ${scheme.headDim} channels, ${scheme.layout}`;
  });
}

function dataText({ file, name, architecture }: GgufRotation): string[] {
  const { version, keys, tensors } = file;
  const pairs = { adjacent: 'channels 2i and 2i + 1', halves: 'channels i and i + half' };
  return [
    `GGUF version ${version}, architecture ${name}, ${keys.size} keys, ${tensors.size} tensors`,
    architecture === undefined
      ? 'the architecture is not in the table: its keys are read with the usual defaults'
      : architecture.pairs === 'none'
        ? 'llama.cpp does not rotate this architecture'
        : `llama.cpp pairs ${pairs[architecture.pairs]}`,
  ];
}

/** A file alone is described, by the recipe of its full layers. */
function described(rw: Functions, rotation: GgufRotation) {
  const file = fileRecipe(rw, rotation, false);
  return settingsOf(rotation, [{ file, isLocal: false }]);
}

/** The verdict on the header of a GGUF file. */
export async function ggufVerdict(
  rw: Functions,
  source: ByteSource,
  config: string | object | undefined,
  reference: Iterable<StoredTensor> | undefined,
): Promise<Omit<ModelFileVerdict, 'bytesRead'>> {
  const file = await readGgufHeader(source);
  const rotation = await ggufRotation(file);
  const plain = { format: 'gguf' as const, data: dataText(rotation), ignored: [] };
  if (config === undefined) {
    const empty = { faults: [], hypotheses: [], expected: [], corrections: [] };
    const settings = described(rw, rotation);
    return { ...plain, ...empty, verdict: 'undecided', settings, further: 'config.json' };
  }
  const layers = comparedLayers(rw, rotation, configLayers(rw, config));
  const [first] = layers as [ComparedLayers];
  const comparison: Comparison = {
    rw,
    layers,
    tolerance: rotation.tolerance,
    hasLocal: baseKey(rotation, true) !== baseKey(rotation, false),
    isBaseStated: keyOf(rotation, baseKey(rotation, false)) !== undefined,
    isLocalBaseStated: keyOf(rotation, baseKey(rotation, true)) !== undefined,
    isAttentionStated: keyOf(rotation, 'rope.scaling.attn_factor') !== undefined,
  };
  const found = explanations(comparison);
  const rows = reference && (await rowOrders(file, reference, first.scheme.headDim));
  const { pairs } = rotation.architecture ?? { pairs: 'halves' };
  const wanted = expectedOrder(rotation, first);
  const others = [
    ...sectionFault(rotation, first),
    ...rowFaults(rows?.findings ?? [], wanted, pairs === 'adjacent' ? 'neighbors' : 'halves'),
  ];
  const isStrange = found.length === 0 || rows?.findings.some(({ order }) => order === undefined);
  const hypotheses = found.map((each) => hypothesisOf(each, others, rotation, comparison));
  const faults = isStrange ? [] : hypotheses[0]!.faults;
  const settings = settingsOf(rotation, layers, rows?.findings, wanted);
  const verdict = isStrange ? 'unknown' : faults.length > 0 ? 'faults' : 'correct';
  const isOpen = rows === undefined || rows.findings.length === 0;
  return {
    ...plain,
    data: [...plain.data, ...(rows?.notes ?? [])],
    verdict,
    faults,
    hypotheses: isStrange ? [] : hypotheses,
    expected: expectedText(layers),
    settings,
    corrections: verdict === 'correct' ? [] : correctionsOf(faults, rotation, layers, settings),
    ...(isOpen && { further: 'q_proj and k_proj of the checkpoint, for the order of their rows' }),
  };
}

function correctionsOf(
  faults: readonly string[],
  rotation: GgufRotation,
  layers: readonly ComparedLayers[],
  settings: ModelFileVerdict['settings'],
): Correction[] {
  const wrong = settings.filter(({ fate }) => fate === 'lost' || fate === 'changed');
  return faults.length > 0
    ? fixes(faults, rotation, layers)
    : wrong.map(({ name, config, from }) => ({ text: `${from}: ${name} ${config}` }));
}
