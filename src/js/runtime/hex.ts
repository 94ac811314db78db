/** Hexadecimal text of bytes, as scripts contain the binaries. */

/** The value of a hexadecimal digit, by its character code. */
const digit = (code: number) => (code < 58 ? code - 48 : code - 87);

export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = digit(text.charCodeAt(2 * i)) * 16 + digit(text.charCodeAt(2 * i + 1));
  }
  return bytes;
}
