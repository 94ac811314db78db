/** A call as text that can be read, and mostly pasted. */

const kinds = [Float32Array, Float64Array, Int32Array, Uint8Array, BigInt64Array];

export function source(value, depth = 0) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'function') return `/* the function ${value.name} */`;
  if (value === globalThis) return 'globalThis';
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return ofObject(value, depth);
  } catch (error) {
    return `/* cannot be read: ${error.message} */`;
  }
}

/** The elements of a typed array; a DataView has none. */
function ofView(view) {
  const kind = kinds.find((one) => view instanceof one)?.name ?? view.constructor?.name;
  const held = Array.from({ length: Math.min(view.length ?? 0, 40) }, (_, i) => source(view[i]));
  const buffer = view.buffer?.constructor?.name;
  return `/* ${view.length} in ${buffer} */ ${kind}.of(${held.join(', ')})`;
}

function ofObject(value, depth) {
  if (depth > 6) return '/* deeper */';
  if (ArrayBuffer.isView(value)) return ofView(value);
  const texts = Object.entries(value).map(([key, member]) => [key, source(member, depth + 1)]);
  if (Array.isArray(value)) return `[${texts.map(([, text]) => text).join(', ')}]`;
  return `{ ${texts.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(', ')} }`;
}

/** A fault by its kind. */
export const withoutNumbers = (text) => text.replace(/[\d.e+-]+|NaN|Infinity/g, '#');
