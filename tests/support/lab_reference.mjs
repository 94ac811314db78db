/**
 * What the lab must show, in double: the toy model's drawn numbers (they are exact), and every
 * product, angle, bias and softmax after them from the double reference.
 */
import { join } from 'node:path';
import * as reference from './reference.mjs';
import { importTypeScript } from './typescript.mjs';

const lab = join(import.meta.dirname, '..', '..', 'web', 'chapters', 'attention_lab');
const { embed, modelWidth, shuffledOrder, weightsOf } = await importTypeScript(
  join(lab, 'toy_model.ts'),
);

/** One head of one pass over `tokens`, in the order that `question.shuffle` gives. */
export function labReference(question) {
  const { tokens, scheme, heads, headDim, head, causal, offset, seed, shuffle } = question;
  const order = shuffledOrder(tokens.length, shuffle);
  const positions = order.map((_, place) => place + offset);
  const x = reference.rowsOf(
    embed(
      order.map((token) => tokens[token]),
      seed,
    ),
    modelWidth,
  );
  const input =
    scheme === 'sinusoidal' ? reference.add(x, reference.sinusoidal(positions, modelWidth)) : x;
  const matrix = (role) => {
    const all = weightsOf(role, question);
    const one = all.length / heads;
    return reference.rowsOf(all.slice(head * one, (head + 1) * one), headDim);
  };
  let [q, k, v] = ['query', 'key', 'value'].map((role) => reference.multiply(input, matrix(role)));
  if (scheme.startsWith('rope-')) {
    [q, k] = [q, k].map((rows) => reference.rotate(rows, positions, scheme.slice('rope-'.length)));
  }
  const slope = reference.alibiSlopes(heads)[head];
  return {
    order,
    ...reference.attention(q, k, v, {
      bias:
        scheme === 'alibi' ? reference.alibiBias(slope, tokens.length, tokens.length) : undefined,
      sees: causal ? reference.causalMask('top-left', tokens.length, tokens.length) : undefined,
    }),
  };
}

export const schemes = ['none', 'sinusoidal', 'rope-interleaved', 'rope-half-split', 'alibi'];

/** The settings the tests ask for unless they say otherwise. */
export const question = {
  tokens: 'the dog bit the man and the man bit the dog'.split(' '),
  scheme: 'none',
  heads: 4,
  headDim: 16,
  head: 0,
  seed: 1,
  likeness: 0.5,
  causal: false,
  offset: 0,
  shuffle: 0,
};
