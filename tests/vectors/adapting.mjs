// What the adapters share: from a case's inputs to the package's tensors.

/** An input of any dtype as a tensor of 32-bit floats. */
export function asTensor({ num, shape }) {
  return { data: Float32Array.from(num, Number), shape: [...shape] };
}

/** An input as a tensor of doubles. */
export function asDoubles({ num, shape }) {
  return { data: Float64Array.from(num, Number), shape: [...shape] };
}

/** A tensor with its axes in another order: axis i of the result is axes[i] of x. */
export function permuted({ data, shape }, axes) {
  const steps = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const to = axes.map((axis) => shape[axis]);
  const result = data.slice();
  for (let i = 0; i < result.length; i++) {
    let rest = i,
      at = 0;
    for (let axis = axes.length - 1; axis >= 0; axis--) {
      at += (rest % to[axis]) * steps[axes[axis]];
      rest = Math.floor(rest / to[axis]);
    }
    result[i] = data[at];
  }
  return { data: result, shape: to };
}

/** x wT + b in double, of a layer that stores w as [outputs, inputs]: [..., outputs]. */
export function projected(x, w, b) {
  const [outputs, inputs] = w.shape;
  const data = new Float64Array((x.num.length / inputs) * outputs);
  for (let i = 0; i < data.length; i++) {
    const [row, output] = [Math.floor(i / outputs), i % outputs];
    data[i] = b ? b.num[output] : 0;
    for (let n = 0; n < inputs; n++)
      data[i] += x.num[row * inputs + n] * w.num[output * inputs + n];
  }
  return { data, shape: [...x.shape.slice(0, -1), outputs] };
}
