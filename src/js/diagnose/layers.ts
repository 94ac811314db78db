/** What a configuration says of how a layer attends, beside its plan. */
import { familyOf } from '../config/families.js';
import { layerTraits, type LayerTraits } from '../config/layers.js';
import { layerCounts } from '../config/rotary.js';
import { ConfigSection } from '../config/reader.js';
import { textSection } from '../config/section.js';

export type Config = Readonly<Record<string, unknown>>;

const number = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** The part of a configuration that is about text. */
export function configOf(config: string | object): Config {
  const root = ConfigSection.root(config);
  return { model_type: root.value('model_type'), ...textSection(root).entries() };
}

/** The plan of a layer; where the layer is not known, each plan that the model has, once. */
export function plansOf(config: Config, layer: number | undefined): LayerTraits[] {
  const traitsOf = layerTraits(textSection(ConfigSection.root(config)));
  if (layer !== undefined) return [traitsOf(layer)];
  const stated = layerCounts.map((name) => number(config[name])).find(Boolean);
  const count = Math.min(stated ?? 1, 256);
  const plans = Array.from({ length: Math.max(count, 1) }, (_, at) => traitsOf(at));
  const all = new Map(plans.map((plan) => [JSON.stringify(plan), plan]));
  // Layers with full attention first: a dump without a layer is most often of the rule.
  return [...all.values()].toSorted(
    (a, b) => Number(b.layerType === 'full_attention') - Number(a.layerType === 'full_attention'),
  );
}

/** Model types whose queries see later keys, too: encoders, and models that fill in a mask. */
const bothWays = new Set(
  `albert align_text_model altclip_text_model bert bert-generation big_bird bridgetower_text_model bros
camembert chinese_clip_text_model clap_text_model convbert data2vec-text deberta deberta-v2
distilbert dpr Dream electra ernie esm esmc eurobert flaubert flava_text_model funnel gte ibert
jina_embeddings_v3 layoutlm layoutlmv2 layoutxlm lilt llada longformer luke lxmert markuplm
megatron-bert mobilebert modernbert modernvbert mra neobert new nomic_bert nystromformer
openai_privacy_filter rembert roberta roberta-prelayernorm roc_bert roformer sew-d
siglip2_text_model siglip_text_model splinter squeezebert t5gemma2_text tapas visual_bert xlm
xlm-roberta xlm-roberta-xl xlnet xmod yoso`.split(/\s+/),
);

/** Keys by which a decoder sees later keys, as models of embeddings do. */
const seesLater = (config: Config) =>
  config['is_causal'] === false || config['use_bidirectional_attention'] === true;

/** Model types that do not divide scores by √dim, where a program may and rotate as they do. */
const mayBeDivided =
  'gemma3n gemma3n_text gemma4 gemma4_text gemma4_unified gemma4_unified_text'.split(' ');

/** Model types that do not divide scores by √dim. */
const unscaled = new Set(['gpt_neo', ...mayBeDivided]);

/** Whether queries see no later keys. */
export function isCausal(config: Config, stack: 'encoder' | 'decoder' | undefined): boolean {
  if (stack !== undefined) return stack === 'decoder';
  if (config['is_decoder'] === true) return true;
  return !seesLater(config) && !bothWays.has(String(config['model_type']));
}

/**
 * Whether scores are divided by √dim, as readings of a configuration: both where the model does not
 * divide them, which no key says, and a program may; undefined: as scaleOf has it.
 */
export const divisionsOf = (config: Config): (boolean | undefined)[] =>
  mayBeDivided.includes(String(config['model_type'])) ? [false, true] : [undefined];

/**
 * The factor on q · k, before any temperature: 1/√dim unless the model has its own.
 * @param isDivided whether a program divides scores that its model does not
 */
export function scaleOf(config: Config, headDim: number, isDivided = false): number {
  if (isDivided) return 1 / Math.sqrt(headDim);
  const own = number(config['query_pre_attn_scalar']);
  if (own) return own ** -0.5;
  const multiplier = number(config['attention_multiplier']);
  if (multiplier) return multiplier;
  // Models whose width may grow at one rate of training (μP).
  if (config['scale_qk_dot_by_d'] === true || config['mup_scale_qk_dot_by_d'] === true)
    return 1 / headDim;
  if (config['mup_use_scaling'] === true)
    return (number(config['mup_attn_multiplier']) ?? 1) / headDim;
  const family = familyOf(String(config['model_type'] ?? ''));
  if (family?.scheme === 't5' || unscaled.has(String(config['model_type']))) return 1;
  return 1 / Math.sqrt(headDim);
}
