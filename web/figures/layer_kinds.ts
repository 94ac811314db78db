/** Kinds of layers, by what stands in them for a rotation and by how far they see. */
import type { LayerPlan } from '../worker/layer_plan.ts';

export type Layer = LayerPlan['layers'][number];

/** Layers in which no query meets a key of the same text. */
export const otherKinds = [
  'linear_attention',
  'mamba',
  'mamba2',
  'conv',
  'recurrent',
  'cross_attention',
  'moe',
  'mlp',
] as const;

export type OtherKind = (typeof otherKinds)[number];

export const isOther = (kind: string): kind is OtherKind =>
  otherKinds.some((other) => other === kind);

/** Layers that add a bias, which each token computes, in place of a rotation. */
export const isBiased = ({ kind }: Layer): boolean => kind.startsWith('biased_');

/** Layers that see all earlier text, the part before their window by one key for many tokens. */
const compressedKinds = ['heavily_compressed_attention', 'compressed_sparse_attention'];

export const isCompressed = ({ kind }: Layer): boolean => compressedKinds.includes(kind);

/** Whether a layer sees all earlier text, whole or compressed. */
export const seesAll = (layer: Layer): boolean =>
  (layer.window ?? layer.chunk) === undefined || isCompressed(layer);
