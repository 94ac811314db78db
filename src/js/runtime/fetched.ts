/** Binaries that are files of a server. */

/** @throws Error if the address answers with anything but WebAssembly */
export async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`${url.href} answered ${response.status} ${response.statusText}`);
  const bytes = await response.arrayBuffer();
  const magic = new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength));
  if (String.fromCharCode(...magic) !== '\0asm') {
    throw new Error(
      `${url.href} is not WebAssembly: the server sent something else, often an HTML page`,
    );
  }
  return bytes;
}
