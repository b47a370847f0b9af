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
