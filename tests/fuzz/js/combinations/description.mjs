/** A problem in few words: which options it has, and of tensors their form. */

const kinds = { Float32Array: '', Float64Array: 'f64 ', Uint8Array: 'bytes ', Uint16Array: '' };

function tensor({ data, shape, dims, strides, format, ...others }) {
  const bits = format ? `${format} ` : (kinds[data?.constructor?.name] ?? '');
  const listed = Object.entries(others).map(([name, value]) => `, ${name}: ${described(value)}`);
  const own = data.length <= 4 ? ` = ${Array.from(data, String).join(' ')}` : '';
  const isFinite = Array.from(data).every((x) => Number.isFinite(Number(x)));
  return `${bits}[${shape ?? dims}]${strides ? ` strides [${strides}]` : ''}${listed.join('')}${own}${isFinite ? '' : ' not finite'}`;
}

export function described(value) {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const list = Array.from(/** @type {any} */ (value), described);
    return list.length <= 6 ? `[${list.join(', ')}]` : `[${list.length} values]`;
  }
  if (value === undefined) return 'none';
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? `'${value}'` : String(value);
  if (value.data && (value.shape ?? value.dims)) return tensor(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${described(member)}`);
  return `{ ${members.join(', ')} }`;
}

export function describedProblem({ instance, isGradient, q, k, v, kept, settings, cache }) {
  const operands = Object.entries({ q, k, v }).map(
    ([name, value]) => `${name} ${tensor(value)}${kept[name] ? ` kept as ${kept[name]}` : ''}`,
  );
  const options = Object.entries(settings).map(([name, value]) => `${name}: ${described(value)}`);
  return `${isGradient ? 'attentionBackward' : 'attention'} of ${instance}${cache ? ` over a cache ${described(cache)}` : ''}: ${operands.join('; ')}; ${options.join('; ')}`;
}
