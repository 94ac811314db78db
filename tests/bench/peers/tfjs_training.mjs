/**
 * A training step of a small decoder in TensorFlow.js, by its operations and its Adam. Rows of the
 * embedding are a product with one-hot rows: the wasm backend has no gradient of gather.
 */

/** The backends that need no GPU; a step of the plain one takes many seconds at longer lengths. */
export const tfjsBackends = (length) => (length <= 64 ? ['wasm', 'cpu'] : ['wasm']);

/** The same model as ours, from the same parameters; step() returns the loss before the step. */
export async function tfjsTrainer(tf, backend, problem) {
  const { parameters, model, batch, length, tokens, targets, rate } = problem;
  const { width, layers, heads, vocabulary, normEpsilon } = model;
  await tf.setBackend(backend);
  const p = Object.fromEntries(
    Object.entries(parameters).map(([name, { data, shape }]) => [
      name,
      tf.variable(tf.tensor(data, shape)),
    ]),
  );
  const count = batch * length;
  const oneHot = (ids) => tf.tidy(() => tf.oneHot(tf.tensor1d(ids, 'int32'), vocabulary, 1, 0));
  const [inputs, expected] = [oneHot(tokens), oneHot(targets)].map((rows) =>
    tf.tensor(rows.dataSync(), rows.shape, 'float32'),
  );
  const mask = tf.tensor(
    Float32Array.from({ length: length * length }, (_, i) =>
      i % length > Math.floor(i / length) ? -1e9 : 0,
    ),
    [length, length],
  );
  const optimizer = tf.train.adam(rate, 0.9, 0.95, 1e-8);
  const dim = width / heads;

  const norm = (x, g) =>
    tf.mul(tf.mul(x, tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), normEpsilon))), g);
  const byHead = (x) => tf.transpose(tf.reshape(x, [batch, length, heads, dim]), [0, 2, 1, 3]);
  function attention(h, name) {
    const [q, k, v] = ['Wq', 'Wk', 'Wv'].map((w) => byHead(tf.matMul(h, p[`${name}.${w}`])));
    const scores = tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(dim));
    const out = tf.matMul(tf.softmax(tf.add(scores, mask)), v);
    const joined = tf.reshape(tf.transpose(out, [0, 2, 1, 3]), [count, width]);
    return tf.matMul(joined, p[`${name}.Wo`]);
  }
  const gelu = (x) => {
    const inner = tf.mul(
      tf.add(x, tf.mul(tf.mul(tf.square(x), x), 0.044715)),
      Math.sqrt(2 / Math.PI),
    );
    return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
  };
  function loss() {
    let x = tf.matMul(inputs, p.E);
    for (let layer = 0; layer < layers; layer++) {
      const name = `blocks.${layer}`;
      x = tf.add(x, attention(norm(x, p[`${name}.g1`]), name));
      const before = tf.matMul(norm(x, p[`${name}.g2`]), p[`${name}.W1`]);
      x = tf.add(x, tf.matMul(gelu(before), p[`${name}.W2`]));
    }
    const logits = tf.matMul(norm(x, p.gf), p.Wout);
    return tf.neg(tf.div(tf.sum(tf.mul(expected, tf.logSoftmax(logits))), count));
  }
  return {
    name: `tfjs ${backend}`,
    peer: 'tfjs',
    async step() {
      await tf.setBackend(backend);
      const cost = optimizer.minimize(loss, true);
      const [value] = cost.dataSync();
      cost.dispose();
      return value;
    },
    end() {
      tf.dispose([...Object.values(p), inputs, expected, mask]);
      optimizer.dispose();
    },
  };
}
