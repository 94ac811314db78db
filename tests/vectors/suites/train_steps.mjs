/** Five AdamW steps of a small decoder under every scheme. */
import { asTensor } from '../adapting.mjs';

const positions = {
  none: () => ({ type: 'none' }),
  sinusoidal: () => ({ type: 'sinusoidal', layout: 'interleaved' }),
  learned: ({ max }) => ({ type: 'learned', rows: max }),
  rope_half: ({ rope_theta }) => ({ type: 'rope', base: rope_theta, layout: 'half-split' }),
  rope_interleaved: ({ rope_theta }) => ({ type: 'rope', base: rope_theta, layout: 'interleaved' }),
  rope_random_positions: ({ rope_theta }) => ({ type: 'rope', base: rope_theta }),
  alibi: () => ({ type: 'alibi' }),
  t5: (attrs) => ({ type: 't5', buckets: attrs.num_buckets, maxDistance: attrs.max_distance }),
  kerple_log: () => ({ type: 'kerple' }),
  fire: (attrs) => ({
    type: 'fire',
    hidden: attrs.fire_width,
    c: attrs.fire_c,
    threshold: attrs.fire_L,
    epsilon: attrs.fire_eps,
  }),
  cope: ({ max_pos }) => ({ type: 'cope', rows: max_pos }),
  fox: () => ({ type: 'fox' }),
  xpos: (attrs) => ({ type: 'xpos', base: attrs.rope_theta, scaleBase: attrs.scale_base }),
};

const named = (prefix, tensors) =>
  Object.fromEntries(Object.entries(tensors).map(([name, { data }]) => [prefix + name, data]));

export default function trainSteps(_, { attrs, inputs }, { train }) {
  const trainer = train.createTrainer({
    task: { type: 'parity' }, // batches are given
    model: {
      vocabulary: attrs.V,
      width: attrs.d,
      layers: attrs.L,
      heads: attrs.H,
      hidden: attrs.hidden,
      normEpsilon: attrs.eps,
    },
    position: positions[attrs.scheme](attrs),
    schedule: { weightDecay: attrs.weight_decay, maxGradNorm: attrs.clip },
  });
  trainer.setParameters(
    Object.fromEntries(
      Object.entries(inputs)
        .filter(([name]) => name.startsWith('init.'))
        .map(([name, array]) => [name.slice('init.'.length), asTensor(array)]),
    ),
  );
  const size = attrs.B * attrs.N;
  const part = (name, step) => inputs[name]?.num.slice(step * size, (step + 1) * size);
  const answers = { loss: [], grad_norm: [] };
  for (const [step, rate] of inputs.lr.num.entries()) {
    const batch = {
      batch: attrs.B,
      tokens: part('tokens', step),
      targets: part('targets', step),
      weights: part('weights', step),
      positions: part('positions', step),
    };
    if (step === 0)
      answers.logits = trainer.logits(batch.tokens, {
        batch: attrs.B,
        positions: batch.positions,
      }).data;
    const { loss, gradientNorm } = trainer.stepOn(batch, rate);
    answers.loss.push(loss);
    answers.grad_norm.push(gradientNorm);
    if (step === 0) Object.assign(answers, named('grad.', trainer.gradients()));
  }
  Object.assign(answers, named('final.', trainer.parameters()));
  trainer.dispose();
  return answers;
}
