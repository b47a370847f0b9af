/**
 * `npm run gen:kinds` writes the types of the built-in kinds to packages/kube/api/, and the kinds to
 * packages/runtime/kinds/, from an API server of the pinned minor. Run it for a new minor; a test with a cluster
 * compares the files with the server on every run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindModules } from '../test/cluster/kind-modules.ts';
import { openApiOf } from '../test/cluster/openapi.ts';
import { startCluster } from '@tenantry/testing/controlplane/cluster';
import { root } from './steps.ts';

await using cluster = await startCluster();
const modules = await kindModules(await openApiOf(cluster.admin), cluster.details.version);
for (const [path, text] of modules) writeFileSync(join(root, path), text);
console.log(`wrote ${modules.size} modules`);
