/** Frequencies that were never computed: inv_freq holds what was in memory. */
import { fault, ofRecipe, rotaryOf, type Variant, type World } from './fault.js';
import { anglesOf, measuredFrequencies } from './measure.js';
import { frequenciesOf } from './tables.js';

const leastNormal = 2 ** -126;

/**
 * Whether a quarter of the values cannot be frequencies, which are positive and fall from 1.
 * @param zeros how many of the last ones may be 0
 */
function isUninitialised(values: ArrayLike<number>, zeros: number): boolean {
  const live = values.length - zeros;
  let wrong = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (i >= live && value === 0) continue;
    const isFrequency = value >= leastNormal && value <= 1 + 1e-6;
    if (!isFrequency || (i > 0 && value >= values[i - 1]!)) wrong++;
  }
  return wrong >= values.length / 4;
}

/** How many of the last frequencies are 0, as in proportional RoPE. */
function zeroTail(values: ArrayLike<number>): number {
  let count = 0;
  while (count < values.length && values[values.length - 1 - count] === 0) count++;
  return count;
}

/** The frequencies of the data, dumped or measured. */
function foundIn(world: World): ArrayLike<number>[] {
  return world.rotary.flatMap((evidence): ArrayLike<number>[] => {
    if (evidence.frequencies) return [evidence.frequencies];
    const { sequence, nominal } = evidence;
    const data = evidence.measured(nominal);
    if (!data || !sequence) return [];
    const { positions, batches, rows, axes } = sequence;
    const { pairs } = data;
    const angles = anglesOf(data, nominal.rotary!);
    // Of several axes, text has one position in all.
    const isText = (row: number) =>
      Array.from({ length: axes }, (_, axis) => positions[axis * batches * rows + row]!).every(
        (position) => position === positions[row],
      );
    const texts = [...Array(rows).keys()].filter(isText);
    const anglesOfTexts = Float64Array.from(
      texts.flatMap((row) => [...angles.subarray(row * pairs, (row + 1) * pairs)]),
    );
    const at = texts.map((row) => positions[row]!);
    return [measuredFrequencies(anglesOfTexts, at, pairs)];
  });
}

function nameOf(values: ArrayLike<number>): string {
  const all = Array.from(values);
  if (all.every((value) => value === 0)) return 'zeros';
  if (all.every((value) => value === 1)) return 'ones';
  if (all.every((value, i) => value === i)) return 'arange';
  return 'garbage';
}

export const uninitialised = fault({
  id: 'inv_freq_uninitialised',
  part: 'base',
  variants(world) {
    const rotary = rotaryOf(world);
    if (!rotary) return [];
    const { inverseFrequencies } = frequenciesOf(world.rw, rotary.recipe);
    const pairs = inverseFrequencies.length;
    const zeros = zeroTail(inverseFrequencies);
    const showsTable = world.rotary.some(({ role }) => role === 'inv_freq' || role === 'table');
    const filled = [() => 0, () => 1, (_: unknown, i: number) => i].map((value) =>
      Float64Array.from({ length: pairs }, value),
    );
    const isDumped = world.rotary.some(({ frequencies }) => frequencies !== undefined);
    const found = foundIn(world).filter((values) => isUninitialised(values, zeros));
    return [...(isDumped ? [] : filled), ...found].map((given): Variant => {
      const inv = nameOf(given);
      // Without a table, zeros are rather rows that all have position 0.
      const cost = inv === 'zeros' && !showsTable ? 1.25 : inv === 'garbage' ? 1.4 : 1;
      return {
        parameters: { inv },
        cost,
        apply: ofRecipe((recipe) => ({ ...recipe, given })),
      };
    });
  },
  says: ({ inv }) =>
    `inv_freq holds ${
      ({ zeros: 'zeros', ones: 'ones', arange: 'a counter: 0, 1, 2, …' } as Record<string, string>)[
        inv
      ] ?? 'what was in memory'
    }: it was never computed.`,
  fix: 'Compute inv_freq after the model has left the meta device and before any .half() or .to(): it is not saved with the weights (persistent=False), so loading does not fill it (Hugging Face, unsloth); register it again in the converted model (ONNX, ExecuTorch).',
});
