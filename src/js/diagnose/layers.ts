/** What a configuration says of a single layer: its kind, its window, whether it rotates. */
import { familyOf } from '../config/families.js';

export type Config = Readonly<Record<string, unknown>>;

/** How one layer, or one kind of layer, attends. */
export interface LayerPlan {
  /** As positionFromConfig takes it. */
  layerType?: string;
  /** Whether the model rotates queries and keys here. */
  rotates: boolean;
  /** Keys that a query sees, its own included. */
  window?: number;
}

const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
const list = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : undefined);

/** Models whose layers with full attention have no rotation. */
const withoutRotationInFullLayers = ['cohere2', 'exaone4'];

/** 'sliding_attention', 'full_attention', or undefined where layers do not differ. */
function typeOf(config: Config, layer: number): string | undefined {
  const types = list(config['layer_types']);
  if (types) return typeof types[layer] === 'string' ? types[layer] : undefined;
  const every = number(config['global_attn_every_n_layers']);
  if (every) return layer % every === 0 ? 'full_attention' : 'sliding_attention';
  const pattern = number(config['sliding_window_pattern']);
  if (pattern !== undefined && pattern > 0)
    return (layer + 1) % pattern === 0 ? 'full_attention' : 'sliding_attention';
  if (config['model_type'] === 'gemma2')
    return layer % 2 === 0 ? 'sliding_attention' : 'full_attention';
  return undefined;
}

function rotatesIn(config: Config, layer: number, type: string | undefined): boolean {
  const flags = list(config['no_rope_layers']);
  if (flags && flags.length > 0) return flags[layer] !== 0;
  const interval = number(config['no_rope_layer_interval']);
  if (interval) return (layer + 1) % interval !== 0;
  const modelType = String(config['model_type']);
  return !(withoutRotationInFullLayers.includes(modelType) && type === 'full_attention');
}

function windowOf(config: Config, layer: number, type: string | undefined): number | undefined {
  const size = number(config['sliding_window']);
  if (!size || config['use_sliding_window'] === false) return undefined;
  if (type !== undefined) return type === 'sliding_attention' ? size : undefined;
  const first = config['use_sliding_window'] === true ? number(config['max_window_layers']) : 0;
  return layer >= (first ?? 0) ? size : undefined;
}

function planOf(config: Config, layer: number): LayerPlan {
  const layerType = typeOf(config, layer);
  const window = windowOf(config, layer, layerType);
  return {
    ...(layerType !== undefined && { layerType }),
    rotates: rotatesIn(config, layer, layerType),
    ...(window !== undefined && { window }),
  };
}

/** The plan of a layer; where the layer is not known, each plan that the model has, once. */
export function plansOf(config: Config, layer: number | undefined): LayerPlan[] {
  if (layer !== undefined) return [planOf(config, layer)];
  const count = Math.min(number(config['num_hidden_layers']) ?? 1, 256);
  const plans = Array.from({ length: Math.max(count, 1) }, (_, at) => planOf(config, at));
  const all = new Map(plans.map((plan) => [JSON.stringify(plan), plan]));
  // Layers with full attention first: a dump without a layer is most often of the rule.
  return [...all.values()].toSorted(
    (a, b) => Number(b.layerType === 'full_attention') - Number(a.layerType === 'full_attention'),
  );
}

const encoders = /^(bert|roberta|xlm-roberta|modernbert|nomic_bert|esm|deberta|electra|albert)/;

/** Whether queries see no later keys. */
export function isCausal(config: Config, stack: 'encoder' | 'decoder' | undefined): boolean {
  if (stack !== undefined) return stack === 'decoder';
  if (config['is_decoder'] === true) return true;
  return !encoders.test(String(config['model_type'] ?? ''));
}

/** The factor on q · k, before any temperature: 1/√dim unless the model has its own. */
export function scaleOf(config: Config, headDim: number): number {
  const own = number(config['query_pre_attn_scalar']);
  if (own) return own ** -0.5;
  const multiplier = number(config['attention_multiplier']);
  if (multiplier) return multiplier;
  const family = familyOf(String(config['model_type'] ?? ''));
  if (family?.scheme === 't5' || config['model_type'] === 'gpt_neo') return 1;
  return 1 / Math.sqrt(headDim);
}
