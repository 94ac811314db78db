/** The sinusoid table in JavaScript, from the library's sines to the quickest recurrences. */

function library(table, { positions, frequencies }) {
  for (let t = 0, at = 0; t < positions; t++) {
    for (let i = 0; i < frequencies.length; i++) {
      const angle = t * frequencies[i];
      table[at++] = Math.sin(angle);
      table[at++] = Math.cos(angle);
    }
  }
  return table;
}

/** Each row is the previous one, with every pair rotated by its frequency. */
function byRows(table, { positions, frequencies }) {
  const pairs = frequencies.length;
  const sineOfStep = frequencies.map(Math.sin),
    cosineOfStep = frequencies.map(Math.cos);
  const sine = new Float64Array(pairs),
    cosine = new Float64Array(pairs).fill(1);
  for (let t = 0, at = 0; t < positions; t++) {
    for (let i = 0; i < pairs; i++) {
      const s = sine[i],
        c = cosine[i];
      table[at++] = s;
      table[at++] = c;
      sine[i] = s * cosineOfStep[i] + c * sineOfStep[i];
      cosine[i] = c * cosineOfStep[i] - s * sineOfStep[i];
    }
  }
  return table;
}

/** The same column by column: the pair stays in registers. */
function byColumns(table, { frequencies }) {
  for (let i = 0; i < frequencies.length; i++) {
    const sineStep = Math.sin(frequencies[i]),
      cosineStep = Math.cos(frequencies[i]);
    let s = 0,
      c = 1;
    for (let at = 2 * i; at < table.length; at += 2 * frequencies.length) {
      table[at] = s;
      table[at + 1] = c;
      const next = s * cosineStep + c * sineStep;
      c = c * cosineStep - s * sineStep;
      s = next;
    }
  }
  return table;
}

/** Sines and cosines of count rows of angles, from `first` on, `stride` apart, in double. */
function turns(frequencies, first, stride, count) {
  const pairs = frequencies.length;
  const sines = new Float64Array(count * pairs),
    cosines = new Float64Array(count * pairs);
  for (let j = 0, at = 0; j < count; j++) {
    for (let i = 0; i < pairs; i++, at++) {
      sines[at] = Math.sin((first + j * stride) * frequencies[i]);
      cosines[at] = Math.cos((first + j * stride) * frequencies[i]);
    }
  }
  return { sines, cosines };
}

/** Rows as sums of angles from two tables, near and far. */
function bySums(table, { positions, frequencies }) {
  const steps = 64,
    pairs = frequencies.length;
  const near = turns(frequencies, 0, 1, steps);
  const far = turns(frequencies, 0, steps, positions / steps);
  for (let block = 0, at = 0; block < positions / steps; block++) {
    for (let j = 0, b = 0; j < steps; j++) {
      for (let i = 0, a = block * pairs; i < pairs; i++, a++, b++) {
        table[at++] = far.sines[a] * near.cosines[b] + far.cosines[a] * near.sines[b];
        table[at++] = far.cosines[a] * near.cosines[b] - far.sines[a] * near.sines[b];
      }
    }
  }
  return table;
}

export const plainSinusoids = {
  'Math.sin and Math.cos': library,
  'recurrence by rows': byRows,
  'recurrence by columns': byColumns,
  'sums of angles': bySums,
};
