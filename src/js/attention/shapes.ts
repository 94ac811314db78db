/** The axes of a scheme's tensors and lists, as its schema names them. */
import type { Sizes } from './operands.js';
import { wrongShape, wrongValue } from '../runtime/errors.js';
import type { Option } from '../runtime/option.js';
import { elementCount, shapeText } from '../runtime/tensor.js';

type ShapedSchema = Readonly<Record<string, Pick<Option<any, any>, 'rule'> | object>>;

/** A list has no shape of its own. */
const shapeOf = (value: { shape?: readonly number[]; length?: number }) =>
  value.shape ?? [value.length!];

/**
 * Throws unless each given option with axes has the extents that a call of these sizes needs. An
 * axis whose name no size has, such as 'width', has the extent that the first such option gives.
 * Leading axes of extent 1 may be left out.
 * @returns the extents of all axes, by name
 */
export function requireShapes(
  schema: ShapedSchema,
  given: object,
  sizes: Partial<Sizes>,
  at = 'position.',
): Record<string, number> {
  const extents: Record<string, number> = { ...sizes };
  for (const [name, option] of Object.entries(schema)) {
    const value = given[name as never] as
      { shape?: readonly number[]; length?: number } | undefined;
    const { axes } = 'rule' in option ? option.rule : {};
    if (!axes || value === undefined) continue;
    const shape = shapeOf(value);
    axes.forEach((axis, i) => (extents[axis] ??= shape[shape.length - axes.length + i] ?? 1));
    const wanted = axes.map((axis) => extents[axis]!);
    const full = [...Array<number>(Math.max(0, axes.length - shape.length)).fill(1), ...shape];
    if (shapeText(full) === shapeText(wanted)) continue;
    throw value.shape
      ? wrongShape(at + name, `must be ${shapeText(wanted)}`, shape)
      : wrongValue(at + name, `must have ${elementCount(wanted)} values`, shape[0]);
  }
  return extents;
}
