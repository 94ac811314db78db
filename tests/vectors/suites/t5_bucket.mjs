const direction = ({ bidirectional }) => (bidirectional ? 'bidirectional' : 'causal');

function bucket(rw, { attrs, inputs, outputs }) {
  const found = rw.t5Buckets(inputs.relative_position.num, {
    direction: direction(attrs),
    buckets: attrs.num_buckets,
    maxDistance: attrs.max_distance,
  });
  return Object.fromEntries(outputs.map((name) => [name, found]));
}

function bias(rw, { attrs, inputs }) {
  const { data, shape } = inputs.table;
  if (shape[0] !== attrs.num_buckets)
    throw new Error(`the table has ${shape[0]} buckets, not ${attrs.num_buckets}`);
  const tensor = rw.t5Bias({
    table: { data, shape },
    direction: direction(attrs),
    maxDistance: attrs.max_distance,
    queries: attrs.query_positions,
    keys: attrs.Nk,
  });
  return { bias: tensor.data };
}

const features = { bidirectional: bucket, causal: bucket, big: bucket, bias };

export default function t5Bucket(rw, c) {
  const feature = features[c.feature.split('/').at(-1)];
  if (!feature) throw new Error(`no adapter for ${c.feature}`);
  return feature(rw, c);
}
