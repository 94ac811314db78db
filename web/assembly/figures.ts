/** Every figure, loaded; the plugin runs this module whole, since it cannot load one later. */
import { figures, pageOf } from '../figures/registry.ts';

const loaded = await Promise.all(
  Object.entries(figures).map(async ([name, load]) => [name, (await load()).default] as const),
);

export const allFigures = Object.fromEntries(loaded);

export { pageOf };
