/**
 * `npm run gen:kinds`: writes the types of Kubernetes' own kinds to kube/api/, and the kinds to
 * runtime/kinds/, as an API server of the pinned minor has them. For a new minor; a test with a cluster compares the files with the
 * server on every run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindModules } from '../test/cluster/kind-modules.ts';
import { openApiOf } from '../test/cluster/openapi.ts';
import { startCluster } from '../testing/controlplane/cluster.ts';
import { root } from './steps.ts';

await using cluster = await startCluster();
const modules = await kindModules(await openApiOf(cluster.admin), cluster.details.version);
for (const [path, text] of modules) writeFileSync(join(root, path), text);
console.log(`wrote ${modules.size} modules`);
