/** Serves a built site from a sub-path under the policy that the page promises to obey. */
import { serve as serveFiles } from '../../../tools/serve.mjs';

export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
].join('; ');

const strict = { 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' };

/** @returns the address of the site's first page, and how to stop serving it. */
export async function serve(folder, headers = strict) {
  const { url, close } = await serveFiles(folder, { base: '/some/where/', headers });
  return { address: url, close };
}
