import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = dirname(dirname(import.meta.dirname));

/** The rooms whose code users get. */
export const productRooms = [
  'kube',
  'schema',
  'crds',
  'olm',
  'constructs',
  'synth',
  'apps',
  'runtime',
  'testing',
  'operator',
  'install',
  'cli',
] as const;

/** Paths from the root of every file that git tracks, and of those that it would (not ignored, not yet added). */
export function projectFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return listed.filter((path) => path !== '' && existsSync(join(root, path))).toSorted();
}

/** The product's own TypeScript: its rooms, and the doors of the package at the root. */
export function isProduct(path: string): boolean {
  const room = path.split('/')[0] ?? '';
  return path.endsWith('.ts') && (room === path || productRooms.some((one) => one === room));
}
