/** Writes GGUF files for tests. */
const types = { u8: 0, i8: 1, u16: 2, i16: 3, u32: 4, i32: 5, f32: 6, bool: 7, text: 8, list: 9 };
Object.assign(types, { u64: 10, i64: 11, f64: 12 });
const sizes = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, bool: 1 };
Object.assign(sizes, { u64: 8, i64: 8, f64: 8 });
const tensorTypes = { F32: 0, F16: 1, Q8_0: 8, Q4_K: 12, BF16: 30 };

/** A value with its type; a plain text, truth, number or list gets the usual one. */
export const typed = (type, value) => ({ type, value });
const floats = /base|factor|beta|multiplier|epsilon|scale/;

function usual(key, value) {
  if (value?.type) return value;
  if (typeof value === 'string') return typed('text', value);
  if (typeof value === 'boolean') return typed('bool', value);
  if (Array.isArray(value)) return typed('list', value);
  return typed(floats.test(key) ? 'f32' : 'u32', value);
}

/**
 * The bytes of a file up to its tensors' values, and those values.
 * @param keys values by name, or a list of pairs
 * @param tensors by name: shape (the fastest axis first), type, bytes
 */
export function ggufBytes(keys, tensors = {}, { version = 3, little = true, alignment = 32 } = {}) {
  const parts = [];
  const number = (type, value) => {
    const view = new DataView(new ArrayBuffer(sizes[type]));
    const set = { u8: 'Uint8', i8: 'Int8', u16: 'Uint16', i16: 'Int16', u32: 'Uint32' };
    Object.assign(set, { i32: 'Int32', f32: 'Float32', bool: 'Uint8', f64: 'Float64' });
    Object.assign(set, { u64: 'BigUint64', i64: 'BigInt64' });
    view[`set${set[type]}`](0, /64/.test(type) && type !== 'f64' ? BigInt(value) : value, little);
    parts.push(Buffer.from(view.buffer));
  };
  const text = (value) => {
    const bytes = Buffer.from(value);
    number('u64', bytes.length);
    parts.push(bytes);
  };
  const put = (type, key, value) => {
    if (type === 'text') return text(value);
    if (type !== 'list') return number(type, value);
    const first = usual(key, value[0] ?? 0);
    number('u32', types[first.type]);
    number('u64', value.length);
    for (const each of value) put(first.type, key, each?.type ? each.value : each);
  };
  const entries = Array.isArray(keys) ? keys : Object.entries(keys);
  const named = Object.entries(tensors);
  parts.push(Buffer.from('GGUF'));
  number('u32', version);
  number('u64', named.length);
  number('u64', entries.length);
  for (const [key, given] of entries) {
    const { type, value } = usual(key, given);
    text(key);
    number('u32', types[type]);
    put(type, key, value);
  }
  let offset = 0;
  for (const [name, { shape, type, bytes }] of named) {
    text(name);
    number('u32', shape.length);
    for (const extent of shape) number('u64', extent);
    number('u32', tensorTypes[type] ?? type);
    number('u64', offset);
    offset += Math.ceil((bytes?.length ?? 0) / alignment) * alignment;
  }
  const pad = () => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(Buffer.alloc(-length & (alignment - 1)));
  };
  pad();
  for (const [, { bytes }] of named) {
    parts.push(Buffer.from(bytes ?? []));
    pad();
  }
  return Buffer.concat(parts);
}

export const f32 = (values) => Buffer.from(Float32Array.from(values).buffer);
