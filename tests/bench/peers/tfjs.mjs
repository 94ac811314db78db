/**
 * TensorFlow.js with its wasm backend on one thread. Inputs are tensors made beforehand, which is
 * to its advantage; results are read back as floats.
 */
export async function startTfjs(wasmFolder) {
  const core = await import('@tensorflow/tfjs-core');
  const backend = await import('@tensorflow/tfjs-backend-wasm');
  const tf = core.default ?? core;
  const { setWasmPaths, setThreadsCount } = backend.default ?? backend;
  if (wasmFolder) setWasmPaths(wasmFolder);
  setThreadsCount?.(1);
  await tf.setBackend('wasm');
  await tf.ready();
  return tf;
}

/** Runs `compute` and frees whatever it made; `compute` reads its result back itself. */
const tidied = (tf, compute) => {
  let result;
  tf.tidy(() => {
    result = compute();
  });
  return result;
};

const contestant = (name, run, tensors) => ({
  name: `tfjs ${name}`,
  peer: 'tfjs',
  run,
  output: (data) => data,
  end: () => tensors.forEach((tensor) => tensor?.dispose()),
});

/**
 * softmax(scale q kT + mask) v. The scale goes to q, where it costs least, and k is transposed by
 * an operation of its own: the backend's quick multiplication takes no transposed operand.
 */
function attended(tf, operands, scale, mask) {
  const [q, k, v] = operands;
  const scores = tf.matMul(tf.mul(q, scale), tf.transpose(k, k.rank === 2 ? [1, 0] : [0, 2, 1]));
  return tf.matMul(tf.softmax(mask ? tf.add(scores, mask) : scores), v).dataSync();
}

function causalMask(tf, queries, keys) {
  const mask = new Float32Array(queries * keys);
  for (let m = 0; m < queries; m++) mask.fill(-1e9, m * keys + m + 1, (m + 1) * keys);
  return tf.tensor(mask, [queries, keys]);
}

/** All heads at once, and head by head: those ways that are named. */
export const tfjsAttention = (tf, problem, names) =>
  names.map((name) => attentions[name](tf, problem));

const attentions = {
  batched(tf, { q, k, v, heads, queries, keys, dim, causal }) {
    const scale = tf.scalar(1 / Math.sqrt(dim));
    const mask = causal ? causalMask(tf, queries, keys) : undefined;
    const lengths = [queries, keys, keys];
    const all = [q, k, v].map((data, i) => tf.tensor(data, [heads, lengths[i], dim]));
    const run = () => tidied(tf, () => attended(tf, all, scale, mask));
    return contestant('batched', run, [scale, mask, ...all]);
  },
  'head by head'(tf, { q, k, v, heads, queries, keys, dim, causal }) {
    const scale = tf.scalar(1 / Math.sqrt(dim));
    const mask = causal ? causalMask(tf, queries, keys) : undefined;
    const operand = (data, length, h) =>
      tf.tensor(data.subarray(h * length * dim, (h + 1) * length * dim), [length, dim]);
    const each = Array.from({ length: heads }, (_, h) => [
      operand(q, queries, h),
      operand(k, keys, h),
      operand(v, keys, h),
    ]);
    const run = () => {
      const output = new Float32Array(q.length);
      each.forEach((operands, h) => {
        const rows = tidied(tf, () => attended(tf, operands, scale, mask));
        output.set(rows, h * queries * dim);
      });
      return output;
    };
    return contestant('head by head', run, [scale, mask, ...each.flat()]);
  },
};

export const tfjsNames = Object.keys(attentions);

/** Rotates each pair by tables of cos and sin, [length, dim / 2]. */
export function tfjsRotary(tf, { x, heads, length, dim, cos, sin, layout }) {
  const pairs = dim / 2;
  const interleaved = layout === 'interleaved';
  const shape = interleaved ? [heads, length, pairs, 2] : [heads, length, 2, pairs];
  const last = interleaved ? 3 : 2;
  const given = tf.tensor(x, shape);
  const tables = [cos, sin].map((data) =>
    tf.tensor(data, interleaved ? [length, pairs, 1] : [length, 1, pairs]),
  );
  const run = () =>
    tidied(tf, () => {
      const [a, b] = tf.split(given, 2, last);
      const [c, s] = tables;
      const first = tf.sub(tf.mul(a, c), tf.mul(b, s));
      const second = tf.add(tf.mul(a, s), tf.mul(b, c));
      return tf.concat([first, second], last).dataSync();
    });
  return contestant('split and multiply', run, [given, ...tables]);
}

/** sin and cos of the outer product of positions and frequencies, side by side. */
export function tfjsSinusoid(tf, { positions, frequencies }) {
  const steps = tf.tensor(
    Float32Array.from({ length: positions }, (_, t) => t),
    [positions, 1],
  );
  const turns = tf.tensor(Float32Array.from(frequencies), [1, frequencies.length]);
  const run = () =>
    tidied(tf, () => {
      const angles = tf.mul(steps, turns);
      return tf.stack([tf.sin(angles), tf.cos(angles)], 2).dataSync();
    });
  return contestant('sin and cos', run, [steps, turns]);
}
