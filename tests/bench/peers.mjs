/** What only the bench needs: others' packages, and a Node that profits from relaxed SIMD. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setUpNpmPackages } from '../../tools/setup/npm_packages.mjs';
import { outputOf } from '../../tools/setup/processes.mjs';

const folder = import.meta.dirname;
const leastMajor = 24;

/**
 * Installs them on first use. Returns the Node to measure in: this one when it is new enough, else
 * the installed one, else this one with what it has: { path, version, flags }.
 */
export async function setUpPeers() {
  await setUpNpmPackages({ title: 'peers of the bench', folder, flags: ['--ignore-scripts'] });
  const own = { path: process.execPath, version: process.versions.node };
  const installed = path.join(
    folder,
    'node_modules',
    `node-${process.platform}-${process.arch}`,
    'bin/node',
  );
  const candidates = [own, ...(existsSync(installed) ? [{ path: installed }] : [])].map((node) => ({
    ...node,
    version: node.version ?? outputOf(node.path, ['--version'])?.trim().slice(1),
    flags: [],
  }));
  const isNew = ({ version }) => Number(version?.split('.')[0]) >= leastMajor;
  return (
    candidates.find(isNew) ?? { ...candidates[0], flags: ['--experimental-wasm-relaxed-simd'] }
  );
}
