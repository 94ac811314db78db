/** All extensions by type, and the function that applies one. */
import { oneOf } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { dynamicNtk, ntk, ntkAlpha, partNtk } from './ntk.js';
import {
  extensions as own,
  type Extension,
  type RotaryScaling,
  type Scaled,
  type Step,
  type Width,
} from './scaling.js';
import { dynamicYarn, ntkByParts, yarn } from './yarn.js';

const extensions = {
  ...own,
  ntk,
  'ntk-alpha': ntkAlpha,
  'dynamic-ntk': dynamicNtk,
  'ntk-by-parts': ntkByParts,
  'part-ntk': partNtk,
  yarn,
  'dynamic-yarn': dynamicYarn,
} satisfies { [Type in RotaryScaling['type']]: Extension<Type, any> };

type AnyExtension = Extension<RotaryScaling['type'], object>;

const types = Object.keys(extensions) as RotaryScaling['type'][];
/** The options of every extension. @internal */
export const scalingSchemas = Object.fromEntries(
  types.map((type) => [type, { type: option.type, ...extensions[type].schema }]),
) as Record<RotaryScaling['type'], Schema<object>>;

export function scaledFrequencies(core: Core, width: Width, scaling: RotaryScaling): Scaled {
  const type = oneOf('scaling.type', scaling?.type, types);
  const { scaled } = extensions[type] as AnyExtension;
  const options = read<object, object>(
    `scaling (type '${type}')`,
    scaling,
    scalingSchemas[type],
    'scaling.',
  );
  const step: Step = (name, value, otherwise = 'default') => ({
    name,
    value,
    rule: Object.hasOwn(options, name) ? 'as given' : otherwise,
  });
  return scaled(core, width, options, step);
}
