import type { AuditEntry, ClusterAccess } from '@tenantry/testing/controlplane/cluster';

const verbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Resources for the bookkeeping and leader election of Argo CD and the operator; nothing of these is deployed. */
const books = new Set(['applications', 'applicationsets', 'leases', 'events']);

/** Returns whether an entry is a write to a deployed object, and no dry run. */
export const isWrite = ({ verb, requestURI, objectRef }: AuditEntry): boolean =>
  verbs.has(verb) && !requestURI.includes('dryRun=') && !books.has(objectRef?.resource ?? '');

/** Returns Argo CD's writes to deployed objects of a cluster so far: `patch /api/v1/namespaces/shop`. */
export const writesOfArgoCd = (cluster: ClusterAccess): string[] =>
  cluster
    .auditLog()
    .filter(({ user }) => user.username.startsWith('system:serviceaccount:argocd:'))
    .filter(isWrite)
    .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
