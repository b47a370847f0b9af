import type { AuditEntry } from '../../testing/controlplane/access.ts';

const verbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** How Argo CD and our operator keep their books, and who leads: nothing that is deployed. */
const books = new Set(['applications', 'applicationsets', 'leases', 'events']);

/** Whether somebody wrote what is deployed, and did not try alone. */
export const isWrite = ({ verb, requestURI, objectRef }: AuditEntry): boolean =>
  verbs.has(verb) && !requestURI.includes('dryRun=') && !books.has(objectRef?.resource ?? '');
