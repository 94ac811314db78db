/** What people get wrong with a model, from what its configuration says. */
import type { LayerPosition, PositionScheme } from 'ropewalk/config';

type Rotary = Extract<PositionScheme, { type: 'rotary' }>;

/** A mistake by the name of its text, with the numbers of this model. */
export interface Mistake {
  id: MistakeId;
  values: Record<string, string | number>;
}

export type MistakeId =
  | 'interleaved'
  | 'half-split'
  | 'permuted'
  | 'partial'
  | 'trailing'
  | 'sections'
  | 'bases'
  | 'unrotated'
  | 'not-attention'
  | 'window'
  | 'chunks'
  | 'temperature'
  | 'linear'
  | 'other-scaling'
  | 'dynamic-ntk'
  | 'yarn'
  | 'mscale'
  | 'longrope'
  | 'llama3'
  | 'proportional'
  | 'alibi'
  | 't5'
  | 'learned'
  | 'other'
  | 'none';

const mistake = (id: MistakeId, values: Mistake['values'] = {}): Mistake => ({ id, values });

/** Scalings with a text of their own. */
const scalings = ['linear', 'dynamic-ntk', 'yarn', 'longrope', 'llama3', 'proportional'] as const;

function ofScaling({ scaling, frequencies }: Rotary): Mistake[] {
  if (scaling.type === 'none') return [];
  const id = scalings.find((name) => name === scaling.type) ?? 'other-scaling';
  const values = {
    factor: 'factor' in scaling ? (scaling.factor ?? '') : '',
    original: 'originalLength' in scaling ? (scaling.originalLength ?? '') : '',
    attention: Number(frequencies.attentionFactor.toPrecision(5)),
    softmax: Number(frequencies.softmaxScale.toPrecision(5)),
  };
  return [mistake(id === 'yarn' && values.softmax !== 1 ? 'mscale' : id, values)];
}

function ofLayers(layers: readonly LayerPosition[]): Mistake[] {
  const bases = [...new Set(layers.flatMap(({ base }) => base ?? []))];
  const isAttention = ({ kind }: LayerPosition) => /attention/.test(kind) && !/linear/.test(kind);
  const attending = layers.filter(isAttention);
  const unrotated = attending.filter(({ rotates }) => !rotates);
  const windows = [...new Set(layers.flatMap(({ window }) => window ?? []))];
  const chunks = [...new Set(layers.flatMap(({ chunk }) => chunk ?? []))];
  const withBase = (base: number) => layers.filter((layer) => layer.base === base).length;
  return [
    ...(bases.length > 1
      ? [
          mistake('bases', {
            first: bases[0]!,
            firstLayers: withBase(bases[0]!),
            second: bases[1]!,
            secondLayers: withBase(bases[1]!),
          }),
        ]
      : []),
    ...(unrotated.length > 0 && unrotated.length < attending.length
      ? [mistake('unrotated', { layers: unrotated.length, all: attending.length })]
      : []),
    ...(attending.length > 0 && attending.length < layers.length
      ? [mistake('not-attention', { layers: layers.length - attending.length, all: layers.length })]
      : []),
    ...(windows.length > 0 ? [mistake('window', { window: windows[0]! })] : []),
    ...(chunks.length > 0 ? [mistake('chunks', { chunk: chunks[0]! })] : []),
    ...(layers.some(({ temperature }) => temperature) ? [mistake('temperature')] : []),
  ];
}

/** Families whose rows of q and k Meta's files, or llama.cpp's, have in another order. */
const permuted = /^(llama|mistral|mixtral|smollm3)/;

/**
 * Returns the mistakes, the most frequent first.
 * @param type the model_type of the configuration
 */
export function mistakesOf(
  scheme: PositionScheme,
  layers: readonly LayerPosition[],
  type: string,
): Mistake[] {
  switch (scheme.type) {
    case 'rotary': {
      const { layout, frequencies, headDim, sections, part } = scheme;
      const { dim } = frequencies;
      return [
        mistake(layout === 'half-split' && permuted.test(type) ? 'permuted' : layout),
        ...(dim < headDim ? [mistake(part ?? 'partial', { dim, head: headDim })] : []),
        ...ofScaling(scheme),
        ...(sections ? [mistake('sections', { pairs: sections.pairs.join(', ') })] : []),
        ...ofLayers(layers),
      ];
    }
    case 'alibi':
      return [mistake('alibi', { heads: scheme.heads })];
    case 't5':
      return [mistake('t5')];
    case 'learned':
      return [mistake('learned', { positions: scheme.positions })];
    case 'none':
      return [mistake('none'), ...ofLayers(layers)];
    default:
      return [mistake('other')];
  }
}
