/**
 * `npm run gen:fields`: writes kube/openapi/field-table.ts, the fields of Kubernetes' own kinds, and
 * kube/openapi/list-keys.ts, by which keys their lists are merged, as an API server of the pinned minor
 * serves them, with the versions that are served only where somebody turns them on. For a new minor; a
 * test with a cluster compares the files with the server on every run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ALL_VERSIONS,
  fieldTableFile,
  listKeysFile,
  liveTables,
} from '../test/cluster/field-table.ts';
import { startCluster } from '../testing/controlplane/cluster.ts';

await using cluster = await startCluster({ apiServerFlags: ALL_VERSIONS });
const { version } = cluster.details;
const { fields, lists } = await liveTables(cluster.admin);
const folder = join(import.meta.dirname, '..', 'kube', 'openapi');
for (const [name, text] of Object.entries({
  'field-table.ts': fieldTableFile(fields, version),
  'list-keys.ts': listKeysFile(lists, version),
})) {
  const file = join(folder, name);
  writeFileSync(file, text);
  console.log(`wrote ${file}`);
}
