/**
 * `npm run gen:fields` writes two tables from an API server of the pinned minor.
 * packages/kube/openapi/field-table.ts has the fields of the built-in kinds, and packages/kube/openapi/list-keys.ts the
 * merge keys of their lists. Both include versions that are served only when enabled. Run it for a new
 * minor; a test with a cluster compares the files with the server on every run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ALL_VERSIONS,
  fieldTableFile,
  listKeysFile,
  liveTables,
} from '../test/cluster/field-table.ts';
import { startCluster } from '@tenantry/testing/controlplane/cluster';

await using cluster = await startCluster({ apiServerFlags: ALL_VERSIONS });
const { version } = cluster.details;
const { fields, lists } = await liveTables(cluster.admin);
const folder = join(import.meta.dirname, '..', 'packages', 'kube', 'openapi');
for (const [name, text] of Object.entries({
  'field-table.ts': fieldTableFile(fields, version),
  'list-keys.ts': listKeysFile(lists, version),
})) {
  const file = join(folder, name);
  writeFileSync(file, text);
  console.log(`wrote ${file}`);
}
