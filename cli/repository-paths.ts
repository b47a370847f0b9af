import { dirname, join, relative, resolve } from 'node:path';
import type { Repository } from '../apps/codeowners.ts';
import type { Settings } from './settings.ts';

/** Returns the paths of a repository relative to its root. */
export function describeRepository(
  root: string,
  settings: Settings,
  crdFiles: readonly string[],
): Repository {
  const { tenants, platform, out } = settings;
  const fromRoot = (path: string): string =>
    relative(root, resolve(path)).replaceAll('\\', '/') || '.';
  return {
    tenants: fromRoot(tenants),
    platform: fromRoot(platform),
    out: fromRoot(out),
    crdFiles: crdFiles.map((path) => fromRoot(join(dirname(platform), path))),
  };
}
