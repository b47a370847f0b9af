/**
 * `npm run gen:roles` writes kube/rbac/user-facing-roles.ts: the rules of Kubernetes' user-facing
 * ClusterRoles, from an API server of the pinned minor. Run it for a new minor; a test with a cluster
 * compares the file with the server on every run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userFacingRoles } from '../test/cluster/user-facing-roles.ts';
import { startCluster } from '../testing/controlplane/cluster.ts';

await using cluster = await startCluster();
const { version } = cluster.details;
const policy = `https://github.com/kubernetes/kubernetes/blob/v${version}/plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go`;
const file = join(import.meta.dirname, '..', 'kube', 'rbac', 'user-facing-roles.ts');

const text = `/**
 * What Kubernetes' ClusterRoles for people allow: \`view\`, what \`edit\` adds to it, what \`admin\` adds
 * to both. A line is a role, an API group, what may be done, and the resources. As in the source,
 * \`read\` is get, list, watch, and \`write\` is create, update, patch, delete, deletecollection.
 * Written by \`npm run gen:roles\` from what an API server of Kubernetes ${version} serves.
 * Source: ${policy}
 */
export const userFacingRoles = \`
${await userFacingRoles(cluster.admin)}
\`;
`;
writeFileSync(file, text);
console.log(`wrote ${file}`);
