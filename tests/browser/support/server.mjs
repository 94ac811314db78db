/** Serves a built site from a sub-path under the policy that the page promises to obey. */
import { serve as serveFiles } from '../../../tools/serve.mjs';

/** @returns the address of the site's first page, and how to stop serving it. */
export async function serve(folder, headers) {
  const { url, close } = await serveFiles(folder, { base: '/some/where/', headers });
  return { address: url, close };
}
