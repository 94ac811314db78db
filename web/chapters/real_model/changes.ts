/** Changes that break a model's positions, or do not. */
import type { Engine } from '../../worker/client.ts';
import type { AboutModel, Reading, SentChange } from '../../worker/model_requests.ts';

export const kinds = ['trained', 'none', 'pairing', 'negated', 'alibi'] as const;
export type Kind = (typeof kinds)[number];

export interface ChangeSettings {
  change: Kind;
  firstPosition: number;
  /** Base of the frequencies, as a multiple of the model's own. */
  base: number;
  /** Frequencies are divided by it. */
  factor: number;
}

export const isUnchanged = ({ change, firstPosition, base, factor }: ChangeSettings) =>
  change === 'trained' && firstPosition === 0 && base === 1 && factor === 1;

type Position = AboutModel['positions'][number];

type Source = Pick<Engine, 'rotaryFrequencies' | 'alibiSlopes'>;

/** How a model reads and writes under a change. */
export async function readingOf(
  settings: ChangeSettings,
  { positions, heads }: AboutModel,
  engine: Source,
): Promise<Reading> {
  const { change, firstPosition, base, factor } = settings;
  if (isUnchanged(settings)) return {};
  // Neither has positions that begin somewhere: a bias has distances alone.
  if (change === 'none') return { change: { frequencies: 'none' } };
  if (change === 'alibi') {
    const slopes = await engine.alibiSlopes({ heads });
    return { change: { frequencies: 'none', slopes } };
  }
  // Of the base r b the frequencies are those of b times those of r.
  const ratios = new Map<number, Float64Array>();
  for (const pairs of new Set(positions.map(({ frequencies }) => frequencies?.length ?? 0)))
    if (pairs > 0) {
      const { inverseFrequencies } = await engine.rotaryFrequencies({ dim: 2 * pairs, base });
      ratios.set(pairs, inverseFrequencies);
    }
  const changeOf = ({ frequencies, layout, attentionFactor = 1 }: Position): SentChange => {
    if (!frequencies) return {};
    const ratio = ratios.get(frequencies.length)!;
    const sign = change === 'negated' ? -1 : 1;
    const inverseFrequencies = frequencies.map(
      (frequency, pair) => (sign * frequency * ratio[pair]!) / factor,
    );
    const other = layout === 'interleaved' ? 'half-split' : 'interleaved';
    return {
      frequencies: { inverseFrequencies, attentionFactor },
      ...(change === 'pairing' && { layout: other }),
    };
  };
  return { change: positions.map(changeOf), firstPosition };
}
