/** What a configuration says of how a layer attends, beside its plan. */
import { familyOf } from '../config/families.js';
import { layerTraits, type LayerTraits } from '../config/layers.js';
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
  const count = Math.min(number(config['num_hidden_layers']) ?? 1, 256);
  const plans = Array.from({ length: Math.max(count, 1) }, (_, at) => traitsOf(at));
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
