import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = dirname(dirname(import.meta.dirname));

/** The top folders whose code users get. */
export const productRooms = [
  'packages',
  'crds',
  'model',
  'constructs',
  'synth',
  'apps',
  'operator',
  'import',
  'cli',
] as const;

/**
 * Returns the paths, relative to the root, of every file that git tracks or would track (not ignored, not yet added).
 */
export function projectFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return listed.filter((path) => path !== '' && existsSync(join(root, path))).toSorted();
}

/** Returns whether a path is TypeScript of the product: in its rooms, or an entry point at the root. */
export function isProduct(path: string): boolean {
  const room = path.split('/')[0] ?? '';
  if (/^packages\/[^/]+\/test\//.test(path)) return false;
  return path.endsWith('.ts') && (room === path || productRooms.some((one) => one === room));
}
