/** Imports that are tried once more: the network may fail for a moment. */

/** A script that could not be loaded, also at the second attempt. */
export class NotLoaded extends Error {
  override name = 'NotLoaded';
}

let attempts = 0;

/** The address of the file that the browser names in its message; WebKit names none. */
const addressIn = (error: unknown) => /https?:\S+\.js\b/.exec((error as Error).message)?.[0];

/**
 * Returns the module that `load` imports. The second attempt has an address of its own, since
 * browsers may remember that a module failed. In the package the addresses are those of a bundler.
 */
export async function loadTwice<Module extends object>(
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const address = import.meta.env.MODE === 'package' ? undefined : addressIn(error);
    try {
      if (!address) return await load();
      return await import(/* @vite-ignore */ `${address}?again=${++attempts}`);
    } catch {
      throw new NotLoaded((error as Error).message, { cause: error });
    }
  }
}
