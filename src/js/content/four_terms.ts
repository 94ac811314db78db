/** The four terms of a score of tokens with added positions. */
import { equal } from '../attention/operands.js';
import { fitting, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongShape } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { shapeText, type Tensor } from '../runtime/tensor.js';

export interface FourTermsOptions {
  /** Wq: [dim, width]. Default: the identity. */
  queryWeights?: Tensor;
  /** Wk: [dim, width]. Default: the identity. */
  keyWeights?: Tensor;
  /** Default 1/√width. */
  scale?: number;
}

const fourTermsSchema = {
  queryWeights: option.tensor.optional(),
  keyWeights: option.tensor.optional(),
  scale: option.finite.optional(),
} satisfies Schema<FourTermsOptions>;

/** Each [length, length]; their sum is the score of x + p with x + p. */
export interface FourTerms {
  /** Content of the query with content of the key. */
  contentContent: Tensor;
  /** Content of the query with position of the key. */
  contentPosition: Tensor;
  /** Position of the query with content of the key. */
  positionContent: Tensor;
  /** Position of the query with position of the key. */
  positionPosition: Tensor;
}

interface Weights {
  data: Float32Array;
  /** 0: none given, the identity. */
  width: number;
}

export const decomposition = (core: Core) => ({
  /**
   * The score of tokens to which positions were added, in its four parts:
   * ((x_m + p_m) Wq) · ((x_n + p_n) Wk) · scale. Only the last can depend on the relative position
   * alone.
   * @param x tokens, [length, dim]
   * @param p positions, [length, dim]
   * @returns four tensors [length, length]
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Dai et al. 2019, Transformer-XL, section 3.3
   */
  fourTerms(x: Tensor, p: Tensor, settings: FourTermsOptions = {}): FourTerms {
    const given = read('fourTerms options', settings, fourTermsSchema);
    const [tokens, places] = [tensor('x', x), tensor('p', p)];
    const [length, dim] = tokens.shape as [number, number];
    if (tokens.shape.length !== 2) throw wrongShape('x', 'must be [length, dim]', tokens.shape);
    if (shapeText(places.shape) !== shapeText(tokens.shape)) {
      throw wrongShape('p', `must be x's, ${shapeText(tokens.shape)}`, places.shape);
    }
    const weights = (['queryWeights', 'keyWeights'] as const).map((name) => {
      if (given[name] === undefined) return { data: new Float32Array(0), width: 0 };
      const { data, shape } = given[name];
      if (shape.length !== 2 || shape[0] !== dim) {
        throw wrongShape(name, `must be [${dim}, width]`, shape);
      }
      return { data, width: shape[1]! };
    }) as [Weights, Weights];
    const [wq, wk] = weights;
    equal('width of queryWeights and keyWeights', wq.width || dim, wk.width || dim);
    const { scale = NaN } = given;
    fitting('four terms of length × length', 4 * length * length);
    fitting('four projections of length × width', 4 * length * Math.max(wq.width, wk.width));
    core.send([tokens.data, places.data, wq.data, wk.data]);
    const all = core.floats(core.raw.fourTerms(length, dim, wq.width, wk.width, scale));
    const term = (at: number): Tensor => ({
      data: all.slice(at * length * length, (at + 1) * length * length),
      shape: [length, length],
    });
    return {
      contentContent: term(0),
      contentPosition: term(1),
      positionContent: term(2),
      positionPosition: term(3),
    };
  },
});
