/** A picture as PNG. See the PNG specification, third edition, section 5. */

export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel, row by row. */
  pixels: Uint8Array;
}

/** Compresses as zlib does. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

/** The remainder of every byte; Node has the checksum itself from 20.15 only. */
const remainders = () =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });

function checksum(bytes: Uint8Array): number {
  const table = remainders();
  return ~bytes.reduce((rest, byte) => table[(rest ^ byte) & 255]! ^ (rest >>> 8), -1) >>> 0;
}

/** Length, name, content, checksum of name and content. */
function chunk(name: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(content, 8);
  view.setUint32(content.length + 8, checksum(bytes.subarray(4, content.length + 8)));
  return bytes;
}

export function png({ width, height, pixels }: Picture, deflate: Deflate): Uint8Array {
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header.set([8, 6], 8); // eight bits each of red, green, blue and opacity
  // Each line begins with the filter that it went through: none.
  const [from, to] = [4 * width, 4 * width + 1];
  const lines = new Uint8Array(height * to);
  for (let y = 0; y < height; y++) lines.set(pixels.subarray(y * from, (y + 1) * from), y * to + 1);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflate(lines)),
    chunk('IEND', new Uint8Array()),
  ];
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (file.set(part, at), at + part.length), 0);
  return file;
}
