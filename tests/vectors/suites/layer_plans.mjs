// Suite layer_plans: what each layer of a model does with positions.
import { pathToFileURL } from 'node:url';
import path from 'node:path';

const entry = path.join(import.meta.dirname, '../../../dist/package/entries/config.js');

export default async function layerPlans(_, { attrs }) {
  const { layerPlanFromConfig } = await import(pathToFileURL(entry).href);
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
