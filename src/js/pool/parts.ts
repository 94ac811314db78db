/** A call of attention in parts, which workers compute. */
import type { Work } from './protocol.js';
import type { Posting } from './worker_pool.js';
import type {
  AttentionOptions,
  AttentionResult,
  CheckedAttention,
} from '../attention/attention.js';
import { createResult, operandsOf, splitResult, type AttentionCall } from '../attention/call.js';
import type { Core } from '../runtime/core.js';
import { wrongKind } from '../runtime/errors.js';

/** The options of an instance's attention, and a signal. */
export interface PoolAttentionOptions extends Omit<AttentionOptions, 'into'> {
  /**
   * Aborting rejects with the signal's reason. Waiting parts are dropped, and workers that compute
   * one are terminated, so that no core continues; but none that holds a part of a cache.
   */
  signal?: AbortSignal;
}

/** Throws for options that are only for an instance. */
export function requireNoInto(options: object | undefined): void {
  const into = (options as { into?: unknown } | undefined)?.into;
  if (into !== undefined)
    throw wrongKind('into', 'must be left out: what a pool returns is always new', into, '');
}

/** Separates the signal from attention's options, whose check throws for other types. */
export function signalOf(settings: PoolAttentionOptions | undefined): {
  signal?: AbortSignal;
  rest?: AttentionOptions;
} {
  if (typeof settings !== 'object' || settings === null) return { rest: settings };
  requireNoInto(settings);
  if (!('signal' in settings)) return { rest: settings };
  const { signal, ...rest } = settings;
  if (signal === undefined || signal instanceof AbortSignal) return { signal, rest };
  throw wrongKind('signal', 'must be an AbortSignal', signal);
}

interface Arrays {
  floats: Float32Array[];
  bytes: Uint8Array[];
}

const copied = ({ floats, bytes }: Arrays): Arrays => ({
  floats: floats.map((array) => new Float32Array(array)),
  bytes: bytes.map((array) => new Uint8Array(array)),
});

/**
 * A part that can be posted. `posting` reads the caller's arrays, or copies after `keep`.
 */
function sendable(core: Core, part: AttentionCall) {
  const { doubles, ...arrays } = operandsOf(core, part);
  let source: Arrays = arrays;
  return {
    posting() {
      const sent = copied(source);
      // A view would be sent with its whole buffer.
      const own = doubles.map((list) => list.slice());
      const work: Work = { name: 'attention', args: [{ ...sent, doubles: own }] };
      return {
        work,
        transfer: [...sent.floats, ...sent.bytes].map(({ buffer }) => buffer as ArrayBuffer),
      };
    },
    keep() {
      source = copied(source);
    },
  };
}

/**
 * Attention of parts of a call, by `run`, which computes the part of an index. Free workers start
 * while the arrays of waiting parts are copied.
 */
export async function attendedByParts(
  core: Core,
  { call, leading, finished }: CheckedAttention,
  all: { first: number; part: AttentionCall }[],
  run: (posting: Posting, index: number) => Promise<unknown>,
): Promise<AttentionResult> {
  const parts = all.map(({ first, part }) => ({ first, ...sendable(core, part) }));
  let done = 0;
  const answers = parts.map(async ({ posting }, i) => {
    const answer = (await run(posting, i)) as Float32Array;
    call.onProgress?.(++done, parts.length);
    return answer;
  });
  for (const { keep } of parts) keep();
  if (answers.length === 1) return finished(splitResult(call, leading, await answers[0]!));
  const whole = createResult(call, leading);
  await Promise.all(answers.map(async (answer, i) => whole.put(parts[i]!.first, await answer)));
  return finished(whole.tensors);
}
