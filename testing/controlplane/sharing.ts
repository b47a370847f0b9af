import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterDetails } from './identities.ts';

/** The variable with the file by which other processes find a control plane. */
const variable = 'TENANTRY_CONTROL_PLANE';

/** Makes a cluster available to this process, and to processes that it starts. */
export function publishCluster(details: ClusterDetails): void {
  const file = join(details.folder, 'details.json');
  writeFileSync(file, JSON.stringify(details), { mode: 0o600 });
  process.env[variable] = file;
}

/**
 * Returns the published cluster, or undefined where there is none.
 * @throws {Error} where it has ended
 */
export function findPublishedCluster(): ClusterDetails | undefined {
  const file = process.env[variable];
  if (!file) return undefined;
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ClusterDetails;
  throw new Error(`${variable} must name a control plane that runs, got ${file}, which is gone`);
}
