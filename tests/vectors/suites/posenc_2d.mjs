// Suite posenc_2d: tables of pictures (MAE, DETR) and Fourier features (Perceiver).
import { asTensor } from '../adapting.mjs';

const features = {
  'posenc_2d/mae': (rw, { embed_dim, grid_size, add_cls_token }) =>
    rw.sinusoidalGrid({
      rows: grid_size,
      columns: grid_size,
      dim: embed_dim,
      classToken: add_cls_token,
    }),

  'posenc_2d/detr': (rw, { embedding_dim_per_axis, temperature, normalize, scale }, { mask }) =>
    rw.sinusoidalMask({
      mask: asTensor(mask),
      dim: 2 * embedding_dim_per_axis,
      base: temperature,
      normalize,
      scale,
    }),

  'posenc_2d/fourier': (rw, { num_bands, max_resolution, concat_pos, sine_only }, { pos }) =>
    rw.fourierFeatures({
      coordinates: pos.num,
      resolution: max_resolution,
      bands: num_bands,
      withCoordinates: concat_pos,
      sinesOnly: sine_only,
    }),
};

export default function (rw, { feature, attrs, inputs }) {
  if (!features[feature]) throw new Error(`unknown feature ${feature}`);
  return { pe: features[feature](rw, attrs, inputs).data };
}
