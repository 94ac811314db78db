/** What must hold of every model, each as a function that returns how it does not. */

/** The largest magnitude, at least 1. */
const magnitude = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 1);

/** How much results may differ, in units of the largest logit. Rows of int8 round activations, too. */
const bounds = { stored: 1e-4, float32: 1e-4, int8: 1e-2 };

/** How much a weight may differ in memory, in units of the largest of its row. */
const roundings = { stored: 2 ** -39, float32: 0, int8: 1 / 253 };

function difference(what, got, expected, bound) {
  if (got.length !== expected.length)
    return `${what}: ${got.length} values, not ${expected.length}`;
  const allowed = bound * magnitude(expected);
  for (let i = 0; i < got.length; i++)
    if (!(Math.abs(got[i] - expected[i]) <= allowed))
      return `${what}: the value ${i} is ${got[i]}, expected ${expected[i]} ± ${allowed.toExponential(1)}`;
  return undefined;
}

async function written(model, tokens, options) {
  const result = [];
  for await (const token of model.generate(tokens, options)) result.push(token);
  return result;
}

/** Whether frequencies follow the length of a text, which a longer text then changes throughout. */
const followsLength = ({ config }) => config.rope_scaling?.rope_type === 'dynamic';

/**
 * @typedef {object} Loaded
 * @property {any} drawn the case
 * @property {any} model
 * @property {any} reading options of the reading methods
 * @property {any} writing options of generate()
 * @property {any} logits of its tokens
 * @property {(parameters: any) => Promise<any>} inFloats loads the same model with these values
 * @property {any} parameters of the model
 * @property {any} given the same as the file has them
 */

/** @type {Record<string, (loaded: Loaded) => Promise<string | undefined>>} */
export const laws = {
  async 'a text at once, in pieces or token by token has the same logits'({
    drawn: { call, precision },
    model,
    reading,
    logits,
  }) {
    const { tokens } = call;
    for (const chunk of [1, tokens.length, 1 + Math.floor(tokens.length / 2)]) {
      const { data } = model.logits(tokens, { ...reading, chunk });
      const fault = difference(`chunk ${chunk}`, data, logits.data, bounds[precision]);
      if (fault) return fault;
    }
    return undefined;
  },

  async 'losses are those of the logits'({ drawn: { call }, model, reading, logits }) {
    const { tokens } = call;
    const losses = model.loss(tokens, reading);
    const [, width] = logits.shape;
    const expected = Array.from(losses, (_, row) => {
      const own = Array.from(logits.data.subarray(row * width, (row + 1) * width));
      const most = Math.max(...own);
      const sum = own.reduce((total, logit) => total + Math.exp(logit - most), 0);
      return most + Math.log(sum) - own[tokens[row + 1]];
    });
    return difference('losses', losses, expected, 1e-4);
  },

  async 'what is written repeats, and begins with the largest logit'({ drawn, model, writing }) {
    const { tokens } = drawn.call;
    const first = await written(model, tokens, writing);
    const second = await written(model, tokens, writing);
    if (String(first) !== String(second)) return `${first}, then ${second}`;
    const {
      maxTokens = Infinity,
      temperature = 0,
      stop = [],
      position,
      firstPosition = 0,
    } = writing;
    if (first.length > maxTokens) return `${first.length} tokens of ${maxTokens}`;
    if (temperature > 0 || maxTokens === 0 || followsLength(drawn)) return undefined;
    const positions = firstPosition > 0 && { positions: tokens.map((_, i) => firstPosition + i) };
    const options = { ...(position && { position }), ...positions };
    const { data, shape } = model.logits(tokens, options);
    const last = data.subarray(-shape[1]);
    const [token = stop[0]] = first;
    const allowed = bounds[drawn.precision] * magnitude(last);
    if (last[token] >= Math.max(...last) - allowed) return undefined;
    return `writes ${token} of logit ${last[token]}, the largest is ${Math.max(...last)}`;
  },

  async 'weights in memory are those of the file within their bound'({ drawn, parameters, given }) {
    const { precision } = drawn;
    for (const [name, { data, shape }] of Object.entries(parameters)) {
      const expected = given[name].data;
      const cols = shape[1];
      for (let first = 0; first < data.length; first += cols) {
        const row = expected.subarray(first, first + cols);
        const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        const allowed = largest * roundings[precision];
        const wrong = row.findIndex((value, i) => !(Math.abs(data[first + i] - value) <= allowed));
        if (wrong >= 0)
          return `${name}[${first + wrong}] is ${data[first + wrong]}, expected ${row[wrong]} ± ${allowed}`;
      }
    }
    return undefined;
  },

  async 'weights in fewer bits compute as floats of their values do'({
    drawn,
    reading,
    logits,
    parameters,
    inFloats,
  }) {
    if (drawn.precision === 'float32') return undefined;
    const other = await inFloats(parameters);
    try {
      const { data } = other.logits(drawn.call.tokens, reading);
      return difference('floats', logits.data, data, bounds[drawn.precision]);
    } finally {
      other.dispose();
    }
  },

  async 'attention weights are of tokens so far, and their sum is 1'({
    drawn: { call },
    model,
    reading,
  }) {
    const { data, shape } = model.attentionWeights(call.tokens, call.layer, reading);
    const [heads, length] = shape;
    for (let row = 0; row < heads * length; row++) {
      const own = data.subarray(row * length, (row + 1) * length);
      const later = own.subarray((row % length) + 1);
      if (later.some((weight) => weight !== 0)) return `row ${row} has weights of later tokens`;
      const sum = own.reduce((total, weight) => total + weight, 0);
      if (!(Math.abs(sum - 1) < 1e-4)) return `row ${row} has the sum ${sum}`;
    }
    return undefined;
  },

  async 'a step of training has the mean loss, and at rate 0 changes nothing'({
    drawn,
    model,
    parameters,
  }) {
    if (drawn.precision !== 'float32') return undefined;
    const { tokens, reading } = drawn.call;
    if (reading.positions || reading.position) return undefined;
    let trainer;
    try {
      trainer = model.trainer({ schedule: { weightDecay: 0 } });
    } catch (error) {
      if (error instanceof RangeError && / for a backward pass/.test(error.message))
        return undefined;
      throw error;
    }
    try {
      const losses = model.loss(tokens);
      const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
      const { loss } = trainer.stepOn([tokens], 0);
      const fault = difference('the loss', [loss], [mean], 1e-4);
      if (fault) return fault;
      const after = model.parameters();
      for (const [name, { data }] of Object.entries(parameters))
        if (data.some((value, i) => value !== after[name].data[i])) return `${name} has changed`;
      return undefined;
    } finally {
      trainer.dispose();
    }
  },
};
