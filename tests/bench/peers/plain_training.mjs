/** A training step of a small decoder as a careful programmer writes it in JavaScript, without SIMD. */

const beta1 = 0.9,
  beta2 = 0.95;

/** out (n × m) += a (n × k) · b (k × m). */
function multiply(out, a, b, n, k, m) {
  for (let i = 0; i < n; i++) {
    for (let p = 0; p < k; p++) {
      const factor = a[i * k + p];
      for (let j = 0, to = i * m, from = p * m; j < m; j++) out[to + j] += factor * b[from + j];
    }
  }
}

/** dA += dOut · bᵀ and dB += aᵀ · dOut, for out = a · b. */
function multiplyBackward(dA, dB, dOut, a, b, n, k, m) {
  for (let i = 0; i < n; i++) {
    for (let p = 0; p < k; p++) {
      const factor = a[i * k + p];
      let sum = 0;
      for (let j = 0, row = i * m, col = p * m; j < m; j++) {
        const d = dOut[row + j];
        sum += d * b[col + j];
        dB[col + j] += factor * d;
      }
      dA[i * k + p] += sum;
    }
  }
}

/** y = x · g / √(mean(x²) + ε), row by row; keeps the inverse roots. */
function normalize(y, inverse, x, g, n, width, epsilon) {
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let c = 0; c < width; c++) sum += x[i * width + c] ** 2;
    inverse[i] = 1 / Math.sqrt(sum / width + epsilon);
    for (let c = 0; c < width; c++) y[i * width + c] = x[i * width + c] * inverse[i] * g[c];
  }
}

function normalizeBackward(dX, dG, dY, x, inverse, g, n, width) {
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let c = 0; c < width; c++) sum += dY[i * width + c] * g[c] * x[i * width + c];
    const share = (sum * inverse[i] ** 2) / width;
    for (let c = 0; c < width; c++) {
      const at = i * width + c;
      dG[c] += dY[at] * x[at] * inverse[i];
      dX[at] += inverse[i] * (dY[at] * g[c] - x[at] * share);
    }
  }
}

const [linear, cubic] = [Math.sqrt(2 / Math.PI), 0.044715];

function gelu(y, x) {
  for (let i = 0; i < x.length; i++)
    y[i] = 0.5 * x[i] * (1 + Math.tanh(linear * (x[i] + cubic * x[i] ** 3)));
}

function geluBackward(dX, dY, x) {
  for (let i = 0; i < x.length; i++) {
    const tanh = Math.tanh(linear * (x[i] + cubic * x[i] ** 3));
    const slope = linear * (1 + 3 * cubic * x[i] ** 2);
    dX[i] = dY[i] * (0.5 * (1 + tanh) + 0.5 * x[i] * (1 - tanh * tanh) * slope);
  }
}

/** Causal attention of rows [batch, length, width]; keeps the weights [batch, heads, length²]. */
function attend(out, weights, { q, k, v }, { batch, length, width, heads }) {
  const dim = width / heads,
    scale = 1 / Math.sqrt(dim);
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let m = 0; m < length; m++) {
        const row = (b * length + m) * width + h * dim;
        const at = ((b * heads + h) * length + m) * length;
        let highest = -Infinity,
          total = 0;
        for (let n = 0; n <= m; n++) {
          const key = (b * length + n) * width + h * dim;
          let score = 0;
          for (let i = 0; i < dim; i++) score += q[row + i] * k[key + i];
          weights[at + n] = score * scale;
          if (weights[at + n] > highest) highest = weights[at + n];
        }
        for (let n = 0; n <= m; n++) total += weights[at + n] = Math.exp(weights[at + n] - highest);
        for (let n = 0; n <= m; n++) {
          const weight = (weights[at + n] /= total);
          const key = (b * length + n) * width + h * dim;
          for (let i = 0; i < dim; i++) out[row + i] += weight * v[key + i];
        }
      }
    }
  }
}

function attendBackward(d, dOut, weights, { q, k, v }, { batch, length, width, heads }) {
  const dim = width / heads,
    scale = 1 / Math.sqrt(dim);
  const dWeights = new Float32Array(length);
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let m = 0; m < length; m++) {
        const row = (b * length + m) * width + h * dim;
        const at = ((b * heads + h) * length + m) * length;
        let delta = 0;
        for (let n = 0; n <= m; n++) {
          const key = (b * length + n) * width + h * dim;
          const weight = weights[at + n];
          let sum = 0;
          for (let i = 0; i < dim; i++) {
            sum += dOut[row + i] * v[key + i];
            d.v[key + i] += weight * dOut[row + i];
          }
          dWeights[n] = sum;
          delta += weight * sum;
        }
        for (let n = 0; n <= m; n++) {
          const key = (b * length + n) * width + h * dim;
          const dScore = scale * weights[at + n] * (dWeights[n] - delta);
          for (let i = 0; i < dim; i++) {
            d.q[row + i] += dScore * k[key + i];
            d.k[key + i] += dScore * q[row + i];
          }
        }
      }
    }
  }
}

/** The mean loss; `logits` become its gradient. */
function crossEntropy(logits, targets, classes) {
  let loss = 0;
  for (let i = 0; i < targets.length; i++) {
    const row = logits.subarray(i * classes, (i + 1) * classes);
    const highest = Math.max(...row);
    let total = 0;
    for (let c = 0; c < classes; c++) total += Math.exp(row[c] - highest);
    loss += highest + Math.log(total) - row[targets[i]];
    for (let c = 0; c < classes; c++) row[c] = Math.exp(row[c] - highest) / total / targets.length;
    row[targets[i]] -= 1 / targets.length;
  }
  return loss / targets.length;
}

/**
 * A trainer of the same model as ours, from the same parameters: step() takes one step of Adam and
 * returns the loss before it.
 */
export function plainTrainer({ parameters, model, batch, length, tokens, targets, rate }) {
  const { width, layers, heads, vocabulary, hidden, normEpsilon } = model;
  const count = batch * length;
  const sizes = { batch, length, width, heads };
  const p = Object.fromEntries(
    Object.entries(parameters).map(([name, { data }]) => [name, Float32Array.from(data)]),
  );
  const zeros = () =>
    Object.fromEntries(
      Object.entries(p).map(([name, { length }]) => [name, new Float32Array(length)]),
    );
  const [first, second] = [zeros(), zeros()];
  let taken = 0;
  const rows = (size = width) => new Float32Array(count * size);

  function block(x, name) {
    const kept = { x: x.slice(), inverse: rows(1), h: rows(), q: rows(), k: rows(), v: rows() };
    normalize(kept.h, kept.inverse, x, p[`${name}.g1`], count, width, normEpsilon);
    for (const [to, weights] of [
      [kept.q, 'Wq'],
      [kept.k, 'Wk'],
      [kept.v, 'Wv'],
    ])
      multiply(to, kept.h, p[`${name}.${weights}`], count, width, width);
    kept.weights = new Float32Array(batch * heads * length * length);
    kept.attended = rows();
    attend(kept.attended, kept.weights, kept, sizes);
    multiply(x, kept.attended, p[`${name}.Wo`], count, width, width);
    Object.assign(kept, { middle: x.slice(), inverse2: rows(1), h2: rows() });
    normalize(kept.h2, kept.inverse2, x, p[`${name}.g2`], count, width, normEpsilon);
    Object.assign(kept, { before: rows(hidden), after: rows(hidden) });
    multiply(kept.before, kept.h2, p[`${name}.W1`], count, width, hidden);
    gelu(kept.after, kept.before);
    multiply(x, kept.after, p[`${name}.W2`], count, hidden, width);
    return kept;
  }

  function blockBackward(dX, d, name, kept) {
    const dBranch = dX.slice();
    const [dAfter, dH2] = [rows(hidden), rows()];
    const of = (weights) => [d[`${name}.${weights}`], p[`${name}.${weights}`]];
    const [dW2, w2] = of('W2');
    multiplyBackward(dAfter, dW2, dBranch, kept.after, w2, count, hidden, width);
    geluBackward(dAfter, dAfter, kept.before);
    const [dW1, w1] = of('W1');
    multiplyBackward(dH2, dW1, dAfter, kept.h2, w1, count, width, hidden);
    const [dG2, g2] = of('g2');
    normalizeBackward(dX, dG2, dH2, kept.middle, kept.inverse2, g2, count, width);
    const [dAttended, dH] = [rows(), rows()];
    const [dWo, wo] = of('Wo');
    multiplyBackward(dAttended, dWo, dX.slice(), kept.attended, wo, count, width, width);
    const inner = { q: rows(), k: rows(), v: rows() };
    attendBackward(inner, dAttended, kept.weights, kept, sizes);
    for (const [gradient, weights] of [
      [inner.q, 'Wq'],
      [inner.k, 'Wk'],
      [inner.v, 'Wv'],
    ]) {
      const [dW, w] = of(weights);
      multiplyBackward(dH, dW, gradient, kept.h, w, count, width, width);
    }
    const [dG1, g1] = of('g1');
    normalizeBackward(dX, dG1, dH, kept.x, kept.inverse, g1, count, width);
  }

  function adam(d) {
    taken++;
    const [c1, c2] = [1 - beta1 ** taken, 1 - beta2 ** taken];
    for (const name of Object.keys(p)) {
      const [values, m, v, g] = [p[name], first[name], second[name], d[name]];
      for (let i = 0; i < values.length; i++) {
        m[i] = beta1 * m[i] + (1 - beta1) * g[i];
        v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
        values[i] -= (rate * (m[i] / c1)) / (Math.sqrt(v[i] / c2) + 1e-8);
      }
    }
  }

  function step() {
    const x = rows();
    tokens.forEach((id, i) => x.set(p.E.subarray(id * width, (id + 1) * width), i * width));
    const names = Array.from({ length: layers }, (_, layer) => `blocks.${layer}`);
    const kept = names.map((name) => block(x, name));
    const [last, inverse, logits] = [rows(), rows(1), rows(vocabulary)];
    normalize(last, inverse, x, p.gf, count, width, normEpsilon);
    multiply(logits, last, p.Wout, count, width, vocabulary);
    const loss = crossEntropy(logits, targets, vocabulary);
    const d = zeros();
    const [dLast, dX] = [rows(), rows()];
    multiplyBackward(dLast, d.Wout, logits, last, p.Wout, count, width, vocabulary);
    normalizeBackward(dX, d.gf, dLast, x, inverse, p.gf, count, width);
    for (let layer = layers - 1; layer >= 0; layer--)
      blockBackward(dX, d, names[layer], kept[layer]);
    tokens.forEach((id, i) => {
      for (let c = 0; c < width; c++) d.E[id * width + c] += dX[i * width + c];
    });
    adam(d);
    return loss;
  }
  return { name: 'plain JS', peer: 'plain JS', step, end() {} };
}
