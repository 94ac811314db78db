/** Position schemes of 2024 to 2026 that are trained. */
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';

/** Schemes by name, with the options that training adds to their published forms. */
export interface ContentTrainedPositions {
  /** RoPE, with scores times s ln n, s learned per head, n the keys that a row sees. */
  ssmax: {
    /** Default 10000. */
    base?: number;
    /** Default 'half-split'. */
    layout?: 'interleaved' | 'half-split';
    /** Initial value of s. Default 0.43. */
    rowFactor?: number;
  };
  /** FoX with the sign of the gates flipped; their initial bias is 0. */
  cable: {};
  /** A gate per channel inside the dot product. */
  wall: {
    /** Initial bias of the gates' logits. Default 8. */
    gateBias?: number;
    /** Whether FoX's gate is added. Default false. */
    scalarGate?: boolean;
  };
  /** Angles are sums of increments that a projection reads from the text. */
  'selective-rope': {
    /** Base of the temperatures of pairs. Default 10000. */
    base?: number;
    /** Rank of the projection. Default 16. */
    rank?: number;
  };
  /** RoPE at a real position that a network reads from the text, in every layer. */
  repo: {
    /** Default 10000. */
    base?: number;
  };
  /** RoPE at the sum of steps that a projection reads from the tokens before. */
  'grape-m': {
    /** Default 10000. */
    base?: number;
  };
  /** A slope times the distance; gates of keys and queries give the slope. */
  'grape-a': {
    /** Default 'both'. */
    slopeGates?: 'key' | 'query' | 'both';
  };
  /** Products of Householder-like matrices between key and query. */
  path: {
    /** FoX's gate; 'scaled': times attention's scale, as in the published code. Default 'none'. */
    gate?: 'none' | 'unscaled' | 'scaled';
  };
  /** Magnitudes of channels from the content, phases from the position, with learned offsets. */
  pope: {
    /** Default 10000. */
    base?: number;
  };
  /** Stick-breaking weights in place of the softmax; what no key takes is dropped. */
  'stick-breaking': {
    /** Whether a token sees itself. Default false. */
    attendCurrent?: boolean;
  };
  /** A gate per query and token after the key, times ALiBi's slopes; no other encoding. */
  'grape-ap': {
    /** P, the width of a head's projection: even. Default 8. */
    gateWidth?: number;
  };
  /** A gate per query and token from the key on, of x-transformers; no other encoding. */
  'row-gates': {
    /** Width of a head's projections. Default 8. */
    gateWidth?: number;
  };
  /**
   * RoPE, with scores less the positive ones that earlier queries gave the key in the first head.
   * Each layer keeps that head's length × length scores of each sequence.
   */
  selective: {
    /** Default 10000. */
    base?: number;
    /** Default 'half-split'. */
    layout?: 'interleaved' | 'half-split';
  };
}

type ContentType = keyof ContentTrainedPositions;

const typed = { type: option.type };
const base = option.positive.optional();
const layout = option.oneOf('interleaved', 'half-split').optional();
const gateWidth = option.whole.optional();

export const contentPositionSchemas = {
  ssmax: { ...typed, base, layout, rowFactor: option.finite.optional() },
  cable: typed,
  wall: { ...typed, gateBias: option.finite.optional(), scalarGate: option.truth.optional() },
  'selective-rope': { ...typed, base, rank: option.whole.optional() },
  repo: { ...typed, base },
  'grape-m': { ...typed, base },
  'grape-a': { ...typed, slopeGates: option.oneOf('key', 'query', 'both').optional() },
  path: { ...typed, gate: option.oneOf('none', 'unscaled', 'scaled').optional() },
  pope: { ...typed, base },
  'stick-breaking': { ...typed, attendCurrent: option.truth.optional() },
  'grape-ap': { ...typed, gateWidth },
  'row-gates': { ...typed, gateWidth },
  selective: { ...typed, base, layout },
} satisfies { [Type in ContentType]: Schema<{ type: Type } & ContentTrainedPositions[Type]> };
