/** A typed array. */
export const isArray = (value) => ArrayBuffer.isView(value) && !(value instanceof DataView);

/** Its elements; none of one whose buffer is detached, which cannot be iterated. */
export const elements = (array) => Array.from({ length: array.length }, (_, i) => array[i]);
