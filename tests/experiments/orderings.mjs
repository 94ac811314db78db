/**
 * What the recorded results are expected to show: orderings that an independent program in PyTorch
 * found with the same settings, each on all of its seeds, and claims of papers. All are checked here,
 * seed by seed.
 */

/** Scores of one seed: run(variant) of the ordering's plan, run(variant, plan) of another. */
const at = (run, variant, evaluation, length) =>
  run(variant).evaluations[evaluation].find((scores) => scores.length === length);
const accuracy = (...where) => at(...where).accuracy;
const loss = (...where) => at(...where).loss;
const error = (...where) => 1 - accuracy(...where);

/** Whether each of `better` is above each of `worse` by more than the margin, at each length. */
const above = (run, better, worse, evaluation, lengths, margin = 0) =>
  lengths.every((length) => {
    const values = (variants) => variants.map((name) => accuracy(run, name, evaluation, length));
    return Math.min(...values(better)) > Math.max(...values(worse)) + margin;
  });

/** Methods of extension are evaluations of one trained model, `method@factor`. */
const scores = (run, method) => run('rope').evaluations[method][0];
const repeated = (run, method) => scores(run, method).groups[0].accuracy;
const fresh = (run, method) => scores(run, method).groups[1].accuracy;
const right = (run, method) => scores(run, method).accuracy;

/** Whether the values rise from each to the next. */
const rising = (values) => values.every((value, i) => i === 0 || value > values[i - 1]);
/** The choice with the largest value. */
const best = (choices, valueOf) => choices.reduce((a, b) => (valueOf(b) > valueOf(a) ? b : a));
const furtherThan = (lengths, length) => lengths.filter((other) => other > length);
const far = [64, 128, 256, 512];
const windows = [2, 4, 8, 12, 16, 20, 24, 28, 31, 32, 40, 48, 64];
const leakyFactors = [2, 4, 8, 16, 32, 64];
const learnedAt = (run, variant, below) =>
  run(variant).curve.find(([, value]) => value < below)?.[0] ?? Infinity;

const drawers = [
  {
    says: 'CoPE and FoX are above KERPLE and ALiBi at 64 to 512.',
    holds: (run) => above(run, ['cope', 'fox'], ['kerple', 'alibi'], 'length', far),
  },
  {
    says: 'KERPLE and ALiBi are above T5, bias = 8 × table, at 256 and 512.',
    holds: (run) => above(run, ['kerple', 'alibi'], ['t5'], 'length', [256, 512]),
  },
  {
    says: 'KERPLE and ALiBi are above T5, bias = table, at 64 to 512.',
    holds: (run) => above(run, ['kerple', 'alibi'], ['t5_unscaled'], 'length', far),
  },
  {
    says: 'T5, bias = 8 × table, is above T5, bias = table, at 64 to 512.',
    holds: (run) => above(run, ['t5'], ['t5_unscaled'], 'length', far),
  },
  {
    says: 'T5 in both forms is above RoPE at 64 to 512.',
    holds: (run) => above(run, ['t5', 't5_unscaled'], ['rope'], 'length', far),
  },
  {
    says: 'RoPE is above sinusoidal, learned and none at 64 to 512.',
    holds: (run) => above(run, ['rope'], ['sinusoidal', 'learned', 'none'], 'length', far),
  },
  {
    says: 'Sinusoidal falls below 0.6 at 64, RoPE does not before 128.',
    holds: (run) =>
      accuracy(run, 'sinusoidal', 'length', 64) < 0.6 &&
      accuracy(run, 'rope', 'length', 64) > 0.6 &&
      accuracy(run, 'rope', 'length', 256) < 0.6,
  },
  {
    says: 'ALiBi and KERPLE are flat: within 0.05 of their accuracy at 32 up to 512.',
    holds: (run) =>
      ['alibi', 'kerple'].every((name) =>
        far.every(
          (length) =>
            Math.abs(accuracy(run, name, 'length', length) - accuracy(run, name, 'length', 32)) <
            0.05,
        ),
      ),
  },
  {
    says: 'All schemes but none learn the task at 32 (0.95); none stays below 0.7.',
    holds: (run) =>
      above(
        run,
        ['sinusoidal', 'learned', 'rope', 'alibi', 't5', 't5_unscaled', 'kerple', 'fox', 'cope'],
        ['none'],
        'length',
        [32],
        0.25,
      ) && accuracy(run, 'none', 'length', 32) < 0.7,
  },
];

const rise = (run, variant, length) =>
  loss(run, variant, 'held_out', length) - loss(run, variant, 'held_out', 32);

const characters = [
  {
    says: 'At 64, sinusoidal loses more than 0.8 nats, RoPE less than that and more than 0.2.',
    holds: (run) =>
      rise(run, 'sinusoidal', 64) > 0.8 &&
      rise(run, 'rope', 64) < 0.8 &&
      rise(run, 'rope', 64) > 0.2,
  },
  {
    says: 'ALiBi and FoX are flat: within 0.1 nats of their loss at 32 up to 512.',
    holds: (run) =>
      ['alibi', 'fox'].every((name) =>
        far.every((length) => Math.abs(rise(run, name, length)) < 0.1),
      ),
    why: 'FoX is 0.10 to 0.12 nats above its loss at 32 at 64, and within 0.06 beyond. 128 windows of 32 characters are a small test: with 1,500 windows FoX and ALiBi rise by 0.02 to 0.03 at 64.',
  },
  {
    says: 'T5, bias = table, and none lose 0.05 to 0.35 nats at 512.',
    holds: (run) =>
      ['t5_unscaled', 'none'].every(
        (name) => rise(run, name, 512) > 0.05 && rise(run, name, 512) < 0.35,
      ),
  },
  {
    says: 'RoPE has a smaller loss than sinusoidal at 64 and a larger one from 128 on.',
    holds: (run) =>
      far.every(
        (length) =>
          loss(run, 'rope', 'held_out', length) > loss(run, 'sinusoidal', 'held_out', length) ===
          length > 64,
      ),
    why: 'On the other seed the lines cross just after 128: RoPE is 0.01 nats below there, and above at 256.',
  },
  {
    says: 'RoPE has the largest loss at 512.',
    holds: (run, variants) => best(variants, (name) => loss(run, name, 'held_out', 512)) === 'rope',
  },
  {
    says: 'None has the largest loss at 32.',
    holds: (run, variants) => best(variants, (name) => loss(run, name, 'held_out', 32)) === 'none',
  },
  {
    says: 'FoX has the smallest loss at every length, T5 with bias = 8 × table left out.',
    holds: (run, variants) => {
      const compared = variants.filter((name) => name !== 't5');
      return [32, ...far].every(
        (length) => best(compared, (name) => -loss(run, name, 'held_out', length)) === 'fox',
      );
    },
  },
];

const drawersExtended = [
  {
    says: 'Position Interpolation (PI) is above direct and above all forms of NTK, at 4 L and 8 L.',
    holds: (run) =>
      [4, 8].every((factor) =>
        ['direct', 'ntk_old', 'ntk', 'ntk_fixed', 'ntk_mixed'].every(
          (method) => right(run, `pi@${factor}`) > right(run, `${method}@${factor}`),
        ),
      ),
  },
  {
    says: 'NTK by parts (1, 4) is above NTK at 4 L and 8 L.',
    holds: (run) =>
      [4, 8].every((factor) => right(run, `by_parts_1_4@${factor}`) > right(run, `ntk@${factor}`)),
  },
  {
    says: 'Log-n changes direct, NTK and PI by less than 0.05.',
    holds: (run) =>
      [
        ['direct@8', 'log_n@8'],
        ['ntk@8', 'ntk_log_n@8'],
        ['pi@8', 'pi_log_n@8'],
      ].every(([without, withLogN]) => Math.abs(right(run, without) - right(run, withLogN)) < 0.05),
  },
  {
    says: 'A mask to the last L keys is above all that changes the rotation, at 8 L.',
    holds: (run) =>
      Object.keys(run('rope').evaluations)
        .filter((method) => method.endsWith('@8') && !method.startsWith('window'))
        .every((method) => right(run, 'window_32@8') > right(run, method)),
  },
  {
    says: 'ReRoPE is best with w from 24 to 32 at 8 L.',
    holds: (run) => {
      const w = best(windows, (window) => right(run, `rerope_${window}@8`));
      return w >= 24 && w <= 32;
    },
  },
  {
    says: 'Leaky ReRoPE, w = 16, is best with the smallest k for which w + (T − 1 − w)/k < L: 8 at 4 L, 16 at 8 L.',
    holds: (run) =>
      best(leakyFactors, (k) => right(run, `leaky_rerope_16_${k}@4`)) === 8 &&
      best(leakyFactors, (k) => right(run, `leaky_rerope_16_${k}@8`)) === 16,
  },
];

const repeatsExtended = [
  {
    says: 'Repeated blocks at 8 L: PI < direct < NTK < YaRN < ReRoPE with w = L/4 and w = L/2.',
    holds: (run) => {
      const order = ['pi@8', 'direct@8', 'ntk@8', 'yarn@8'].map((name) => repeated(run, name));
      const rerope = [8, 16].map((window) => repeated(run, `rerope_${window}@8`));
      return rising([...order, Math.min(...rerope)]);
    },
  },
  {
    says: 'The same at 4 L.',
    holds: (run) => {
      const order = ['pi@4', 'direct@4', 'ntk@4', 'yarn@4'].map((name) => repeated(run, name));
      const rerope = [8, 16].map((window) => repeated(run, `rerope_${window}@4`));
      return rising([...order, Math.min(...rerope)]);
    },
  },
  {
    says: 'YaRN is better with its temperature than without, at 4 L and 8 L.',
    holds: (run) =>
      [4, 8].every(
        (factor) =>
          repeated(run, `yarn@${factor}`) > repeated(run, `yarn_without_temperature@${factor}`),
      ),
  },
  {
    says: 'Log-n helps direct, NTK and ReRoPE (w = 8, 24) on repeated blocks at 8 L.',
    holds: (run) =>
      [
        ['direct@8', 'log_n@8'],
        ['ntk@8', 'ntk_log_n@8'],
        ['rerope_8@8', 'rerope_8_log_n@8'],
        ['rerope_24@8', 'rerope_24_log_n@8'],
      ].every(([without, withLogN]) => repeated(run, withLogN) > repeated(run, without)),
  },
  {
    says: 'Log-n costs direct and NTK accuracy on fresh text at 8 L.',
    holds: (run) =>
      fresh(run, 'log_n@8') < fresh(run, 'direct@8') &&
      fresh(run, 'ntk_log_n@8') < fresh(run, 'ntk@8'),
  },
  {
    says: 'Leaky ReRoPE, w = 16, is better with each larger k up to 64, and k = 2 is below 0.6, at 8 L.',
    holds: (run) =>
      rising(leakyFactors.map((k) => repeated(run, `leaky_rerope_16_${k}@8`))) &&
      repeated(run, 'leaky_rerope_16_2@8') < 0.6,
  },
  {
    says: 'ReRoPE is best with w from L/4 to L/2 at 8 L.',
    holds: (run) => {
      const w = best(windows, (window) => repeated(run, `rerope_${window}@8`));
      return w >= 8 && w <= 16;
    },
  },
  {
    says: 'ReRoPE with w = L is worse than with w = L/2 by more than 0.05, and w = 1.25 L is below 0.6.',
    holds: (run) =>
      repeated(run, 'rerope_32@8') < repeated(run, 'rerope_16@8') - 0.05 &&
      repeated(run, 'rerope_40@8') < 0.6,
  },
  {
    says: 'ReRoPE dips at w = 20: below w = 16 and w = 24.',
    holds: (run) =>
      repeated(run, 'rerope_20@8') <
      Math.min(repeated(run, 'rerope_16@8'), repeated(run, 'rerope_24@8')),
  },
  {
    says: 'A mask to the last L/2 keys reaches 0.97 on repeated blocks at 8 L.',
    holds: (run) => repeated(run, 'window_16@8') > 0.97,
  },
  {
    says: 'Direct keeps fresh text at every length: within 0.05 of 0.7 at 2 L to 8 L.',
    holds: (run) =>
      ['direct@2', 'direct@4', 'direct@8'].every(
        (method) => Math.abs(fresh(run, method) - 0.7) < 0.05,
      ),
  },
  {
    says: 'PI with factor 8 breaks repeated blocks at L itself (below 0.3), NTK does not (above 0.9).',
    holds: (run) => repeated(run, 'pi_8@1') < 0.3 && repeated(run, 'ntk_8@1') > 0.9,
  },
  {
    says: 'The loss falls from above 2.4 at step 200 to below 1.8 at step 400: induction appears.',
    holds: (run) => {
      const lossAt = (step) => run('rope').curve.find(([other]) => other === step)[1];
      return lossAt(200) > 2.4 && lossAt(400) < 1.8;
    },
  },
];

const flipFlop = [
  {
    says: 'FoX and KERPLE learn before all others: their loss falls below 0.1 earlier.',
    holds: (run, variants) =>
      variants
        .filter((name) => !['fox', 'kerple'].includes(name))
        .every((name) =>
          ['fox', 'kerple'].every(
            (first) => learnedAt(run, first, 0.1) < learnedAt(run, name, 0.1),
          ),
        ),
  },
  {
    says: 'FoX learns before KERPLE: its loss falls below 0.1 earlier.',
    holds: (run) => learnedAt(run, 'fox', 0.1) < learnedAt(run, 'kerple', 0.1),
    why: 'They differ by 5 to 30 steps, in either direction. With 0.05 in place of 0.1, FoX is first on all seeds.',
  },
  {
    says: 'FoX has the fewest errors at p = 0.8 at 2 L, 4 L and 8 L.',
    holds: (run, variants) =>
      [128, 256, 512].every((length) =>
        variants.every(
          (name) => error(run, 'fox', 'usual', length) <= error(run, name, 'usual', length),
        ),
      ),
  },
  {
    says: 'FoX and KERPLE have fewer errors than all others on sparse text at 8 L.',
    holds: (run, variants) =>
      above(
        run,
        ['fox', 'kerple'],
        variants.filter((name) => !['fox', 'kerple'].includes(name)),
        'sparse',
        [512],
      ),
  },
  {
    says: 'ALiBi is flat at p = 0.8 (at most 5 % of errors at 8 L) and fails on sparse text (more than 15 %).',
    holds: (run) =>
      error(run, 'alibi', 'usual', 512) < 0.05 && error(run, 'alibi', 'sparse', 512) > 0.15,
  },
  {
    says: 'RoPE is right at L, also on sparse and dense text (at most 3 % of errors), and drifts beyond (more than 10 % at 8 L).',
    holds: (run) =>
      ['usual', 'sparse', 'dense'].every((text) => error(run, 'rope', text, 64) < 0.03) &&
      error(run, 'rope', 'usual', 512) > 0.1,
  },
  {
    says: 'Sinusoidal falls to chance: more than 35 % of errors at 8 L.',
    holds: (run) => error(run, 'sinusoidal', 'usual', 512) > 0.35,
  },
  {
    says: 'CoPE has more errors than FoX, KERPLE and ALiBi at 4 L and 8 L, p = 0.8.',
    holds: (run) => above(run, ['fox', 'kerple', 'alibi'], ['cope'], 'usual', [256, 512]),
  },
  {
    says: 'None does not learn the task at L in this budget: more than 10 % of errors.',
    holds: (run) => error(run, 'none', 'usual', 64) > 0.1,
  },
  {
    says: 'T5 learns the task at L with bias = 8 × table (below 6 % of errors), not with bias = table (above 10 %).',
    holds: (run) =>
      error(run, 't5', 'usual', 64) < 0.06 && error(run, 't5_unscaled', 'usual', 64) > 0.1,
  },
  {
    claim: 'Golovneva et al. 2024 (CoPE)',
    says: 'RoPE fails on sparse text inside the training length (more than 5 % of errors), CoPE does not.',
    holds: (run) =>
      error(run, 'rope', 'sparse', 64) > 0.05 && error(run, 'cope', 'sparse', 64) < 0.05,
    why: 'Every scheme that learns the task has almost no errors on sparse text at L: 32 pairs are too few to separate them.',
  },
];

const drawersRandomized = [
  {
    says: 'RoPE and sinusoidal gain at 64 to 512 against training without random positions.',
    holds: (run) =>
      ['rope', 'sinusoidal'].every((name) =>
        far.every(
          (length) =>
            accuracy(run, name, 'randomized', length) >
            at((variant) => run(variant, 'a1_drawers'), name, 'length', length).accuracy,
        ),
      ),
  },
  {
    says: 'RoPE and sinusoidal lose less than 0.06 at L.',
    holds: (run) =>
      ['rope', 'sinusoidal'].every(
        (name) =>
          accuracy(run, name, 'randomized', 32) >
          at((variant) => run(variant, 'a1_drawers'), name, 'length', 32).accuracy - 0.06,
      ),
  },
  {
    says: 'Tested with consecutive positions, RoPE and sinusoidal lose more than 0.15 at L.',
    holds: (run) =>
      ['rope', 'sinusoidal'].every(
        (name) =>
          accuracy(run, name, 'consecutive', 32) < accuracy(run, name, 'randomized', 32) - 0.15,
      ),
  },
  {
    says: 'ALiBi is hurt: at 512 it is more than 0.1 below training without random positions.',
    holds: (run) =>
      accuracy(run, 'alibi', 'randomized', 512) <
      at((variant) => run(variant, 'a1_drawers'), 'alibi', 'length', 512).accuracy - 0.1,
  },
  {
    says: 'At 512 both tests agree within 0.02: the 512 random positions are 0 to 511.',
    holds: (run, variants) =>
      variants.every(
        (name) =>
          Math.abs(
            accuracy(run, name, 'randomized', 512) - accuracy(run, name, 'consecutive', 512),
          ) < 0.02,
      ),
  },
];

const longCopies = furtherThan([8, 16, 20, 24, 32, 48, 64], 20);

const copy = [
  {
    says: 'FoX and ALiBi keep more than 0.9 of the tokens at 20 items and more than 0.5 at 64.',
    holds: (run) =>
      ['fox', 'alibi'].every(
        (name) => accuracy(run, name, 'items', 20) > 0.9 && accuracy(run, name, 'items', 64) > 0.5,
      ),
  },
  {
    says: 'FoX and ALiBi are above T5, bias = table, at 24 to 64 items.',
    holds: (run) => above(run, ['fox', 'alibi'], ['t5_unscaled'], 'items', longCopies),
  },
  {
    says: 'T5, bias = table, decays slowly: above RoPE, sinusoidal and none at 16 to 24 items.',
    holds: (run) =>
      above(run, ['t5_unscaled'], ['rope', 'sinusoidal', 'none'], 'items', [16, 20, 24]),
  },
  {
    says: 'RoPE and sinusoidal fall off at once: below 0.3 at 20 items.',
    holds: (run) => ['rope', 'sinusoidal'].every((name) => accuracy(run, name, 'items', 20) < 0.3),
  },
  {
    says: 'RoPE has a bump at 32 items, above 24 and 48.',
    holds: (run) =>
      accuracy(run, 'rope', 'items', 32) >
      Math.max(accuracy(run, 'rope', 'items', 24), accuracy(run, 'rope', 'items', 48)),
  },
  {
    says: 'None learns slowest: it has the smallest accuracy at 8 items.',
    holds: (run, variants) => best(variants, (name) => -accuracy(run, name, 'items', 8)) === 'none',
  },
  {
    claim: 'Kazemnejad et al. 2023',
    says: 'None is at least as good as T5, and T5 better than ALiBi and RoPE, at 24 to 64 items.',
    holds: (run) =>
      longCopies.every(
        (length) => accuracy(run, 'none', 'items', length) >= accuracy(run, 't5', 'items', length),
      ) && above(run, ['t5'], ['alibi', 'rope'], 'items', longCopies),
    why: 'In 800 steps none has not learned the task even inside the training length, and ALiBi is ahead of T5. The paper trained larger models for longer.',
  },
];

const copyRandomized = [
  {
    says: 'Random positions help RoPE at 64 items, and cost it accuracy at 8 items.',
    holds: (run) => {
      const plain = (length) =>
        at((variant) => run(variant, 'd2_copy'), 'rope', 'items', length).accuracy;
      return (
        accuracy(run, 'rope', 'items', 64) > plain(64) &&
        accuracy(run, 'rope', 'items', 8) < plain(8)
      );
    },
  },
];

/** By plan. A claim is that of a paper; the others were found before by another program. */
export const orderings = {
  a1_drawers: drawers,
  a2_characters: characters,
  b1_drawers_extended: drawersExtended,
  b2_repeats_extended: repeatsExtended,
  c_flip_flop: flipFlop,
  d1_drawers_randomized: drawersRandomized,
  d2_copy: copy,
  d2_copy_randomized: copyRandomized,
};

/**
 * Checks the orderings of a plan.
 * @param recordedOf what was recorded of a plan, by its name
 * @returns each ordering with the seeds on which it holds, and all seeds
 */
export function checkedOrderings(name, recordedOf) {
  const { seeds, plan } = recordedOf(name);
  const variants = Object.keys(plan.variants);
  const runOf =
    (seed) =>
    (variant, other = name) =>
      recordedOf(other).results.find((run) => run.variant === variant && run.seed === seed);
  return (orderings[name] ?? []).map((ordering) => ({
    ...ordering,
    seeds,
    held: seeds.filter((seed) => ordering.holds(runOf(seed), variants)),
  }));
}
