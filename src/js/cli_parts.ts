/** Attention in parts, so that long work can say how far it is: the heads that share keys at a time. */
import type { AttentionOptions, AttentionResult, Ropewalk, Tensor } from './ropewalk.js';
import { elementCount } from './tensor.js';

type Arrays = Record<string, Tensor>;

/** How many heads of every operand make a part; undefined when there is but one, or a shape is refused. */
function groupOf(q: Tensor, k: Tensor, v: Tensor): number | undefined {
  const [leading, ...others] = [q, k, v].map(({ shape }) => shape.slice(0, -2)) as [number[], number[], number[]];
  const [heads, shared] = [leading.at(-1), others[0].at(-1)];
  const alike = others.every((axes) =>
    axes.length === leading.length && axes.at(-1) === shared && axes.slice(0, -1).join() === leading.slice(0, -1).join());
  return alike && heads && shared && heads % shared === 0 && elementCount(others[0]) > 1 ? heads / shared : undefined;
}

function slice({ data, shape }: Tensor, part: number, heads: number): Tensor {
  const axes = shape.slice(-2);
  const size = heads * elementCount(axes);
  return { data: data.subarray(part * size, (part + 1) * size), shape: [heads, ...axes] };
}

/** Parts one after the other, behind the axes of q. */
function joined(parts: Tensor[], leading: number[]): Tensor {
  const [{ shape, data }] = parts as [Tensor];
  const all = new Float32Array(parts.length * data.length);
  parts.forEach((part, i) => all.set(part.data, i * data.length));
  return { data: all, shape: [...leading, ...shape.slice(1)] };
}

/** The same numbers as one call, and after each part how many of them are done. */
export function attentionInParts(
  rw: Ropewalk, [q, k, v]: [Tensor, Tensor, Tensor], options: AttentionOptions,
  progress: (done: number, of: number) => void,
): Arrays {
  const whole = ({ present: _present, ...arrays }: AttentionResult) => arrays as Arrays;
  const group = groupOf(q, k, v);
  if (group === undefined) return whole(rw.attention(q, k, v, options));
  const heads = q.shape.at(-3)!;
  const count = elementCount(k.shape.slice(0, -2));
  const parts = Array.from({ length: count }, (_, part) => {
    // Slopes belong to the head's number among all.
    const position = options.position?.type === 'alibi'
      ? { ...options.position, headOffset: (part * group) % heads, totalHeads: heads } : options.position;
    const result = rw.attention(slice(q, part, group), slice(k, part, 1), slice(v, part, 1), { ...options, position });
    progress(part + 1, count);
    return whole(result);
  });
  const names = Object.keys(parts[0]!);
  return Object.fromEntries(names.map((name) => [name, joined(parts.map((part) => part[name]!), q.shape.slice(0, -2))]));
}
