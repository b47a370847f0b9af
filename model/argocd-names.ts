import type { Platform } from './declaration.ts';

/** Argo CD's name for the cluster in which it runs. */
export const IN_CLUSTER = 'in-cluster';

/** The address of that cluster, as Argo CD has it. */
export const IN_CLUSTER_SERVER = 'https://kubernetes.default.svc';

/** Returns the address at which Argo CD reaches a cluster; undefined if the platform does not set it. */
export function resolveServer({
  name,
  server,
}: {
  readonly name: string;
  readonly server?: string;
}): string | undefined {
  return server ?? (name === IN_CLUSTER ? IN_CLUSTER_SERVER : undefined);
}

/**
 * Escapes an address where Argo CD reads it as a pattern: in its settings and in projects. In a pattern the brackets of
 * an IPv6 address would be a set of characters. Applications contain the address unescaped.
 */
export function escapeServerPattern(server: string): string {
  return server.replaceAll(/[*?[\]{}!\\]/g, String.raw`\$&`);
}

/** The label with the Application of an object, for an Argo CD that tracks by labels. */
export const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** The Application that keeps all others. */
export const ROOT_APPLICATION = 'tenantry';

interface Named {
  readonly name: string;
}

/**
 * Returns the prefixes of the names of all other Applications of Tenantry that sync to one of the clusters. An
 * Application for another cluster does not watch these clusters.
 */
export function applicationPrefixes(clusters: readonly Named[]): readonly string[] {
  return [`${ROOT_APPLICATION}-`, ...clusters.map(({ name }) => `${name}.`)];
}

/** Whether a text is the name of such an Application, or could become one. */
export function namesApplication(text: string, clusters: readonly Named[]): boolean {
  if (text === ROOT_APPLICATION) return true;
  return applicationPrefixes(clusters).some((prefix) => text.startsWith(prefix));
}

/** Returns the name of a group in Argo CD; undefined for a group that belongs to none of its logins. */
export function resolveArgoCDGroup(
  name: string,
  { argocdGroupsPrefix: prefix = '' }: Pick<Platform, 'argocdGroupsPrefix'>,
): string | undefined {
  return name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : undefined;
}

/**
 * Explains why Argo CD could not hold a group's name in a project, as the end of a sentence. Argo CD reads `g, <group>,
 * proj:...` as a line of CSV. One line that it cannot read voids the rights of all others.
 * Source: validateGroupName and ProjectPoliciesString in pkg/apis/application/v1alpha1, loadPolicyLine in util/rbac of
 * argo-cd
 */
export function findGroupFault(name: string): string | undefined {
  if (name.includes('"')) return 'without double quotes, which Argo CD takes for its own';
  if (name.trim() !== name) return 'that neither begin nor end with a space';
  if (/^(?:role|proj):/.test(name)) {
    return "that do not begin with 'role:' or 'proj:', which to Argo CD are roles";
  }
  return undefined;
}

/** Formats a group for a project: quoted if it contains a character that ends a field. */
export function quoteGroup(name: string): string {
  return name.includes(',') ? `"${name}"` : name;
}

/** The prefix. The dot makes a collision with accounts that people create for programs unlikely. */
const PREFIX = 'sync.';

/**
 * Returns the account as which Argo CD syncs what a tenant has in its own repositories. There is no object of it:
 * access and impersonation go by names. So nobody can get a token of it, run a pod as it, or delete it. Its namespace
 * is the operator's, which no tenant can have (docs/adr/0082-tenant-applications-impersonate-the-tenant.md).
 */
export function syncAccount(
  { operatorNamespace }: Platform,
  tenant: string,
): { readonly namespace: string; readonly name: string } {
  return { namespace: operatorNamespace, name: `${PREFIX}${tenant}` };
}

/** Whether a service account of this name is one as which Argo CD syncs. */
export function isSyncAccount(name: string): boolean {
  return name.startsWith(PREFIX);
}
