// Suite stick_breaking: weights, output and remainder, in tiles and with all intermediates.
import { asTensor } from '../adapting.mjs';

export default function stickBreaking(rw, { attrs, inputs }) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(inputs[name]));
  const attended = (more, intermediates = []) =>
    rw.attention(q, k, v, {
      causal: 'top-left',
      ...(attrs.scale !== null && { scale: attrs.scale }),
      position: { type: 'stick-breaking', attendCurrent: attrs.attend_current, ...more },
      intermediates,
    });
  const { output, remainder } = attended();
  return {
    out: output.data,
    rem: remainder.data,
    out_rem: attended({ addRemainder: true }).output.data,
    att: attended({}, ['weights']).weights.data,
  };
}
