/** How far back each token is, by rulers that depend on the text. Runs in the worker. */
import type { Ropewalk } from 'ropewalk';
import {
  angleIncrements,
  changed,
  gateLogitsOf,
  sigmoids,
  textPositions,
  type TextSituation,
} from '../../toy/gates.ts';
import { embed, modelWidth, project, weightsOf } from '../../toy/toy_model.ts';

export interface RulerRequest {
  tokens: readonly string[];
  /** Place of the query, from 0. */
  query: number;
  seed: number;
  /** Logits of the gates that the reader changed, by place. */
  gateLogits: Readonly<Record<number, number>>;
}

export const textRulers = ['fox', 'cope', 'repo', 'selective'] as const;
export const rulers = ['plain', ...textRulers] as const;
export type Ruler = (typeof rulers)[number];

export interface Measured {
  /** From the query back to each token 0 … query. */
  distances: number[];
  /** What each token 0 … query adds; of RePo its position. */
  terms: number[];
}

export interface MovingRuler {
  tokens: readonly string[];
  query: number;
  /** σ of each token's logit. */
  gates: number[];
  measured: Record<Ruler, Measured>;
}

/** One head: rulers need no more. */
const model = { heads: 1, headDim: 16, likeness: 0.5 };

/** CoPE's positions end at the rows of its table: here after every text. */
const copeRows = 64;

export function movingRuler(rw: Ropewalk, request: RulerRequest): MovingRuler {
  const { tokens, query, seed, gateLogits } = request;
  const situation = { ...model, seed, x: embed(tokens, seed), width: modelWidth, gateLogits };
  const logits = gateLogitsOf(situation);
  const visible = (values: ArrayLike<number>) => Array.from(values).slice(0, query + 1);
  const back = (values: number[], sign: 1 | -1) =>
    values.map((value) => sign * (values[query]! - value));

  const { terms, sums } = rw.prefixSums(logits, { term: 'log-sigmoid' });
  const positions = visible(textPositions(rw, situation).data);
  const increments = angleIncrements(rw, situation, 1);
  const { angles } = rw.accumulatedAngles(increments);
  return {
    tokens,
    query,
    gates: [...sigmoids(rw, logits)],
    measured: {
      plain: {
        distances: Array.from({ length: query + 1 }, (_, key) => query - key),
        terms: Array.from({ length: query + 1 }, () => 1),
      },
      fox: { distances: back(visible(sums.data), -1), terms: visible(terms.data).map((t) => -t) },
      cope: counted(rw, situation, query),
      repo: { distances: back(positions, 1), terms: positions },
      selective: { distances: back(visible(angles.data), 1), terms: visible(increments.data) },
    },
  };
}

/** CoPE: gates of this query, summed from each key up to the query itself. */
function counted(rw: Ropewalk, situation: TextSituation, query: number): Measured {
  const { x, seed } = situation;
  const own = { ...model, seed };
  const shape = [1, x.length / modelWidth, model.headDim];
  const [q, k] = (['query', 'key'] as const).map((role) => ({
    data: project(x, weightsOf(role, own), own),
    shape,
  }));
  const count = query + 1;
  const row = rw.attention(q!, k!, k!, { intermediates: ['scores'] }).scores!.data;
  const scores = row.subarray(query * shape[1]!, query * shape[1]! + count);
  const logits = { data: changed(scores, [1, count, 1], situation), shape: [1, 1, count] };
  const distances = [...rw.copePositions(logits, { rows: copeRows, queries: [query] }).data];
  return { distances, terms: [...sigmoids(rw, logits)] };
}
