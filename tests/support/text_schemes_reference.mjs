/**
 * What one head must attend to with the schemes whose positions come from the text, in double: the
 * toy model's numbers from its own files, and the formulas of the papers after them.
 */
import * as reference from './reference.mjs';
import { importFromWeb } from './typescript.mjs';

const { embed, modelWidth, weightsOf } = await importFromWeb('toy/toy_model.ts');
const { gateLogitsOf, normalized, projected } = await importFromWeb('toy/gates.ts');

const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const logSigmoid = (x) => -Math.log1p(Math.exp(-x));
const softplus = (x) => Math.log1p(Math.exp(x));
const sum = (values) => values.reduce((total, value) => total + value, 0);
const between = (first, end, of) =>
  sum(Array.from({ length: Math.max(0, end - first) }, (_, i) => of(first + i)));

/** Pairs (i, i + D/2) of a row rotated by one angle each. */
function rotated(row, angles) {
  const half = angles.length;
  return row.map((value, d) => {
    const [cos, sin] = [Math.cos(angles[d % half]), Math.sin(angles[d % half])];
    return d < half ? value * cos - row[d + half] * sin : row[d - half] * sin + value * cos;
  });
}

const frequencies = (dim, base) =>
  Array.from({ length: dim / 2 }, (_, i) => base ** ((-2 * i) / dim));

/** Scores of rotated queries and keys, where `angle` gives those of a token. */
const turned = (angle) => (head) => {
  const rows = (of) => of.map((row, t) => rotated(row, angle(head, t)));
  const [q, k] = [rows(head.q), rows(head.k)];
  return (m, n) => head.scale * reference.dot(q[m], k[n]);
};

const plus = (bias) => (head) => (m, n) =>
  head.scale * reference.dot(head.q[m], head.k[n]) + bias(head, m, n);

/** Each scheme: from a head to its scores, for keys up to the query. */
const scores = {
  fox: plus(({ logits }, m, n) => between(n + 1, m + 1, (t) => logSigmoid(logits[t]))),
  cable: plus(({ logits }, m, n) => -between(n + 1, m + 1, (t) => softplus(-logits[t]))),
  'selective-rope': turned(({ logits, rows, dim }, t) => {
    const increments = rows('increment', dim / 2);
    return frequencies(dim, 500000).map(
      (temperature, i) =>
        temperature * between(0, t + 1, (s) => sigmoid(logits[s]) * (1 + increments[s][i] / 2)),
    );
  }),
  'grape-m': turned(({ logits, dim }, t) =>
    frequencies(dim, 10000).map(
      (frequency) => frequency * between(0, t, (s) => sigmoid(logits[s] / 16)),
    ),
  ),
  repo: turned(({ logits, rows, dim }, t) => {
    const position = 3 * logits[t] * sigmoid(logits[t]) * rows('position', 1)[t][0];
    return frequencies(dim, 500000).map((frequency) => frequency * position);
  }),
  path: (head) => {
    const w = head.unit('direction', head.dim);
    return (m, n) => {
      let row = head.q[m];
      for (let t = m; t > n; t--) {
        const along = 2 * sigmoid(head.logits[t]) * reference.dot(row, w[t]);
        row = row.map((value, d) => value - along * w[t][d]);
      }
      return head.scale * reference.dot(row, head.k[n]);
    };
  },
  wall: (head) => {
    const gates = head.rows('channel', head.dim, 3);
    return (m, n) =>
      head.scale *
      sum(
        head.q[m].map((value, d) => {
          const decay = between(n + 1, m + 1, (t) => logSigmoid(head.gateLogits[t] ?? gates[t][d]));
          return value * head.k[n][d] * Math.exp(decay);
        }),
      );
  },
  'grape-ap': plus(({ rows, slope }, m, n) => {
    const p = rows('pair', 8);
    const turnedBy = (l) => {
      // Dimensions d and d + 4 form a pair; each is turned by l radians, clockwise.
      const size = Math.sqrt(sum(p[l].map((value) => value ** 2)) / 8 + 2 ** -23);
      return p[l].map((value, d) => {
        const [cos, sin] = [Math.cos(l), Math.sin(l)];
        const other = p[l][d < 4 ? d + 4 : d - 4];
        return (d < 4 ? value * cos + other * sin : value * cos - other * sin) / size;
      });
    };
    return between(n + 1, m + 1, (l) => slope * logSigmoid(reference.dot(p[m], turnedBy(l)) / 8));
  }),
  'row-gates': plus(({ rows }, m, n) => {
    const [query, key] = [rows('row query', 8), rows('row key', 8)];
    return between(n, m, (l) => logSigmoid(reference.dot(query[m], key[l]) / Math.sqrt(8)));
  }),
  pope: (head) => (m, n) =>
    head.scale *
    sum(
      head.q[m].map(
        (value, c) =>
          softplus(value) * softplus(head.k[n][c]) * Math.cos((m - n) * 10000 ** (-c / head.dim)),
      ),
    ),
  selective: (head) => {
    const raw = (m, n) => head.scale * reference.dot(head.q[m], head.k[n]);
    // The first token is spared, and no query masks itself.
    const masks = (t, n) => (n === 0 || n === t ? 0 : Math.max(0, head.first(t, n)));
    return (m, n) => raw(m, n) - between(n, m, (t) => masks(t, n));
  },
  ssmax: (head) => {
    const score = turned((_, t) => frequencies(head.dim, 10000).map((frequency) => t * frequency))(
      head,
    );
    return (m, n) => 0.43 * Math.log(m + 1) * score(m, n);
  },
};

export const textSchemes = [...Object.keys(scores), 'stick-breaking'];

/** Weights of one head, [tokens][tokens], with a causal mask. */
export function textWeights(
  { tokens, heads, headDim, head, seed, likeness, gateLogits = {} },
  name,
) {
  const model = { heads, headDim, seed, likeness };
  const x = embed(tokens, seed);
  const situation = { ...model, x, width: modelWidth, gateLogits };
  const own = ({ data }, width) => {
    const size = tokens.length * width;
    return reference.rowsOf([...data.slice(head * size, (head + 1) * size)], width);
  };
  const input = reference.rowsOf([...x], modelWidth);
  const made = (role, at) => {
    const all = weightsOf(role, model);
    const one = all.length / heads;
    return reference.multiply(
      input,
      reference.rowsOf([...all.slice(at * one, (at + 1) * one)], headDim),
    );
  };
  const scale = 1 / Math.sqrt(headDim);
  const [firstQ, firstK] = [made('query', 0), made('key', 0)];
  const parts = {
    q: made('query', head),
    k: made('key', head),
    scale,
    dim: headDim,
    gateLogits,
    slope: reference.alibiSlopes(heads)[head],
    logits: own(gateLogitsOf(situation), 1).flat(),
    rows: (projection, width, mean) => own(projected(projection, situation, width, mean), width),
    unit: (projection, width) => own(normalized(projected(projection, situation, width)), width),
    first: (m, n) => scale * reference.dot(firstQ[m], firstK[n]),
  };
  const places = tokens.map((_, place) => place);
  if (name === 'stick-breaking') {
    const share = (m, n) => sigmoid(scale * reference.dot(parts.q[m], parts.k[n]));
    return places.map((m) =>
      places.map((n) => {
        if (n >= m) return 0;
        let left = 1;
        for (let t = n + 1; t < m; t++) left *= 1 - share(m, t);
        return left * share(m, n);
      }),
    );
  }
  const score = scores[name](parts);
  return places.map((m) => reference.softmax(places.map((n) => (n > m ? -Infinity : score(m, n)))));
}
