/**
 * `npm run gen:fields`: writes kube/openapi/fieldtable.ts, the fields of Kubernetes' own kinds, as an API
 * server of the pinned minor serves them, with the versions that are served only where somebody turns
 * them on. For a new minor; a test with a cluster compares the file with the server on every run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_VERSIONS, fieldTableFile, liveFieldTable } from '../test/cluster/fieldtable.ts';
import { startCluster } from '../testing/controlplane/cluster.ts';

await using cluster = await startCluster({ apiServerFlags: ALL_VERSIONS });
const file = join(import.meta.dirname, '..', 'kube', 'openapi', 'fieldtable.ts');
writeFileSync(file, fieldTableFile(await liveFieldTable(cluster.admin), cluster.details.version));
console.log(`wrote ${file}`);
