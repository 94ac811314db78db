// Suite layer_plans: what each layer of a model does with positions.
import { layerPlanFromConfig } from 'ropewalk/config';

export default async function layerPlans(_, { attrs }) {
  const { layers } = layerPlanFromConfig(attrs.config);
  const list = (of) => layers.map(of);
  return {
    rope: list(({ rotates }) => Number(rotates)),
    base: list(({ base = 0 }) => base),
    window: list(({ window = 0 }) => window),
    chunk: list(({ chunk = 0 }) => chunk),
    scaled: list(({ isScaled }) => Number(isScaled)),
  };
}
