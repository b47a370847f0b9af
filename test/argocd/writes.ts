import type { AuditEntry, ClusterAccess } from '../../testing/controlplane/access.ts';

const verbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** How Argo CD and our operator keep their books, and who leads: nothing that is deployed. */
const books = new Set(['applications', 'applicationsets', 'leases', 'events']);

/** Whether somebody wrote what is deployed, and did not try alone. */
export const isWrite = ({ verb, requestURI, objectRef }: AuditEntry): boolean =>
  verbs.has(verb) && !requestURI.includes('dryRun=') && !books.has(objectRef?.resource ?? '');

/** What Argo CD has written to a cluster so far of what is deployed: `patch /api/v1/namespaces/shop`. */
export const writesOfArgoCd = (cluster: ClusterAccess): string[] =>
  cluster
    .auditLog()
    .filter(({ user }) => user.username.startsWith('system:serviceaccount:argocd:'))
    .filter(isWrite)
    .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
