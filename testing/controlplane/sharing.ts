import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterDetails } from './identities.ts';

/** Names the file by which other processes find a control plane. */
const variable = 'TENANTRY_CONTROL_PLANE';

/** Tells this process, and those that it starts, of a cluster. */
export function publishCluster(details: ClusterDetails): void {
  const file = join(details.folder, 'details.json');
  writeFileSync(file, JSON.stringify(details), { mode: 0o600 });
  process.env[variable] = file;
}

/**
 * The cluster that was announced, undefined where none was.
 * @throws {Error} where it is gone
 */
export function findPublishedCluster(): ClusterDetails | undefined {
  const file = process.env[variable];
  if (!file) return undefined;
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ClusterDetails;
  throw new Error(`${variable} must name a control plane that runs, got ${file}, which is gone`);
}
