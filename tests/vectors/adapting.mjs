// What the adapters share: from a case's inputs to the package's tensors.

/** An input of any dtype as a tensor of 32-bit floats. */
export function asTensor({ num, shape }) {
  return { data: Float32Array.from(num, Number), shape: [...shape] };
}
