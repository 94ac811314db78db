/** What a conversion kept, lost and changed, setting by setting. */
import type { ComparedLayers } from './conversion_faults.js';
import {
  baseKey,
  defaultBase,
  divisorsName,
  keyOf,
  scalingType,
  type GgufRotation,
} from './gguf_rotation.js';
import type { RowFinding, RowOrder } from './row_order.js';
import { areAlike, type Recipe } from './rotation.js';
import type { FileSetting } from './verdict.js';

/** Layers of the file, beside those of the config where there is one. */
type Layers = Pick<ComparedLayers, 'file' | 'isLocal'> & Partial<ComparedLayers>;

const short = (value: number) => String(Number(value.toPrecision(6)));

const scalingText = ({ scaling, divisors, linear = 1 }: Recipe): string => {
  const factor = 'factor' in scaling && scaling.factor ? ` × ${short(scaling.factor)}` : '';
  const original = 'originalLength' in scaling ? ` from ${scaling.originalLength}` : '';
  const type = scaling.type === 'none' ? '' : `${scaling.type}${factor}${original}`;
  const lists = divisors ? 'divisors per pair' : '';
  const extra = linear === 1 ? '' : `linear × ${short(linear)}`;
  return [type, lists, extra].filter(Boolean).join(', ') || 'none';
};

interface Factors {
  attention: number;
  softmax: number;
}

const factorsOf = ({ attention, softmax }: Factors): Factors => ({ attention, softmax });

const factorsText = ({ attention, softmax }: Factors) =>
  softmax === 1 ? short(attention) : `${short(attention)}, softmax scale × ${short(softmax)}`;

/** Where the scaling of the file is, or the keys that are missing. */
function scalingPlace({ file, name }: GgufRotation, { divisors }: Recipe): string {
  if (divisors)
    return file.tensors.has(divisorsName)
      ? divisorsName
      : 'rope_factors_short.weight, rope_factors_long.weight';
  const keys = ['rope.scaling.type', 'rope.scaling.factor', 'rope.scale_linear'];
  const there = keys.map((key) => `${name}.${key}`).filter((key) => file.keys.has(key));
  return there.join(', ') || `no ${name}.rope.scaling.type, no ${divisorsName}`;
}

/**
 * The fate of a setting.
 * @param isSame undefined where there is no config to compare with
 * @param isThere whether the file has the setting
 */
const fateOf = (isSame: boolean | undefined, isThere: boolean): FileSetting['fate'] =>
  isSame === undefined ? 'only-file' : isSame ? 'kept' : isThere ? 'changed' : 'lost';

function placeOf(rotation: GgufRotation, key: string, absent: string) {
  const isThere = keyOf(rotation, key) !== undefined;
  const full = `${rotation.name}.${key}`;
  return { isThere, from: isThere ? full : `no ${full}: ${absent}` };
}

function layerSettings(rotation: GgufRotation, layers: Layers, hasKinds: boolean): FileSetting[] {
  const { file, recipe, isLocal, expected, observed } = layers;
  const kind = isLocal ? ('sliding_attention' as const) : ('full_attention' as const);
  const shared = hasKinds ? { layers: kind } : {};
  const base = placeOf(rotation, baseKey(rotation, isLocal), `${file.base} by default`);
  const widthKey =
    isLocal && keyOf(rotation, 'rope.dimension_count_swa') !== undefined
      ? 'rope.dimension_count_swa'
      : 'rope.dimension_count';
  const width = placeOf(rotation, widthKey, 'the width of a head');
  const hasScaling = Boolean(file.divisors) || file.scaling.type !== 'none';
  const hasFrequencies =
    expected &&
    observed &&
    areAlike({ ...expected, ...factorsOf(observed) }, observed, rotation.tolerance);
  const hasFactors =
    expected && observed && areAlike({ ...observed, ...factorsOf(expected) }, observed, 1e-4);
  const attention = placeOf(rotation, 'rope.scaling.attn_factor', 'by the scaling type');
  const rows: FileSetting[] = [
    {
      name: 'base',
      ...(recipe && { config: String(recipe.base) }),
      file: String(file.base),
      from: base.from,
      fate: fateOf(recipe && recipe.base === file.base, base.isThere || file.base !== defaultBase),
    },
    {
      name: 'rotated channels',
      ...(recipe && { config: String(recipe.width) }),
      file: String(file.width),
      from: width.from,
      fate: fateOf(recipe && recipe.width === file.width, width.isThere),
    },
    {
      name: 'scaling',
      ...(recipe && { config: scalingText(recipe) }),
      file: scalingText(file),
      from: scalingPlace(rotation, file),
      fate: fateOf(scalingKept(layers, hasFrequencies), hasScaling),
    },
    {
      name: 'attention factor',
      ...(expected && { config: factorsText(expected) }),
      file: factorsText(observed ?? { attention: file.attention ?? 1, softmax: file.softmax ?? 1 }),
      from: attention.from,
      fate: fateOf(hasFactors, attention.isThere),
    },
  ];
  return rows.map((row) => ({ ...row, ...shared }));
}

/** Wrong frequencies may come from another base or width beside the right scaling. */
function scalingKept(
  { recipe, file }: Layers,
  hasFrequencies: boolean | undefined,
): boolean | undefined {
  if (hasFrequencies !== false || !recipe) return hasFrequencies;
  const isElsewhere = recipe.base !== file.base || recipe.width !== file.width;
  return isElsewhere && scalingText(recipe) === scalingText(file);
}

function rowSettings(findings: readonly RowFinding[], wanted: RowOrder): FileSetting[] {
  const names: Record<RowOrder, string> = {
    none: 'as in the checkpoint',
    once: 'adjacent pairs',
    twice: 'adjacent pairs, reordered twice',
    back: 'halves, from adjacent pairs',
  };
  return findings.map(({ name, layer, order }) => ({
    name: `order of rows of ${name}`,
    config: names[wanted],
    file: order ? names[order] : 'none that is known: is the reference its checkpoint?',
    from: `blk.${layer}.${name}.weight`,
    fate: order === wanted ? 'kept' : order === 'none' ? 'lost' : 'changed',
  }));
}

/** All settings of a file; `findings` and `wanted` are about rows of q and k. */
export function settingsOf(
  rotation: GgufRotation,
  layers: readonly Layers[],
  findings: readonly RowFinding[] = [],
  wanted: RowOrder = 'none',
): FileSetting[] {
  const { sections, name } = rotation;
  const expected = layers[0]?.scheme?.sections?.pairs;
  const hasSections = sections !== undefined || expected !== undefined;
  const isSame = expected && expected.join() === sections?.slice(0, expected.length).join();
  const type = scalingType(rotation);
  const sectionRow: FileSetting = {
    name: 'sections',
    ...(expected && { config: expected.join(', ') }),
    file: sections?.join(', ') ?? 'none',
    from: `${sections ? '' : 'no '}${name}.rope.dimension_sections`,
    fate: fateOf(isSame, sections !== undefined),
  };
  return [
    ...layers.flatMap((each) => layerSettings(rotation, each, layers.length > 1)),
    ...(hasSections ? [sectionRow] : []),
    ...(type === 'longrope' && !rotation.divisors.long
      ? [
          {
            name: 'lists of LongRoPE',
            file: 'none',
            from: 'no rope_factors_long.weight, no rope_factors_short.weight',
            fate: 'lost' as const,
          },
        ]
      : []),
    ...rowSettings(findings, wanted),
  ];
}
